import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface ListOptions {
  readonly prefix: string;
  /** Only keys after this one. */
  readonly after?: string | undefined;
}

/**
 * Lists the files under a folder as paths, in the order of their keys: the path below `root` with slashes. Names that
 * begin with a dot are left out, and folders without a match are not read.
 */
export async function* listFiles(
  root: string,
  options: ListOptions,
  above = "",
): AsyncGenerator<string> {
  for (const { name, isFolder } of await readNames(join(root, above))) {
    const key = above + name;
    if (!mayMatch(key, isFolder, options)) continue;
    if (isFolder) yield* listFiles(root, options, key);
    else yield join(root, key);
  }
}

/** Returns the names of a folder in the order of keys, those of folders with a slash. */
async function readNames(
  folder: string,
): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [] as Dirent[];
      throw error;
    },
  );
  return entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isFile() || entry.isDirectory()))
    .map((entry) => ({
      name: entry.isDirectory() ? `${entry.name}/` : entry.name,
      isFolder: entry.isDirectory(),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function mayMatch(key: string, isFolder: boolean, { prefix, after = "" }: ListOptions): boolean {
  if (!isFolder) return key.startsWith(prefix) && key > after;
  const isUnder = key.startsWith(prefix) || prefix.startsWith(key);
  return isUnder && (key > after || after.startsWith(key));
}
