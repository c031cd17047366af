/** A number of places that are taken in the order in which they were asked for. */
export interface Slots {
  /** Runs `work` once a place is free. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Those that wait for a place. */
  readonly waiting: () => number;
}

/** `count` places. */
export function createSlots(count: number): Slots {
  let free = count;
  const line: (() => void)[] = [];
  const take = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => line.push(resolve));
  };
  const leave = (): void => {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    within: async (work) => {
      await take();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    waiting: () => line.length,
  };
}
