import type { WakeUp } from "../queue/wake-up-queue.ts";

/** A wake-up that is due later than this is left to the reconciler. */
const timerMaxMs = 60_000;

/** Wakes parked runs on time. If this process exits first, the reconciler wakes them. */
export class WakeTimers {
  readonly #wake: (wakeUp: WakeUp) => void;
  /** By the run that each one wakes. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(wake: (wakeUp: WakeUp) => void) {
    this.#wake = wake;
  }

  /** @param dueInMs from now */
  add(wakeUp: WakeUp, dueInMs: number): void {
    if (dueInMs > timerMaxMs) return;
    clearTimeout(this.#timers.get(wakeUp.runId));
    const timer = setTimeout(() => {
      this.#timers.delete(wakeUp.runId);
      this.#wake(wakeUp);
    }, dueInMs).unref();
    this.#timers.set(wakeUp.runId, timer);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
