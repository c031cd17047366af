import { DrizzleQueryError } from "drizzle-orm";
import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";

/** Drizzle over the `system` schema. It writes statements; the pool or the transaction behind it executes them. */
export type Orm = PgRemoteDatabase;

/** Executes one statement and returns the values of each row in the order of its columns. */
export type RunValues = (text: string, parameters: (string | null)[]) => Promise<unknown[][]>;

/**
 * Creates a Drizzle that sends its statements through `run`. Drizzle's own adapter of the driver bypasses the limits of
 * the pool, replaces parsers of the client, and parses JSON texts twice: the stored text `"1"` becomes a number.
 */
export function createOrm(run: RunValues): Orm {
  return drizzle(async (text, parameters: readonly unknown[]) => ({
    rows: await run(text, parameters.map(toParameter)),
  }));
}

/**
 * Returns the error that Drizzle wrapped. Its wrapper contains the parameters of the statement, and therefore secrets;
 * only the wrapped error may be passed on.
 */
export function withoutParameters(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

function toParameter(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
    return String(value);
  }
  throw new TypeError("A parameter must be a text, a number, a boolean or null");
}
