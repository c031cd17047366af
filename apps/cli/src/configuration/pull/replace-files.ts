import { randomBytes } from "node:crypto";
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../../base/command-error.ts";
import { requirePlace } from "../folder.ts";
import { type Manifest, manifestPath, writeManifest } from "./manifest.ts";

/** What a pull does to a folder. */
export interface FolderChange {
  /** Texts by path. */
  readonly write: ReadonlyMap<string, string>;
  /** Files to delete before the others are written. */
  readonly remove: readonly string[];
  /** Files whose text has another path now; deleted once it is written. */
  readonly moved: readonly string[];
  /** The files that were read, by path: a file that has changed meanwhile is not touched. */
  readonly read: ReadonlyMap<string, string>;
  readonly before: Manifest;
  readonly after: Manifest;
}

const temporary = /^[0-9a-f]{16}\.tmp$/;
/** Another pull may still use a younger one. */
const abandonedMs = 3_600_000;

/**
 * Writes and deletes files. Each is replaced at once, and the manifest names both states of a file until it is: a command
 * that is killed leaves whole files, and the next pull knows which of them are its own.
 *
 * @throws CommandError before the first write if anything is in the way; later only if the system refuses a write
 */
export async function replaceFiles(folder: string, replacement: FolderChange): Promise<void> {
  const { write, remove, moved, read, before, after } = replacement;
  const modes = new Map<string, number | undefined>();
  for (const path of [...write.keys(), ...remove, ...moved, manifestPath]) {
    const mode = await requirePlace(folder, path);
    if (mode !== undefined && (mode & 0o222) === 0) {
      throw new CommandError(
        `${path} is read-only. Nothing was written: make it writable, or keep it out of this pull.`,
      );
    }
    modes.set(path, mode);
  }
  const changed = [...write.keys(), ...remove, ...moved];
  const interrupted = new Map(changed.map((path) => [path, before.get(path) ?? null] as const));
  const put = (path: string, text: string) => putFile(folder, path, text, modes.get(path));
  await removeAbandoned(folder);
  if (changed.length > 0) await put(manifestPath, writeManifest(after, interrupted));
  for (const path of remove) await removeFile(folder, path, read);
  for (const [path, text] of write) {
    if (await isAsRead(folder, path, read, text)) await put(path, text);
  }
  for (const path of moved) await removeFile(folder, path, read);
  const text = writeManifest(after);
  const present = await readFile(join(folder, manifestPath), "utf8").catch(() => undefined);
  if (present !== text) await put(manifestPath, text);
}

/** @returns whether it is left to write: another pull may have written the same text */
async function isAsRead(
  folder: string,
  path: string,
  read: ReadonlyMap<string, string>,
  wanted: string,
): Promise<boolean> {
  const present = await readFile(join(folder, path), "utf8").catch(() => undefined);
  if (present === wanted) return false;
  if (present === read.get(path)) return true;
  throw new CommandError(`${path} has changed while this command ran. Run rowhouse pull again.`);
}

/** Replaces a file at once, with the mode that it had. */
async function putFile(
  folder: string,
  path: string,
  text: string,
  mode: number | undefined,
): Promise<void> {
  const place = join(folder, path);
  const draft = join(folder, dirname(manifestPath), `${randomBytes(8).toString("hex")}.tmp`);
  try {
    await mkdir(dirname(draft), { recursive: true });
    await mkdir(dirname(place), { recursive: true });
    await writeFile(draft, text, { flag: "wx" });
    if (mode !== undefined) await chmod(draft, mode & 0o777);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw refused(path, error);
  }
}

/** Removes a file that is still as it was read, and the folders in which it was the last one. */
async function removeFile(
  folder: string,
  path: string,
  read: ReadonlyMap<string, string>,
): Promise<void> {
  const present = await readFile(join(folder, path), "utf8").catch(() => undefined);
  if (present === undefined) return;
  if (present !== read.get(path)) {
    throw new CommandError(`${path} has changed while this command ran. Run rowhouse pull again.`);
  }
  await rm(join(folder, path)).catch((error: unknown) => {
    throw refused(path, error);
  });
  // A folder with other files stays.
  for (let inside = dirname(path); inside.includes("/"); inside = dirname(inside)) {
    if (
      !(await rmdir(join(folder, inside)).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

function refused(path: string, error: unknown): CommandError {
  const { message } = error as Error;
  return new CommandError(
    `${path} cannot be written: ${message}. The files before it are written; run rowhouse pull again.`,
  );
}

/** Removes what a pull has left that was killed. */
async function removeAbandoned(folder: string): Promise<void> {
  const inside = join(folder, dirname(manifestPath));
  const names = await readdir(inside).catch(() => []);
  for (const name of names.filter((one) => temporary.test(one))) {
    const { mtimeMs } = await stat(join(inside, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(join(inside, name), { force: true });
  }
}
