import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "@rowhouse/errors";
import { type StorageConfig, storagePlace, storageVariables } from "@rowhouse/files";
import { environmentVariables, readEnvironment } from "@rowhouse/service";
import { z } from "zod";

/** The variables of the service that a backup and a restore need. */
const schema = z.object({
  DATABASE_URL: environmentVariables.databaseUrl.optional(),
  DATABASE_DIRECT_URL: environmentVariables.databaseUrl.optional(),
  MIGRATIONS_DATABASE_URL: environmentVariables.databaseUrl.optional(),
  SYSTEM_DATABASE_URL: environmentVariables.databaseUrl.optional(),
  SYSTEM_DATABASE_DIRECT_URL: environmentVariables.databaseUrl.optional(),
  ROWHOUSE_DATA_DIR: environmentVariables.dataDirectory,
  ROWHOUSE_SECRET: environmentVariables.secret.optional(),
  ROWHOUSE_OTHER_SECRETS: environmentVariables.secretList.optional(),
  ...storageVariables,
});

/** What `rowhouse backup` and `rowhouse restore` take. */
export type BackupOptions = {
  /** The folder to create, or the one to restore. */
  readonly folder: string;
  /** Whether a backup has no secret. */
  readonly withoutSecret: boolean;
  /** The variables of the service. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** The parts of an installation, as the variables of its service name them. */
export interface Installation {
  /** The login that owns the schema `system`. */
  readonly ownerUrl: string;
  /** The login that serves; the same as `ownerUrl` without MIGRATIONS_DATABASE_URL. Never a pooler. */
  readonly serviceUrl: string;
  /** The login that keeps the schema `system`, if that is a third one. Never a pooler. */
  readonly systemUrl: string | undefined;
  readonly files: StorageConfig;
  /** The file of the secret, which a service without ROWHOUSE_SECRET reads. */
  readonly secretFile: string;
  /** ROWHOUSE_SECRET, or the content of that file; undefined if there is neither. */
  readonly secret: string | undefined;
  readonly otherSecrets: readonly string[];
}

/**
 * Reads the variables of the service.
 *
 * @throws StartError for an invalid or missing variable
 */
export async function readInstallation(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Installation> {
  const config = readEnvironment(schema, environment);
  const serviceUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (serviceUrl === undefined) {
    throw new StartError(
      "DATABASE_URL is missing: set the variables of the service. For the embedded database use npm start -- --backup=<folder>.",
    );
  }
  const secretFile = join(config.ROWHOUSE_DATA_DIR, "secret");
  return {
    ownerUrl: config.MIGRATIONS_DATABASE_URL ?? serviceUrl,
    serviceUrl,
    systemUrl: config.SYSTEM_DATABASE_DIRECT_URL ?? config.SYSTEM_DATABASE_URL,
    files: storagePlace(config),
    secretFile,
    secret: config.ROWHOUSE_SECRET ?? (await readIfThere(secretFile)),
    otherSecrets: config.ROWHOUSE_OTHER_SECRETS ?? [],
  };
}

/**
 * Returns the text of a secret's file; undefined if there is no file.
 *
 * @throws StartError if it cannot be read
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new StartError(`The secret ${path} cannot be read`, { cause: error });
  }
}
