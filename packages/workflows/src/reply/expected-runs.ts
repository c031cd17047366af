import type { EndedRun } from "../model/run.ts";

export interface Expectation {
  /**
   * Resolves with the run once it has ended; with undefined after the wait time or when the signal aborts.
   *
   * @param waitMs the wait time from now, in milliseconds
   */
  ended(waitMs: number, signal?: AbortSignal): Promise<EndedRun | undefined>;
  forget(): void;
}

/** The callers of this process that wait for runs; several may wait for one run. */
export class ExpectedRuns {
  readonly #callers = new Map<string, Set<(ended: EndedRun) => void>>();

  get ids(): string[] {
    return [...this.#callers.keys()];
  }

  has(runId: string): boolean {
    return this.#callers.has(runId);
  }

  /** Notifies the callers that wait for the run. */
  settle(ended: EndedRun): void {
    for (const notify of this.#callers.get(ended.id) ?? []) notify(ended);
  }

  add(runId: string): Expectation {
    const callers = this.#callers.get(runId) ?? new Set();
    this.#callers.set(runId, callers);
    let notify: (ended: EndedRun) => void = () => {};
    const ended = new Promise<EndedRun>((resolve) => {
      notify = resolve;
      callers.add(notify);
    });
    const forget = () => {
      callers.delete(notify);
      if (callers.size === 0 && this.#callers.get(runId) === callers) this.#callers.delete(runId);
    };
    return {
      ended: (waitMs, signal) => firstOf(ended, waitMs, signal).finally(forget),
      forget,
    };
  }
}

function firstOf(
  ended: Promise<EndedRun>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<EndedRun | undefined> {
  return new Promise((resolve) => {
    const finish = (result: EndedRun | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(result);
    };
    const abort = () => finish(undefined);
    const timer = setTimeout(abort, waitMs);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    ended.then(finish, abort);
  });
}
