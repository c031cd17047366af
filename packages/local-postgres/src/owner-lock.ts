import { readFile, rm } from "node:fs/promises";
import { createFileIfMissing } from "./keep-file.ts";
import { commandOf } from "./process-table.ts";

/** Another process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

interface Owner {
  readonly pid: number;
  readonly command: string;
}

/**
 * Takes a file as a lock for this process. A lock of a dead owner is taken over. A process id that now belongs to
 * another program does not count as the owner.
 *
 * @returns a function that releases the lock
 * @throws FolderInUse naming the process that holds it
 */
export async function takeOwnerLock(file: string): Promise<() => Promise<void>> {
  const owner: Owner = { pid: process.pid, command: commandOf(process.pid) ?? "" };
  for (let attempt = 0; attempt < 3; attempt++) {
    // The file appears with its complete text: another process treats an unreadable lock as one of a dead owner.
    if (await createFileIfMissing(file, JSON.stringify(owner)))
      return () => rm(file, { force: true });
    const holder = await readOwner(file);
    if (
      holder !== undefined &&
      holder.pid !== process.pid &&
      commandOf(holder.pid) === holder.command
    ) {
      throw new FolderInUse(`The folder is in use by process ${holder.pid}`);
    }
    await rm(file, { force: true });
  }
  throw new Error(`The lock ${file} cannot be taken`);
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}
