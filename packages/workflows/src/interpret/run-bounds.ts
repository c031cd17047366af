import type { ComputeBudget } from "../base/compute-budget.ts";
import { type Measure, measure } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";

/** The limit of one step's output in the journal, in characters of JSON, approximately. */
const outputSizeMax = 4_194_304;
/** The limit of all outputs of a run together. */
export const totalSizeMax = 33_554_432;
/** The nesting limit of a step's input or output. */
export const depthMax = 200;
/** Measured characters per unit of a compute budget. */
const sizePerUnit = 32;
/** The limit of entries in a run's journal. */
const entriesMax = 20_000;

/** The code of a fault that no `onError` handles: the run ends. */
export const tooLarge = "RUN_TOO_LARGE";

/**
 * Measures an output and checks its limits.
 *
 * @param budget pays the cost of measuring
 * @throws RunFault OUTPUT_TOO_LARGE, OUTPUT_TOO_DEEP, RUN_TOO_COSTLY
 */
export function checkOutput(output: unknown, budget?: ComputeBudget): Measure {
  const found = measure(output, outputSizeMax, depthMax);
  budget?.charge(Math.ceil(found.size / sizePerUnit));
  if (found.depth > depthMax) {
    const message = `The output of this step is nested more than ${depthMax} levels deep`;
    throw new RunFault("OUTPUT_TOO_DEEP", message);
  }
  if (found.size > outputSizeMax) {
    throw new RunFault("OUTPUT_TOO_LARGE", "The output of this step is too large to store");
  }
  return found;
}

/** Checks the input of a run to start. @throws RunFault INPUT_TOO_LARGE */
export function checkInput(input: unknown): void {
  if (measure(input, outputSizeMax).size > outputSizeMax) {
    throw new RunFault("INPUT_TOO_LARGE", "The input of the workflow to run is too large");
  }
}

/** Counts the entries and the size of a run's journal. */
export class JournalSize {
  #entries = 0;
  #size = 0;

  /** @param size of an output, in characters @returns the fault of a run that exceeds its limits */
  add(size: number): RunFault | undefined {
    this.#entries += 1;
    this.#size += size;
    if (this.#entries > entriesMax) {
      return new RunFault(
        tooLarge,
        `A run has at most ${entriesMax} steps, those of its loops included`,
      );
    }
    if (this.#size <= totalSizeMax) return undefined;
    return new RunFault(
      tooLarge,
      `The outputs of this run's steps have more than ${totalSizeMax} characters together`,
    );
  }
}
