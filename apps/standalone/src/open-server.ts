import { dirname, resolve } from "node:path";
import { connectDatabase } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { type DatabasePlace, databasePlace } from "@rowhouse/http";
import { type LocalPostgres, startLocalPostgres } from "@rowhouse/local-postgres";
import type { StandaloneConfig } from "./config.ts";

/** The database of the service. */
export interface DatabaseServer {
  readonly place: DatabasePlace;
  /** Whether the server is embedded: its URL, including the password, is then shown to the operator. */
  readonly embedded: boolean;
  /** Folder of an embedded server's files, if it is not in the data directory. */
  readonly filesElsewhere?: string;
  stop(): Promise<void>;
}

const databaseName = "rowhouse";

/**
 * Opens the configured server, or an embedded one in the data directory.
 *
 * @throws StartError if it cannot be started or reached
 */
export async function openServer(config: StandaloneConfig): Promise<DatabaseServer> {
  const { DATABASE_URL } = config;
  if (DATABASE_URL !== undefined) {
    return {
      place: databasePlace({ ...config, DATABASE_URL }),
      embedded: false,
      stop: async () => {},
    };
  }
  const postgres = await start(config.ROWHOUSE_DATA_DIR);
  try {
    await createDatabase(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const url = new URL(postgres.url);
  url.pathname = `/${databaseName}`;
  return {
    place: databasePlace({ DATABASE_URL: url.href }),
    embedded: true,
    ...(isInside(postgres.place, config.ROWHOUSE_DATA_DIR)
      ? {}
      : { filesElsewhere: postgres.place }),
    stop: () => postgres.stop(),
  };
}

function isInside(place: string, directory: string): boolean {
  return dirname(place) === resolve(directory);
}

async function start(directory: string): Promise<LocalPostgres> {
  try {
    return await startLocalPostgres({ directory });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The embedded database in ${directory} cannot be used: ${reason.replace(/\.$/, "")}.`,
      {
        cause: error,
      },
    );
  }
}

async function createDatabase(serverUrl: string): Promise<void> {
  const server = await connectDatabase({
    url: serverUrl,
    applicationName: "standalone-start",
    connectionsMax: 1,
  });
  try {
    const found = await server.query("select 1 from pg_database where datname = $1::text", [
      databaseName,
    ]);
    if (found.length === 0) await server.query(`create database ${databaseName}`);
  } finally {
    await server.close();
  }
}
