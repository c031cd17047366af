/** A place that one at a time may have, in the order in which it was asked for. */
export interface Turns {
  /** Resolves once it is one's turn. @returns what ends the turn */
  take(): Promise<() => void>;
}

/** A place that is free. */
export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take: async () => {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      await before;
      return end;
    },
  };
}
