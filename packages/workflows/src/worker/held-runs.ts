import type { Database } from "@rowhouse/db";
import type { Priority } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import { keepLeases } from "../run/keep-lease.ts";

/** A run that this worker has claimed. */
export interface HeldRun {
  readonly runId: string;
  readonly fence: string;
  readonly priority: Priority;
  /** Aborts when another worker holds the run. */
  readonly controller: AbortController;
  /** Aborts when the worker stops and waits no longer for the steps in progress. */
  readonly handBack: AbortController;
  /** On the clock of `performance`. */
  readonly claimedAt: number;
  /** When the lease was last requested, on the clock of `performance`. */
  renewedAt: number;
  /** When the run last began or recorded something, on the clock of `performance`. */
  movedAt: number;
  /** When a lease that may have expired was last renewed, on the clock of `performance`. */
  lapsedAt: number;
}

/** The runs that a worker holds. Renews their leases until they are removed. */
export class HeldRuns {
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #report: (error: unknown) => void;
  readonly #runs = new Set<HeldRun>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(database: Database, leaseMs: number, report: (error: unknown) => void) {
    this.#database = database;
    this.#leaseMs = leaseMs;
    this.#report = report;
    this.#heartbeat = setInterval(() => this.#renewDue(), leaseMs / 4).unref();
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Hands back all runs that are still held. */
  handBack(): void {
    for (const held of this.#runs) held.handBack.abort();
  }

  /** Returns for how long the run that has moved least has begun and recorded nothing, in seconds; 0 without runs. */
  stillSeconds(): number {
    const now = performance.now();
    return Math.max(0, ...Array.from(this.#runs, ({ movedAt }) => now - movedAt)) / 1000;
  }

  /** @param askedAt when the lease was requested, on the clock of `performance` */
  add({ runId, fence, priority }: Claim, askedAt: number): HeldRun {
    const held: HeldRun = {
      runId,
      fence,
      priority,
      controller: new AbortController(),
      handBack: new AbortController(),
      claimedAt: performance.now(),
      renewedAt: askedAt,
      movedAt: performance.now(),
      lapsedAt: Number.NEGATIVE_INFINITY,
    };
    this.#runs.add(held);
    return held;
  }

  remove(held: HeldRun): void {
    this.#runs.delete(held);
  }

  /**
   * Whether the lease may have expired since a moment, as far as this process can tell.
   *
   * @param since on the clock of `performance`
   */
  isLate(held: HeldRun, since: number): boolean {
    return held.lapsedAt >= since || this.#mayHaveExpired(held, performance.now());
  }

  close(): void {
    clearInterval(this.#heartbeat);
  }

  #mayHaveExpired({ renewedAt }: HeldRun, now: number): boolean {
    return now - renewedAt >= this.#leaseMs;
  }

  #renewDue(): void {
    const now = performance.now();
    const due = [...this.#runs].filter(({ renewedAt }) => now - renewedAt >= this.#leaseMs / 4);
    if (due.length > 0) this.#renew(due).catch((error: unknown) => this.#report(error));
  }

  async #renew(due: readonly HeldRun[]): Promise<void> {
    const askedAt = performance.now();
    const renewed = await keepLeases(this.#database, due, this.#leaseMs);
    for (const held of due) {
      if (renewed.has(held.runId)) {
        if (this.#mayHaveExpired(held, askedAt)) held.lapsedAt = askedAt;
        held.renewedAt = askedAt;
      } else if (this.#runs.has(held)) held.controller.abort();
    }
  }
}
