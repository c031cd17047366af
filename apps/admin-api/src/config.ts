import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/service";
import { z } from "zod";

const schema = z.object({
  PORT: environmentVariables.port(8082),
  HOST: environmentVariables.host,
  DATABASE_URL: environmentVariables.databaseUrl,
  ...environmentVariables.database,
  DATABASE_CONNECTIONS: environmentVariables.databaseConnections(10),
  /** URL of the Redis queue; without it, the queue is in the database. */
  REDIS_URL: environmentVariables.url("redis:", "rediss:").optional(),
  DATABASE_WAIT_MS: environmentVariables.databaseWaitMs,
  ROWHOUSE_SECRET: environmentVariables.secret,
  /** Other secrets accepted for decryption during rotation: the next or the previous one. */
  ROWHOUSE_OTHER_SECRETS: environmentVariables.secretList,
  /** Secrets that sign assertions; without them, the secrets above. */
  ROWHOUSE_EDGE_SECRETS: environmentVariables.secretList,
  SQL_CONSOLE_URL: environmentVariables.consoleUrl,
  SMTP_URL: environmentVariables.smtpUrl,
  MAIL_FROM: environmentVariables.mailFrom,
  PUBLIC_URL: environmentVariables.publicUrl,
  ROWHOUSE_DATA_DIR: environmentVariables.dataDirectory,
  /** If both are set and no administrator exists, the first administrator is created. */
  ROWHOUSE_ADMIN_EMAIL: z.email("must be an email address").optional(),
  ROWHOUSE_ADMIN_PASSWORD: z.string().optional(),
  ...telemetryVariables("rowhouse-admin-api"),
  DRAIN_MS: environmentVariables.drainMs,
  LOG_LEVEL: environmentVariables.logLevel,
});

/** Every variable that the app reads. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

export type AdminApiConfig = z.output<typeof schema>;

/** Returns the configuration of the service from the environment. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): AdminApiConfig {
  return readEnvironment(schema, environment);
}
