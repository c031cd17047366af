import type { Priority } from "../definition/definition.ts";

/** A number of places that are taken by priority, and then in the order in which they were asked for. */
export interface Slots {
  /** Runs `work` once a place is free. */
  within<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result>;
  /** Takes a place that is free now; what is given back leaves it. Undefined where there is none. */
  takeFree(): (() => void) | undefined;
  /** Those that wait for a place. */
  readonly waiting: () => number;
}

/** `count` places. */
export function createSlots(count: number): Slots {
  let free = count;
  let waiting = 0;
  const lines: Readonly<Record<Priority, (() => void)[]>> = { HIGH: [], NORMAL: [], LOW: [] };
  const take = (priority: Priority): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    waiting += 1;
    return new Promise((resolve) => lines[priority].push(resolve));
  };
  const leave = (): void => {
    const next = lines.HIGH.shift() ?? lines.NORMAL.shift() ?? lines.LOW.shift();
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
