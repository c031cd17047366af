import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isConfigurationPath } from "@rowhouse/wire";
import { CommandError } from "../base/command-error.ts";

/** Texts by path, with `/` between folders. */
export type Files = Readonly<Record<string, string>>;

/** The service refuses far smaller ones; this protects the memory of the command. */
const fileBytesMax = 2_000_000;

/**
 * Reads the files of a configuration, without byte order marks. Other files are left out.
 *
 * @throws CommandError if a file cannot be read or is too large, and for a link: what it leads to would count as deleted
 */
export async function readFolder(folder: string): Promise<Files> {
  await refuseLinks(folder);
  const files = await readExactly(folder);
  return Object.fromEntries([...files].map(([path, text]) => [path, text.replace(/^\ufeff/, "")]));
}

/** Reads the same files with their byte order marks, sorted by path. */
export async function readExactly(folder: string): Promise<ReadonlyMap<string, string>> {
  const paths = (await listPaths(folder)).filter(isConfigurationPath);
  const files = new Map<string, string>();
  for (const path of paths) files.set(path, await readText(join(folder, path), path));
  return files;
}

/** Returns the paths of all files in the folders that a configuration may have; links are left out. */
export async function listPaths(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths: string[] = [];
  for (const entry of entries) {
    if (entry.isFile()) paths.push(entry.name);
    else if (entry.isDirectory() && isConfigurationPath(`${entry.name}/x.yaml`)) {
      paths.push(...(await pathsBelow(folder, entry.name)));
    }
  }
  return paths.toSorted();
}

async function pathsBelow(folder: string, path: string): Promise<string[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(
    unreadable(path),
  );
  const paths: string[] = [];
  for (const entry of entries) {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await pathsBelow(folder, inside)));
    else if (entry.isFile() && !entry.name.startsWith(".")) paths.push(inside);
  }
  return paths;
}

/** A path that looks like one of a configuration, and the reason why it is none. */
export interface Stranger {
  readonly path: string;
  readonly reason: string;
}

const documentEnding = /\.(?:ya?ml|sql|liquid)$/i;
const knownFolders: ReadonlySet<string> = new Set(["schemas", "node_modules"]);

/** Returns the files and folders beside those of a configuration that look as if they belonged to it. */
export async function listStrangers(folder: string): Promise<Stranger[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const strangers: Stranger[] = [];
  for (const found of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = found;
    if (name.startsWith(".")) continue;
    const isKnown = isConfigurationPath(`${name}/x.yaml`);
    if (found.isFile() && documentEnding.test(name) && !isConfigurationPath(name)) {
      const yaml = name.replace(/\.yml$/i, ".yaml").toLowerCase();
      const reason = isConfigurationPath(yaml)
        ? `its name must be ${yaml}`
        : "no part has this file";
      strangers.push({ path: name, reason });
    } else if (found.isDirectory() && isKnown) {
      const paths = await pathsBelow(folder, name);
      const others = paths.filter(
        (path) => documentEnding.test(path) && !isConfigurationPath(path),
      );
      strangers.push(
        ...others.map((path) => ({ path, reason: "its ending must be in lower case" })),
      );
    } else if (found.isDirectory() && !knownFolders.has(name)) {
      const inside = await readdir(join(folder, name)).catch(() => []);
      if (!inside.some((one) => documentEnding.test(one))) continue;
      strangers.push({ path: `${name}/`, reason: "no part of a configuration has this folder" });
    }
  }
  return strangers;
}

/** @throws CommandError for a link in place of a file or a folder of a configuration */
async function refuseLinks(folder: string): Promise<void> {
  const refuse = (path: string) => {
    throw new CommandError(
      `${path} is a link, which is not followed. Nothing was planned: put the files themselves there.`,
    );
  };
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const { name } = entry;
    const isFolder = isConfigurationPath(`${name}/x.yaml`);
    if (entry.isSymbolicLink() && (isFolder || isConfigurationPath(name))) refuse(name);
    if (!entry.isDirectory() || !isFolder) continue;
    const options = { withFileTypes: true, recursive: true } as const;
    for (const inside of await readdir(join(folder, name), options)) {
      const path = relative(folder, join(inside.parentPath, inside.name)).split(sep).join("/");
      if (inside.isSymbolicLink()) refuse(path);
    }
  }
}

/**
 * Requires that nothing is in the way of a file: no link, and no folder or other object in its place.
 *
 * @returns the mode of the file; undefined if there is none
 * @throws CommandError that names what is in the way
 */
export async function requirePlace(folder: string, path: string): Promise<number | undefined> {
  const names = path.split("/");
  for (const index of names.keys()) {
    const part = names.slice(0, index + 1).join("/");
    const found = await lstat(join(folder, part)).catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? undefined : unreadable(part)(error),
    );
    if (found === undefined) return undefined;
    const isLast = index === names.length - 1;
    if (found.isSymbolicLink()) throw inTheWay(part, "a link");
    if (isLast ? !found.isFile() : !found.isDirectory()) {
      throw inTheWay(part, isLast ? "no file" : "no folder");
    }
    if (isLast) return found.mode;
  }
  return undefined;
}

function inTheWay(path: string, what: string): CommandError {
  return new CommandError(
    `${path} is ${what}. Nothing was written: pull writes only files in the folder itself. Move it away.`,
  );
}

function unreadable(path: string): (error: Error) => never {
  return ({ message }) => {
    throw new CommandError(`${path} cannot be read: ${message}.`);
  };
}

async function readText(place: string, path: string): Promise<string> {
  const { size } = await stat(place).catch(unreadable(path));
  if (size > fileBytesMax) throw new CommandError(`${path} is larger than ${fileBytesMax} bytes.`);
  const bytes = await readFile(place).catch(unreadable(path));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path} is no text in UTF-8.`);
  }
}
