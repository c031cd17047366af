/** Operations that can process several items at once. */
export interface MicroBatchOptions<Item, Result> {
  readonly alone: (item: Item) => Promise<Result>;
  /**
   * Processes two or more items with one operation; returns the results, or promises of them, in the order of the
   * items.
   */
  readonly together: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
  /** Whether an operation that failed with this error may still have taken effect. Its items are not repeated then. */
  readonly mayHaveHappened: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of items of one operation. */
const sizeMax = 8;
/** Maximum time that an item waits for the previous operation, which a lock may delay, in milliseconds. */
const patienceMs = 20;

/**
 * Joins the items that arrive during an operation into the next one: under load, few operations process many items, and
 * a single caller does not wait. If an operation fails without effect, each of its items runs alone, so that one item's
 * failure does not affect the others. (`dataloader` collects by turns of the event loop, which delays a single caller.)
 */
export function createMicroBatch<Item, Result>({
  alone,
  together,
  mayHaveHappened,
}: MicroBatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const line: Waiting<Item, Result>[] = [];
  let inProgress = 0;
  let impatience: NodeJS.Timeout | undefined;

  const next = (): void => {
    clearTimeout(impatience);
    impatience = undefined;
    const batch = line.splice(0, sizeMax);
    if (batch.length === 0) return;
    inProgress += 1;
    void carryOut(batch).finally(() => {
      inProgress -= 1;
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
      if (inProgress === 0) next();
      else impatience ??= setTimeout(next, patienceMs);
    });
}
