/** Work of which one turn runs at a time. */
export interface SerialTask {
  /** Runs a turn soon; during a turn, one more after it, however often this is called. */
  trigger(): void;
  /** Resolves once no turn is running or due. */
  idle(): Promise<void>;
}

/**
 * Joins what arrives while a turn runs into the next turn: under load, few turns do the work of many calls.
 *
 * @param report hears of a turn that threw
 */
export function createSerialTask(
  turn: () => Promise<void>,
  report: (error: unknown) => void,
): SerialTask {
  let due = false;
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    // The first turn waits for the callers of this moment.
    await Promise.resolve();
    while (due) {
      due = false;
      try {
        await turn();
      } catch (error) {
        report(error);
      }
    }
    running = undefined;
  };
  return {
    trigger: () => {
      due = true;
      running ??= run();
    },
    idle: async () => {
      await running;
    },
  };
}
