import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/** Rejected for good: another try would be refused as well. */
const finalCodes: ReadonlySet<string> = new Set(["28P01", "28000", "3D000", "42501"]);
const pauseMs = 500;

/**
 * Opens a pool on a database that answers.
 *
 * @param waitMs how long to wait for a server that is not there yet
 * @throws StartError that names the server, never its password
 */
export async function connectDatabase(
  options: DatabaseOptions,
  waitMs = 15_000,
): Promise<Database> {
  const database = openDatabase(options);
  const until = Date.now() + waitMs;
  for (;;) {
    try {
      await database.query("select 1");
      return database;
    } catch (error) {
      const failure = readPostgresFailure(error);
      const isFinal = failure !== undefined && finalCodes.has(failure.code);
      if (!isFinal && Date.now() + pauseMs < until) {
        await sleep(pauseMs);
        continue;
      }
      await database.close();
      throw new StartError(
        `The database at ${describe(options.url)} cannot be reached: ${reasonOf(error)}.`,
        { cause: error },
      );
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
