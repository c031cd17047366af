import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { commandOf } from "./process-table.ts";

/** The state that a server records in its data folder. */
export interface PostmasterFile {
  readonly pid: number;
  readonly ready: boolean;
}

/** Reads `postmaster.pid`, which a server writes when it starts and removes when it has stopped. */
export async function readPostmasterFile(dataFolder: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(fileIn(dataFolder), "utf8")).split("\n");
    const pid = Number(lines[0]);
    // The eighth line is the state: starting, stopping, ready, standby.
    return Number.isInteger(pid) && pid > 0
      ? { pid, ready: lines[7]?.trim() === "ready" }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops a server whose parent process died, for instance by SIGKILL or a crash of the machine. If the file is stale,
 * because the server is gone or its id belongs to another process, it is removed.
 */
export async function stopOrphan(dataFolder: string, timeoutMs: number): Promise<void> {
  const found = await readPostmasterFile(dataFolder);
  if (found === undefined) return;
  if (commandOf(found.pid)?.includes(dataFolder) === true) {
    process.kill(found.pid, "SIGINT");
    const until = Date.now() + timeoutMs;
    while (commandOf(found.pid)?.includes(dataFolder) === true) {
      if (Date.now() > until) {
        throw new Error(
          `A PostgreSQL server of an earlier start (process ${found.pid}) does not stop`,
        );
      }
      await delay(20);
    }
  }
  await rm(fileIn(dataFolder), { force: true });
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, "postmaster.pid");
}
