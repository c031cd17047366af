/** A task of which one turn runs at a time. */
export interface SerialTask {
  /** Starts a turn soon. During a turn, any number of calls schedules one more turn after it. */
  trigger(): void;
  /** Resolves once no turn is running or scheduled. */
  idle(): Promise<void>;
}

/**
 * Combines calls that arrive during a turn into the next turn. Under load, a few turns serve many calls.
 *
 * @param report receives the error of a turn that threw
 */
export function createSerialTask(
  turn: () => Promise<void>,
  report: (error: unknown) => void,
): SerialTask {
  let due = false;
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    // The first turn also serves calls that arrive in the same tick.
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
