import type { Database } from "@rowhouse/db";
import { startRepeatedTask } from "@rowhouse/limits";
import type { Storage } from "../storage/storage.ts";
import { createClamdScanner } from "./clamd-scanner.ts";
import { createHookScanner, type SendToHook } from "./hook-scanner.ts";
import { claimScan, type DueScan, finishScan, repeatScan } from "./scan-records.ts";
import type { Scanner, ScanVerdict } from "./scanner.ts";

/** Scans at once of one worker, so that a large file does not hold up all others. */
const scansAtOnce = 3;
const pauseMsDefault = 2000;

export interface FileScanDeps {
  readonly database: Database;
  readonly storage: Storage;
  /** The setting `files.scan_url`; without it, files in quarantine stay there. */
  readonly scanUrl: () => Promise<string | null>;
  readonly send: SendToHook;
  readonly report: (error: unknown) => void;
  readonly pauseMs?: number;
}

/** Starts the scans of files in quarantine. Every worker may run them. */
export function startFileScans(deps: FileScanDeps): { close(): Promise<void> } {
  const { report, pauseMs = pauseMsDefault } = deps;
  const tasks = Array.from({ length: scansAtOnce }, () =>
    startRepeatedTask(pauseMs, report, (signal) => scanNext(deps, signal)),
  );
  return {
    close: async () => {
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}

/** @returns 0 if another scan can be due */
async function scanNext(deps: FileScanDeps, signal: AbortSignal): Promise<number | undefined> {
  const url = await deps.scanUrl();
  if (url === null) return undefined;
  const { database, report } = deps;
  const due = await claimScan(database);
  if (due === undefined) return undefined;
  try {
    await finishScan(database, due, await scan(deps, url, due, signal));
  } catch (error) {
    await repeatScan(database, due, signal.aborted);
    if (!signal.aborted) {
      report(new Error(`The scan of the file ${due.fileId} has no verdict`, { cause: error }));
    }
  }
  return 0;
}

async function scan(
  { storage, send }: FileScanDeps,
  url: string,
  { storageKey, bytes, timeoutMs }: DueScan,
  signal: AbortSignal,
): Promise<ScanVerdict> {
  const content = await storage.get(storageKey);
  try {
    return await scannerAt(url, send).scan({ content, bytes, timeoutMs, signal });
  } finally {
    content.destroy();
  }
}

function scannerAt(url: string, send: SendToHook): Scanner {
  const parsed = new URL(url);
  return parsed.protocol === "clamd:" ? createClamdScanner(parsed) : createHookScanner(url, send);
}
