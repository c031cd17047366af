import type { Pending } from "../interpret/machine.ts";

/** The longest delay of a Node timer, in milliseconds. */
export const timerMaxMs = 2_147_483_647;

/** The moments and signals that a run waits for, on the clock of `performance`. */
export class DueList {
  readonly #dueAt = new Map<Pending, number | null>();

  get size(): number {
    return this.#dueAt.size;
  }

  /** @param dueInMs from now; null to wait for a signal only */
  add(pending: Pending, dueInMs: number | null): void {
    this.#dueAt.set(pending, dueInMs === null ? null : performance.now() + dueInMs);
  }

  /** Returns the request that is due, the first added first. */
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

  /** Returns milliseconds until the first moment; null if there is none. */
  nextInMs(): number | null {
    const moments = [...this.#dueAt].flatMap(([pending, dueAt]) =>
      pending.withdrawn || dueAt === null ? [] : [dueAt],
    );
    return moments.length === 0 ? null : Math.max(0, Math.min(...moments) - performance.now());
  }
}
