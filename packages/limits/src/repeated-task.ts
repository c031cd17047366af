const pauseMinMs = 10;

/** A task that runs again and again until it is closed. */
export interface RepeatedTask {
  /** Starts no further turn, aborts the signal of the one in progress, and waits for its end. */
  close(): Promise<void>;
}

/**
 * Runs `work` at once and again `pauseMs` after each end, or earlier if it returns a shorter time in milliseconds. A
 * failed turn is reported, and the next one follows.
 */
export function startRepeatedTask(
  pauseMs: number,
  report: (error: unknown) => void,
  work: (signal: AbortSignal) => Promise<number | undefined>,
): RepeatedTask {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const turn = () => {
    running = work(closing.signal)
      .catch((error: unknown) => {
        report(error);
        return undefined;
      })
      .then((dueInMs) => {
        const pause = Math.min(pauseMs, Math.max(pauseMinMs, dueInMs ?? pauseMs));
        if (!closing.signal.aborted) timer = setTimeout(turn, pause).unref();
      });
  };
  turn();
  return {
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
