import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { superuser } from "./initialise.ts";
import { FolderInUse } from "./owner-lock.ts";
import { chooseServerAccount } from "./server-account.ts";
import { findServerFolder } from "./server-folder.ts";
import { type LocalPostgres, startLocalPostgres } from "./start.ts";

/**
 * Runs `work` on the server of a directory: on one that another process has started, or on one that runs only during
 * the work.
 *
 * @throws Error as `startLocalPostgres`
 */
export async function withLocalPostgres(
  directory: string,
  work: (server: Pick<LocalPostgres, "url" | "place">) => Promise<void>,
): Promise<void> {
  let server: LocalPostgres;
  try {
    server = await startLocalPostgres({ directory });
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return work(await findRunning(directory));
  }
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function findRunning(directory: string): Promise<Pick<LocalPostgres, "url" | "place">> {
  const { folder } = await findServerFolder(directory, await chooseServerAccount());
  const [password, port] = await Promise.all([
    readFile(join(directory, "postgres-password"), "utf8"),
    readFile(join(directory, "postgres-port"), "utf8"),
  ]);
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port.trim()}/postgres`,
    place: folder,
  };
}
