import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDiskFull } from "@rowhouse/errors";
import { exactly } from "./exactly.ts";
import { type ByteRange, ObjectMissing, type Storage, type StoredObject } from "./storage.ts";
import { storageAway, storageFull } from "./storage-errors.ts";
import { checkStorageKey } from "./storage-key.ts";
import { untilAborted } from "./until-aborted.ts";

/** Objects are written here first. Keys have no dots, so no key names this folder. */
const unfinishedFolder = ".unfinished";
// Fewer and larger reads and writes: measured against 64 KiB.
const readBytes = 262_144;
const writeBytes = 1_048_576;
// A deletion may remove an empty folder between its creation and the rename into it.
const renameAttempts = 5;

/**
 * Opens a folder as a storage; it is created when the first object is stored. Several processes may share the folder if
 * its file system renames atomically.
 */
export function openDirectoryStorage(folder: string): Storage {
  const root = resolve(folder);
  const unfinished = join(root, unfinishedFolder);
  const pathOf = (key: string) => join(root, ...checkStorageKey(key).split("/"));
  const objectOf = (path: string, { size, mtime }: FileTimes): StoredObject => ({
    key: relative(root, path).split(sep).join("/"),
    bytes: size,
    modifiedAt: mtime,
  });
  return {
    put: async (key, content, { signal } = {}) => {
      const path = pathOf(key);
      const partial = join(unfinished, randomUUID());
      try {
        await createFolder(unfinished);
        const bytes = await writeWhole(partial, untilAborted(content, signal));
        await moveTo(partial, path);
        return bytes;
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {});
        throw translated(error);
      }
    },
    get: async (key, bytes, range) => openObject(pathOf(key), { key, bytes }, range),
    head: async (key) => {
      const path = pathOf(key);
      const found = await unlessMissing(stat(path)).catch(rethrow);
      return found === undefined ? undefined : objectOf(path, found);
    },
    delete: async (key) => {
      const path = pathOf(key);
      await unlessMissing(unlink(path)).catch(rethrow);
      // Folders of resumable uploads would otherwise remain. A folder with objects is not deleted.
      await rmdir(dirname(path)).catch(() => {});
    },
    list: async function* (prefix, after) {
      for await (const path of listFiles(root, { prefix, after })) {
        const found = await unlessMissing(stat(path));
        if (found !== undefined) yield objectOf(path, found);
      }
    },
    discardUnfinished: async (before) => {
      let count = 0;
      for (const name of (await unlessMissing(readdir(unfinished))) ?? []) {
        const path = join(unfinished, name);
        const found = await unlessMissing(stat(path));
        if (found === undefined || found.mtime >= before) continue;
        await rm(path, { force: true });
        count += 1;
      }
      return count;
    },
    ping: () => createFolder(unfinished).catch(rethrow),
  };
}

type FileTimes = { readonly size: number; readonly mtime: Date };

/** Writes a new file and syncs it to disk; `flush` does so before the file is closed. */
async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, "wx", 0o600);
  const target = file.createWriteStream({ highWaterMark: writeBytes, flush: true });
  await pipeline(content, target);
  const { bytesWritten } = target;
  const { size } = await stat(path);
  if (size === bytesWritten) return size;
  throw storageAway(new Error(`${path} has ${size} bytes instead of ${bytesWritten}`));
}

/** Gives a complete file its name, and syncs the folder, so that the name outlives a loss of power. */
async function moveTo(partial: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createFolder(dirname(path));
      await rename(partial, path);
      break;
    } catch (error) {
      // A concurrent deletion has removed the empty folder, before or while it was needed.
      if (!isMissing(error) || attempt === renameAttempts) throw error;
    }
  }
  await syncFolder(dirname(path));
}

/** Creates a folder with those above it, and syncs the folders that name a new one. */
async function createFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let path = folder; path.length >= first.length; path = dirname(path)) {
    await syncFolder(dirname(path));
  }
}

async function syncFolder(folder: string): Promise<void> {
  // A concurrent deletion may have removed an empty folder.
  const opened = await unlessMissing(open(folder, "r"));
  if (opened === undefined) return;
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function openObject(
  path: string,
  { key, bytes }: { readonly key: string; readonly bytes: number },
  { start, end }: ByteRange = { start: 0, end: bytes },
): Promise<Readable> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    throw isMissing(error) ? new ObjectMissing(key) : translated(error);
  }
  const { size } = await file.stat();
  if (size !== bytes) {
    await file.close();
    throw storageAway(new Error(`${path} has ${size} bytes instead of ${bytes}`));
  }
  const last = Math.min(end, bytes - 1);
  // Without an end, so that a file that grows has too many bytes.
  const content = file.createReadStream({
    highWaterMark: readBytes,
    start,
    ...(end < bytes && { end }),
  });
  return exactly(content, last - start + 1);
}

async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** Faults of a file system, and of the rights to it. */
const faultCodes: ReadonlySet<string | undefined> = new Set([
  "EACCES",
  "EBUSY",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOTDIR",
  "EPERM",
  "EROFS",
  "ESTALE",
]);

/** Returns the error for the caller: SERVICE_UNAVAILABLE for a fault of the file system, otherwise the error itself. */
function translated(error: unknown): unknown {
  if (isDiskFull(error)) return storageFull(error);
  return faultCodes.has(codeOf(error)) ? storageAway(error) : error;
}

function rethrow(error: unknown): never {
  throw translated(error);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

export interface ListObjectsOptions {
  readonly prefix: string;
  /** Only keys after this one. */
  readonly after?: string | undefined;
}

/**
 * Lists the files under a folder as paths, in the order of their keys: the path below `root` with slashes. Names that
 * begin with a dot are left out, and folders without a match are not read.
 */
async function* listFiles(
  root: string,
  options: ListObjectsOptions,
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

function mayMatch(
  key: string,
  isFolder: boolean,
  { prefix, after = "" }: ListObjectsOptions,
): boolean {
  if (!isFolder) return key.startsWith(prefix) && key > after;
  const isUnder = key.startsWith(prefix) || prefix.startsWith(key);
  return isUnder && (key > after || after.startsWith(key));
}
