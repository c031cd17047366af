import { connectDatabase } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { type LocalPostgres, startLocalPostgres } from "@rowhouse/local-postgres";

/** The embedded server of a data directory, with the service's database. */
export interface EmbeddedDatabase {
  readonly url: string;
  /** The location of the server's files. */
  readonly place: string;
  stop(): Promise<void>;
}

const databaseName = "rowhouse";

/**
 * Starts the embedded server in a data directory, and creates the service's database if it does not exist.
 *
 * @throws StartError if the server cannot be started
 */
export async function startEmbeddedDatabase(directory: string): Promise<EmbeddedDatabase> {
  const postgres = await start(directory);
  try {
    await createDatabase(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const url = new URL(postgres.url);
  url.pathname = `/${databaseName}`;
  return { url: url.href, place: postgres.place, stop: () => postgres.stop() };
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
