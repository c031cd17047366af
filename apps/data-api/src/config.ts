import { storageVariables } from "@rowhouse/files";
import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/service";
import { z } from "zod";

const schema = z.object({
  PORT: environmentVariables.port(8081),
  HOST: environmentVariables.host,
  DATABASE_URL: environmentVariables.databaseUrl,
  ...environmentVariables.database,
  DATABASE_CONNECTIONS: environmentVariables.databaseConnections(10),
  /** URL of the queue; without it, the queue is in the database. */
  REDIS_URL: environmentVariables.url("redis:", "rediss:").optional(),
  DATABASE_WAIT_MS: environmentVariables.databaseWaitMs,
  ROWHOUSE_SECRET: environmentVariables.secret,
  /** Further secrets accepted during rotation: the next one or the previous one. */
  ROWHOUSE_OTHER_SECRETS: environmentVariables.secretList,
  /** Secrets that may sign assertions; by default the secrets above. */
  ROWHOUSE_EDGE_SECRETS: environmentVariables.secretList,
  SQL_CONSOLE_URL: environmentVariables.consoleUrl,
  SMTP_URL: environmentVariables.smtpUrl,
  MAIL_FROM: environmentVariables.mailFrom,
  PUBLIC_URL: environmentVariables.publicUrl,
  ROWHOUSE_DATA_DIR: environmentVariables.dataDirectory,
  ...storageVariables,
  ...telemetryVariables("rowhouse-data-api"),
  DRAIN_MS: environmentVariables.drainMs,
  LOG_LEVEL: environmentVariables.logLevel,
});

/** Every variable that the app reads. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

export type DataApiConfig = z.output<typeof schema>;

/** Returns the Data API's configuration from the environment. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): DataApiConfig {
  return readEnvironment(schema, environment);
}
