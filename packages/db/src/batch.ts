import { createMicroBatch, type MicroBatchOptions } from "@rowhouse/limits";
import { readPostgresFailure, toAppError } from "./sqlstate.ts";

/**
 * Joins the items that arrive during a statement into the next one. If a statement is rejected or rolled back, each of
 * its items runs alone. Each number of items has its own statement text.
 */
export function createBatch<Item, Result>(
  operations: Omit<MicroBatchOptions<Item, Result>, "mayHaveHappened">,
): (item: Item) => Promise<Result> {
  return createMicroBatch({ ...operations, mayHaveHappened });
}

/**
 * Returns whether a failed statement may still have taken effect. It may, unless the server reported that it was
 * rolled back.
 */
function mayHaveHappened(error: unknown): boolean {
  const wasUndone = /^40(?:001|P01)$/.test(readPostgresFailure(error)?.code ?? "");
  return toAppError(error).code === "SERVICE_UNAVAILABLE" && !wasUndone;
}

/** Caches the statement's text for each number of items; under load the same texts are requested repeatedly. */
export function sqlForEach(make: (count: number) => string): (count: number) => string {
  const texts: string[] = [];
  return (count) => {
    texts[count] ??= make(count);
    return texts[count];
  };
}

/**
 * Returns a `values` list with one row for each item. Each row has parameters of these types, numbered in sequence
 * from `first`.
 */
export function valuesSql(types: readonly string[], count: number, first = 1): string {
  const rows = Array.from({ length: count }, (_, row) =>
    types
      .map((type, column) => `$${first + row * types.length + column}::text::${type}`)
      .join(", "),
  );
  return `values ${rows.map((row) => `(${row})`).join(", ")}`;
}
