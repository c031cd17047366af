import PQueue from "p-queue";

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
  const queue = new PQueue({ concurrency: atOnceMax });
  return {
    run: (work) => {
      if (queue.size < waitingMax) void queue.add(() => work().catch(report));
      else report(new Error("The background queue is full; a task was dropped"));
    },
    idle: () => queue.onIdle(),
  };
}
