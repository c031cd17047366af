import { readPostgresFailure, toAppError } from "./sqlstate.ts";

/** Operations whose statements can process several items at once. */
export interface BatchOptions<Item, Result> {
  /** Processes one item. */
  readonly alone: (item: Item) => Promise<Result>;
  /**
   * Processes two or more items with one statement; returns the results, or promises of them, in the order of the
   * items.
   */
  readonly together: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of items of one statement. Each number of items has its own statement text. */
const sizeMax = 8;
/** Maximum time that an item waits for the previous statement, which a lock may delay, in milliseconds. */
const patienceMs = 20;

/**
 * Joins the items that arrive during a statement into the next one: under load, few statements process many items, and
 * a single caller does not wait. If a statement is rejected or rolled back, each of its items runs alone, so that one
 * item's failure does not affect the others.
 */
export function createBatch<Item, Result>({
  alone,
  together,
}: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const line: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let impatience: NodeJS.Timeout | undefined;

  const next = (): void => {
    clearTimeout(impatience);
    impatience = undefined;
    const batch = line.splice(0, sizeMax);
    if (batch.length === 0) return;
    underWay += 1;
    void carryOut(batch).finally(() => {
      underWay -= 1;
      next();
    });
    if (line.length > 0) impatience = setTimeout(next, patienceMs);
  };
  const carryOut = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    if (batch.length > 1) {
      try {
        const results = await together(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
        return;
      } catch (error) {
        if (mayHaveHappened(error)) {
          for (const { reject } of batch) reject(error);
          return;
        }
      }
    }
    await Promise.all(batch.map(({ item, resolve, reject }) => alone(item).then(resolve, reject)));
  };
  return (item) =>
    new Promise((resolve, reject) => {
      line.push({ item, resolve, reject });
      if (underWay === 0) next();
      else impatience ??= setTimeout(next, patienceMs);
    });
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
