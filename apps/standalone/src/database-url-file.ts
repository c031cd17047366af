import { rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/**
 * Writes the URL of the embedded database, whose port may differ at each start, to a file that only its owner may read.
 * So its password is in no log of the output.
 *
 * @returns the path of the file
 * @throws the error of the file system
 */
export async function writeDatabaseUrl(directory: string, url: string): Promise<string> {
  const path = resolve(join(directory, "database-url"));
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, url, { mode: 0o600 });
  await rename(partial, path);
  return path;
}
