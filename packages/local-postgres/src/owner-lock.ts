import { readFile, rm } from "node:fs/promises";
import { createFile } from "./keep-file.ts";
import { commandOf } from "./process-table.ts";

/** Another process has the folder. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

interface Owner {
  readonly pid: number;
  readonly command: string;
}

/**
 * Takes a file as a lock for this process. A lock whose owner is gone is taken over; a process id that has come to
 * belong to another program does not count as its owner.
 *
 * @returns what gives the lock back
 * @throws FolderInUse naming the process that holds it
 */
export async function takeOwnerLock(file: string): Promise<() => Promise<void>> {
  const owner: Owner = { pid: process.pid, command: commandOf(process.pid) ?? "" };
  for (let attempt = 0; attempt < 3; attempt++) {
    // With all of its text at once: another process takes a lock that it cannot read for one whose owner is gone.
    if (await createFile(file, JSON.stringify(owner))) return () => rm(file, { force: true });
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
