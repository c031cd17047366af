import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";

/** A new limit costs a statement, so a limit stays until this part of its time has passed. */
const passedMin = 0.1;

/** Limits of all statements of a batch together: their time, and the presence of their caller. */
export class BatchLimits {
  readonly #deadline: number;
  readonly #isAbandoned: () => boolean;
  /** The time limit of the next statement in PostgreSQL, in milliseconds. */
  #limitMs: number;

  constructor(settings: Settings, isAbandoned: () => boolean) {
    this.#limitMs = settings["data.statement_timeout_ms"];
    this.#deadline = performance.now() + this.#limitMs;
    this.#isAbandoned = isAbandoned;
  }

  /**
   * Limits the next statement of the batch to the time that the earlier ones left. Otherwise a batch would hold its
   * locks for twice the time.
   *
   * @throws AppError QUERY_TIMEOUT; SERVICE_UNAVAILABLE if the caller has left
   */
  async require(transaction: Queryable): Promise<void> {
    if (this.#isAbandoned()) throw createError("SERVICE_UNAVAILABLE");
    const leftMs = Math.ceil(this.#deadline - performance.now());
    if (leftMs <= 0) throw createError("QUERY_TIMEOUT");
    if (leftMs > this.#limitMs * (1 - passedMin)) return;
    const text = "select pg_catalog.set_config('statement_timeout', $1::text, true)";
    await transaction.query(text, [String(leftMs)], { prepare: true });
    this.#limitMs = leftMs;
  }
}
