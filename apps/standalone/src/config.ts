import { availableParallelism } from "node:os";
import { storageVariables } from "@rowhouse/files";
import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/service";
import { z } from "zod";

/**
 * Service and database share the cores of one machine, so more connections only compete for them. Measured on two
 * cores: 6 instead of 10 serve a sixth more requests.
 */
function connectionsOnOneMachine(): number {
  return Math.min(10, Math.max(6, 3 * availableParallelism()));
}

const schema = z.object({
  PORT: environmentVariables.port(8080),
  HOST: environmentVariables.host,
  ROWHOUSE_DATA_DIR: environmentVariables.dataDirectory,
  /** URL of a database to use instead of an embedded one. */
  DATABASE_URL: environmentVariables.databaseUrl.optional(),
  ...environmentVariables.database,
  DATABASE_CONNECTIONS: environmentVariables.databaseConnections(connectionsOnOneMachine()),
  /** URL of the queue; without it, the queue is in the database. */
  REDIS_URL: environmentVariables.url("redis:", "rediss:").optional(),
  /** The first administrator, created if there is none. */
  ROWHOUSE_ADMIN_EMAIL: z.email("must be an email address").default("admin@example.com"),
  ROWHOUSE_ADMIN_PASSWORD: z.string().optional(),
  /** Encrypts the secrets of providers; without it, a secret is generated and stored in the data directory. */
  ROWHOUSE_SECRET: environmentVariables.secret.optional(),
  /** Further secrets accepted for decryption during rotation: the next one or the previous one. */
  ROWHOUSE_OTHER_SECRETS: environmentVariables.secretList,
  SQL_CONSOLE_URL: environmentVariables.consoleUrl,
  SMTP_URL: environmentVariables.smtpUrl,
  MAIL_FROM: environmentVariables.mailFrom,
  PUBLIC_URL: environmentVariables.publicUrl,
  ...storageVariables,
  ...environmentVariables.chromium,
  ...telemetryVariables("rowhouse"),
  LOG_LEVEL: environmentVariables.logLevel,
});

/** Every variable that the app reads. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

export type StandaloneConfig = z.output<typeof schema>;

/** Returns the configuration from the environment. No variable is required. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): StandaloneConfig {
  return readEnvironment(schema, { LOG_LEVEL: "warn", ...environment });
}
