import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Returns the text of a file that only its owner may read and that is written once. A failed write, on a full disk for
 * instance, leaves no file; of several concurrent writers, one wins.
 *
 * @param make returns the text; called only if there is no file yet
 * @throws the error of the file system
 */
export async function keepFile(path: string, make: () => string): Promise<string> {
  const kept = await readKept(path);
  if (kept !== undefined) return kept;
  await createFileIfMissing(path, make());
  return (await readKept(path)) ?? "";
}

/**
 * Creates a file with its complete text or not at all.
 *
 * @returns whether the file did not exist before
 */
export async function createFileIfMissing(path: string, text: string): Promise<boolean> {
  const partial = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const file = await open(partial, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await claim(partial, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

/** Renames a file unless the target exists. File systems without hard links (exFAT) cannot detect that atomically. */
async function claim(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error))) throw error;
    if ((await readKept(path)) === undefined) await rename(partial, path);
  }
}

/**
 * Flushes the folder, so that the file name survives a crash of the machine like the text does. Windows has no such
 * call.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
