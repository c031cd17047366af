import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../base/command-error.ts";

/** Texts by path, with `/` between folders. */
export type Files = Readonly<Record<string, string>>;

/** Files outside of folders that belong to a configuration. */
const rootFiles = ["rowhouse.yaml", "settings.yaml"];
/** Folders of a configuration; other files of a repository are left alone. */
const folders = [
  ...["environments", "types", "tables", "views", "roles", "workflows"],
  ...["data-views", "dashboards", "templates", "providers"],
];
/** The service refuses far smaller ones; this protects the memory of the command. */
const fileBytesMax = 2_000_000;

/**
 * Reads the files of a configuration. Links are not followed.
 *
 * @throws CommandError if a file cannot be read or is too large
 */
export async function readFolder(folder: string): Promise<Files> {
  const paths = await pathsIn(folder);
  const files: [string, string][] = [];
  for (const path of paths.toSorted()) files.push([path, await readText(join(folder, path), path)]);
  return Object.fromEntries(files);
}

/** Writes files, and removes those of the same parts that are no longer among them. */
export async function writeFolder(
  folder: string,
  files: Files,
  isReplaced: (path: string) => boolean,
): Promise<void> {
  for (const path of await pathsIn(folder)) {
    if (files[path] === undefined && isReplaced(path)) await rm(join(folder, path));
  }
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    if ((await readFile(place, "utf8").catch(() => undefined)) !== text) {
      await writeFile(place, text);
    }
  }
}

/** Writes the JSON Schema of each part, for editors. The service does not read them. */
export async function writeSchemas(
  folder: string,
  schemas: Readonly<Record<string, object>>,
): Promise<void> {
  await mkdir(join(folder, "schemas"), { recursive: true });
  for (const [part, schema] of Object.entries(schemas)) {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await writeFile(join(folder, "schemas", `${part}.json`), text);
  }
}

async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths = entries.flatMap((entry) =>
    entry.isFile() && rootFiles.includes(entry.name) ? [entry.name] : [],
  );
  for (const entry of entries) {
    if (entry.isDirectory() && folders.includes(entry.name)) {
      paths.push(...(await pathsBelow(folder, entry.name)));
    }
  }
  return paths;
}

async function pathsBelow(folder: string, path: string): Promise<string[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries) {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await pathsBelow(folder, inside)));
    else if (entry.isFile() && !entry.name.startsWith(".")) paths.push(inside);
  }
  return paths;
}

async function readText(place: string, path: string): Promise<string> {
  const { size } = await stat(place);
  if (size > fileBytesMax) throw new CommandError(`${path} is larger than ${fileBytesMax} bytes.`);
  const bytes = await readFile(place);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new CommandError(`${path} is no text in UTF-8.`);
  }
}
