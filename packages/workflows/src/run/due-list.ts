import type { Pending } from "../interpret/machine.ts";

/** The longest that a timer of Node's waits. */
export const timerMaxMs = 2_147_483_647;

/** Moments and signals that a run waits for, on the clock of `performance`. */
export class DueList {
  readonly #dueAt = new Map<Pending, number | null>();

  get size(): number {
    return this.#dueAt.size;
  }

  /** @param dueInMs from now; null for a signal alone */
  add(pending: Pending, dueInMs: number | null): void {
    this.#dueAt.set(pending, dueInMs === null ? null : performance.now() + dueInMs);
  }

  /** Of those whose moment has come, the one that was added first. */
  now(): Pending | undefined {
    for (const [pending, dueAt] of this.#dueAt) {
      if (pending.withdrawn) this.#dueAt.delete(pending);
      else if (dueAt !== null && dueAt <= performance.now()) return pending;
    }
    return undefined;
  }

  remove(pending: Pending): void {
    this.#dueAt.delete(pending);
  }

  /** Until the first moment, in milliseconds; null where there is none. */
  nextInMs(): number | null {
    const moments = [...this.#dueAt].flatMap(([pending, dueAt]) =>
      pending.withdrawn || dueAt === null ? [] : [dueAt],
    );
    return moments.length === 0 ? null : Math.max(0, Math.min(...moments) - performance.now());
  }
}
