import { RunFault } from "./run-fault.ts";

/**
 * The cost limit of one expression, in units of the evaluator: one unit for each node that it evaluates. Measured: at
 * most 130 ms for the most expensive operations, 20 ms for common ones.
 */
export const expressionCostMax = 1_000_000;

/** The cost limit of all expressions and templates of one claim together. */
const claimCostMax = 50_000_000;

/** The cost limit for a reader of a run's history, who computes the inputs of its steps again. */
export const readerCostMax = 5_000_000;

/** The code of a fault that no `onError` handles: the run ends. */
export const tooCostly = "RUN_TOO_COSTLY";

/** Counts the computing cost of one claim: expressions, templates, and measuring their results. */
export class ComputeBudget {
  #left: number;

  constructor(max: number = claimCostMax) {
    this.#left = max;
  }

  /** The cost limit of the next expression. */
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
