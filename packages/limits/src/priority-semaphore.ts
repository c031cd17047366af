/** A semaphore that grants permits by priority, and in order of arrival within one priority. */
export interface PrioritySemaphore<Priority extends string> {
  /** Waits for a permit and runs `work` with it. */
  within<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result>;
  /** Takes a free permit. @returns a function that releases it; undefined if no permit is free */
  takeFree(): (() => void) | undefined;
  /** The number of waiting callers. */
  readonly waiting: () => number;
}

/**
 * Creates a semaphore with `permits` permits. (A queue such as `p-queue` grants no permit to work that another module
 * starts later.)
 *
 * @param priorities from the highest to the lowest
 */
export function createPrioritySemaphore<Priority extends string>(
  permits: number,
  priorities: readonly Priority[],
): PrioritySemaphore<Priority> {
  let free = permits;
  let waiting = 0;
  const waiters = new Map(priorities.map((priority) => [priority, [] as (() => void)[]]));
  const take = (priority: Priority): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    waiting += 1;
    return new Promise((resolve) => waiters.get(priority)?.push(resolve));
  };
  const release = (): void => {
    for (const line of waiters.values()) {
      const next = line.shift();
      if (next === undefined) continue;
      waiting -= 1;
      next();
      return;
    }
    free += 1;
  };
  return {
    takeFree: () => {
      if (free === 0) return undefined;
      free -= 1;
      return release;
    },
    within: async (priority, work) => {
      await take(priority);
      try {
        return await work();
      } finally {
        release();
      }
    },
    waiting: () => waiting,
  };
}
