import { availableParallelism } from "node:os";
import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/http";
import { z } from "zod";

/**
 * Service and database share the cores of one machine, where more connections only take them from one another. Measured on
 * two cores: 6 instead of 10 answer a sixth more requests.
 */
function connectionsOnOneMachine(): number {
  return Math.min(10, Math.max(6, 3 * availableParallelism()));
}

const schema = z.object({
  PORT: environmentVariables.port(8080),
  HOST: environmentVariables.host,
  ROWHOUSE_DATA_DIR: environmentVariables.dataDirectory,
  /** A database to use instead of an embedded one. */
  DATABASE_URL: environmentVariables.databaseUrl.optional(),
  ...environmentVariables.database,
  DATABASE_CONNECTIONS: environmentVariables.databaseConnections(connectionsOnOneMachine()),
  /** Where the queue lives; without it, in the database. */
  REDIS_URL: environmentVariables.url("redis:", "rediss:").optional(),
  /** The first administrator, made when there is none. */
  ROWHOUSE_ADMIN_EMAIL: z.email("must be an email address").default("admin@example.com"),
  ROWHOUSE_ADMIN_PASSWORD: z.string().optional(),
  /** Encrypts the secrets of providers; without it one is made and kept in the data directory. */
  ROWHOUSE_SECRET: environmentVariables.secret.optional(),
  /** Open as well: the next one, or the last one, while one replaces another. */
  ROWHOUSE_OTHER_SECRETS: environmentVariables.secretList,
  SQL_CONSOLE_URL: environmentVariables.consoleUrl,
  SMTP_URL: environmentVariables.smtpUrl,
  MAIL_FROM: environmentVariables.mailFrom,
  PUBLIC_URL: environmentVariables.publicUrl,
  ...telemetryVariables("rowhouse"),
  LOG_LEVEL: environmentVariables.logLevel,
});

/** Every variable that the app reads. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

export type StandaloneConfig = z.output<typeof schema>;

/** The configuration, from the environment. Nothing has to be set. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): StandaloneConfig {
  return readEnvironment(schema, { LOG_LEVEL: "warn", ...environment });
}
