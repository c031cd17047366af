import type { Priority } from "../definition/definition.ts";

/** A semaphore that grants slots by priority, and in order of arrival within one priority. */
export interface Slots {
  /** Waits for a free slot and runs `work` in it. */
  within<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result>;
  /** Takes a free slot. @returns a function that releases it; undefined if no slot is free */
  takeFree(): (() => void) | undefined;
  /** The number of waiting callers. */
  readonly waiting: () => number;
}

/** Creates a semaphore with `count` slots. */
export function createSlots(count: number): Slots {
  let free = count;
  let waiting = 0;
  const waiters: Readonly<Record<Priority, (() => void)[]>> = { HIGH: [], NORMAL: [], LOW: [] };
  const take = (priority: Priority): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    waiting += 1;
    return new Promise((resolve) => waiters[priority].push(resolve));
  };
  const leave = (): void => {
    const next = waiters.HIGH.shift() ?? waiters.NORMAL.shift() ?? waiters.LOW.shift();
    if (next === undefined) free += 1;
    else {
      waiting -= 1;
      next();
    }
  };
  return {
    takeFree: () => {
      if (free === 0) return undefined;
      free -= 1;
      return leave;
    },
    within: async (priority, work) => {
      await take(priority);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    waiting: () => waiting,
  };
}
