/**
 * Work outside the request. No response waits for it, so no response time reveals whether there is work or how long it
 * takes.
 */
export interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves once all started work has ended. */
  idle(): Promise<void>;
}

const atOnceMax = 4;
const waitingMax = 1000;

/**
 * Runs a few tasks at a time. When the queue is full, further tasks are rejected and reported.
 *
 * @param report receives the error of a task that failed or was rejected
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
        report(new Error("The background queue is full; a task was dropped"));
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
