import type { AnswerBudget, Lease } from "./answer-budget.ts";

/** The lease of one response in the budget of this process. A repeated attempt replaces it by a larger one. */
export class Reservation {
  readonly #budget: AnswerBudget;
  #lease: Lease | null = null;

  constructor(budget: AnswerBudget) {
    this.#budget = budget;
  }

  /** Null for a small response. */
  get lease(): Lease | null {
    return this.#lease;
  }

  /** Reserved bytes, 0 without a lease. */
  get bytes(): number {
    return this.#lease?.bytes ?? 0;
  }

  /**
   * Replaces the lease.
   *
   * @param bytesMax of all leases together
   * @throws AppError SERVICE_UNAVAILABLE if the bytes are not free within 10 seconds
   */
  async reserve(bytes: number, bytesMax: number): Promise<void> {
    this.release();
    this.#lease = await this.#budget.reserve(bytes, bytesMax);
  }

  release(): void {
    this.#lease?.release();
    this.#lease = null;
  }
}
