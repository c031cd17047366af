import { readPostgresFailure, toAppError } from "./sqlstate.ts";

/** What is done by statements that may each do it for several at once. */
export interface BatchOptions<Item, Result> {
  /** Does it for one. */
  readonly alone: (item: Item) => Promise<Result>;
  /** Does it for two or more by one statement; the results, or what leads to them, are in the order of the items. */
  readonly together: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Items of one statement, at most: each number of them is a statement's text of its own. */
const sizeMax = 8;
/** How long an item waits for the statement before it, which a lock may hold up, in milliseconds. */
const patienceMs = 20;

/**
 * Joins what arrives while a statement is under way into the next one: under load, few statements do the work of many, and a
 * single caller waits for nobody. Where a statement fails for what is asked of it, or was undone for what others held, each of its
 * items is tried alone, so that no one's fault is another's.
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

/** Whether a statement may have taken effect although it failed: nobody knows, unless the server has said that it was undone. */
function mayHaveHappened(error: unknown): boolean {
  const wasUndone = /^40(?:001|P01)$/.test(readPostgresFailure(error)?.code ?? "");
  return toAppError(error).code === "SERVICE_UNAVAILABLE" && !wasUndone;
}

/** The statement's text for each number of items, made once: under load each is asked for again and again. */
export function sqlForEach(make: (count: number) => string): (count: number) => string {
  const texts: string[] = [];
  return (count) => {
    texts[count] ??= make(count);
    return texts[count];
  };
}

/** `values` of as many rows as there are items, each of parameters of these types, one after the other from number `first` on. */
export function valuesSql(types: readonly string[], count: number, first = 1): string {
  const rows = Array.from({ length: count }, (_, row) =>
    types
      .map((type, column) => `$${first + row * types.length + column}::text::${type}`)
      .join(", "),
  );
  return `values ${rows.map((row) => `(${row})`).join(", ")}`;
}
