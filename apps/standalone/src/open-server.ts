import { dirname, resolve } from "node:path";
import type { Database } from "@rowhouse/db";
import { type DatabasePlace, databasePlace } from "@rowhouse/service";
import type { StandaloneConfig } from "./config.ts";
import { startEmbeddedDatabase } from "./embedded-database.ts";

export interface DatabaseServer {
  readonly place: DatabasePlace;
  /** Whether the server is embedded: its URL, including the password, is then shown to the operator. */
  readonly embedded: boolean;
  /** Folder of an embedded server's files, if it is not in the data directory. */
  readonly filesElsewhere?: string;
  /** The superuser of an embedded server. */
  readonly superuserUrl?: string;
  /** Completes a migrated database with what only a superuser may create, where there is one. */
  guard(database: Database): Promise<void>;
  stop(): Promise<void>;
}

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
      guard: async () => {},
      stop: async () => {},
    };
  }
  const embedded = await startEmbeddedDatabase(config.ROWHOUSE_DATA_DIR);
  return {
    place: databasePlace({
      DATABASE_URL: embedded.url,
      MIGRATIONS_DATABASE_URL: embedded.ownerUrl,
      SYSTEM_DATABASE_URL: embedded.systemUrl,
    }),
    embedded: true,
    ...(isInside(embedded.place, config.ROWHOUSE_DATA_DIR)
      ? {}
      : { filesElsewhere: embedded.place }),
    superuserUrl: embedded.superuserUrl,
    guard: embedded.guard,
    stop: () => embedded.stop(),
  };
}

function isInside(place: string, directory: string): boolean {
  return dirname(place) === resolve(directory);
}
