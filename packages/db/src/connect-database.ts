import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/** Rejected for good: another try would be refused as well. */
const finalCodes: ReadonlySet<string> = new Set(["28P01", "28000", "3D000", "42501"]);
const pauseMs = 500;
const sayMs = 3000;

/** How a start waits for a server that is not there yet. */
export interface DatabaseWait {
  /** How long; 15 s if not given. */
  readonly waitMs?: number;
  /** Hears, every few seconds of waiting, a sentence that says for what. */
  readonly onWait?: (sentence: string) => void;
  /** Ends the wait at once. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a pool on a database that answers.
 *
 * @throws StartError that names the server, never its password
 */
export async function connectDatabase(
  options: DatabaseOptions,
  { waitMs = 15_000, onWait, signal }: DatabaseWait = {},
): Promise<Database> {
  const database = openDatabase(options);
  const place = describe(options.url);
  const until = Date.now() + waitMs;
  let said = 0;
  for (;;) {
    try {
      await database.query("select 1");
      return database;
    } catch (error) {
      const failure = readPostgresFailure(error);
      const isFinal = failure !== undefined && finalCodes.has(failure.code);
      const isOver = isFinal || Date.now() + pauseMs >= until || signal?.aborted === true;
      if (isOver) {
        await database.close();
        throw new StartError(`The database at ${place} cannot be reached: ${reasonOf(error)}.`, {
          cause: error,
        });
      }
      if (Date.now() - said >= sayMs) {
        said = Date.now();
        const seconds = Math.ceil((until - said) / 1000);
        onWait?.(`Waiting up to ${seconds} s for the database at ${place}: ${reasonOf(error)}`);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

function describe(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return "connection refused";
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
