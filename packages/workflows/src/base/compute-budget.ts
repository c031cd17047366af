import { RunFault } from "./run-fault.ts";

/**
 * What one expression may cost, in units of the evaluator: one for each node that it evaluates. Measured as at most
 * 130 ms for the dearest operations, 20 ms for common ones.
 */
export const expressionCostMax = 1_000_000;

/** What all expressions and templates of one claim may cost together. */
const claimCostMax = 50_000_000;

/** What a reader of a run's history may spend on working its inputs out. */
export const readerCostMax = 5_000_000;

/** The code after which nothing goes on. */
export const tooCostly = "RUN_TOO_COSTLY";

/** Counts the computing of one claim: expressions, templates, and the measuring of what they give. */
export class ComputeBudget {
  #left: number;

  constructor(max: number = claimCostMax) {
    this.#left = max;
  }

  /** What the next expression may cost. */
  get forExpression(): number {
    return Math.min(expressionCostMax, this.#left);
  }

  /** @throws RunFault RUN_TOO_COSTLY */
  charge(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) {
      throw new RunFault(
        tooCostly,
        "The conditions and templates of this run cost too much to evaluate",
      );
    }
  }
}
