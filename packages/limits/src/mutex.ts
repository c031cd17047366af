/** A lock that is granted in the order in which it was requested. */
export interface Mutex {
  /** Waits until the caller holds the lock. @returns a function that releases it */
  acquire(): Promise<() => void>;
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return {
    acquire: async () => {
      const before = last;
      let release = () => {};
      last = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      return release;
    },
  };
}
