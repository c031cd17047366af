import { storageVariables } from "@rowhouse/files";
import { environmentVariables, readEnvironment, telemetryVariables } from "@rowhouse/service";
import { z } from "zod";

const schema = z.object({
  PORT: environmentVariables.port(8083),
  HOST: environmentVariables.host,
  DATABASE_URL: environmentVariables.databaseUrl,
  ...environmentVariables.database,
  /** The Redis server of the queue; without it, the queue is in the database. */
  REDIS_URL: environmentVariables.url("redis:", "rediss:").optional(),
  DATABASE_WAIT_MS: environmentVariables.databaseWaitMs,
  ROWHOUSE_SECRET: environmentVariables.secret,
  /** Further secrets for decryption, during a rotation. */
  ROWHOUSE_OTHER_SECRETS: environmentVariables.secretList,
  SMTP_URL: environmentVariables.smtpUrl,
  MAIL_FROM: environmentVariables.mailFrom,
  PUBLIC_URL: environmentVariables.publicUrl,
  ROWHOUSE_DATA_DIR: environmentVariables.dataDirectory,
  ...storageVariables,
  ...environmentVariables.chromium,
  ...telemetryVariables("rowhouse-workflow-worker"),
  LOG_LEVEL: environmentVariables.logLevel,
  /** Maximum number of runs at once. */
  WORKER_CONCURRENCY: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, "must be a whole number from 1 to 999")
    .transform(Number)
    .default(16),
});

/** The names of all environment variables that the app reads. */
export const variableNames: readonly string[] = Object.keys(schema.shape);

export type WorkerConfig = z.output<typeof schema>;

/** Reads the worker's configuration from the environment. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WorkerConfig {
  return readEnvironment(schema, environment);
}
