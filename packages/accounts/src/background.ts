/** Work that nobody waits for, so that how long it takes, or whether there is any, shows in no answer. */
export interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves once everything that was started has ended. */
  idle(): Promise<void>;
}

const atOnceMax = 4;
const waitingMax = 1000;

/**
 * Runs work a few at a time. Where too much waits already, more is refused, and reported.
 *
 * @param report hears of work that failed or was refused
 */
export function createBackground(report: (error: unknown) => void): Background {
  const waiting: (() => Promise<unknown>)[] = [];
  const runners = new Set<Promise<void>>();

  const runAll = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      await work().catch(report);
    }
  };
  return {
    run: (work) => {
      if (waiting.length >= waitingMax) {
        report(new Error("Too much waits in the background; some of it was left undone"));
        return;
      }
      waiting.push(work);
      if (runners.size >= atOnceMax) return;
      const runner: Promise<void> = runAll().finally(() => runners.delete(runner));
      runners.add(runner);
    },
    idle: async () => {
      while (runners.size > 0) await Promise.all(runners);
    },
  };
}
