import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { commandOf } from "./process-table.ts";

/** What a server says of itself in its data folder. */
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
 * Stops a server that outlived the process which had started it (which was killed, or lost its machine). A file that is
 * left of a server that is gone, or whose number another process has by now, is removed.
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
