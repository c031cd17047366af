import type { ComputeBudget } from "../base/compute-budget.ts";
import { type Measure, measure } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";

/** Characters of JSON, about: what one step may add to the journal. */
const outputSizeMax = 4_194_304;
/** What all steps together may hold in memory and in the journal. */
export const totalSizeMax = 33_554_432;
/** Levels of objects and lists in a value that a step gives or is given. */
export const depthMax = 200;
/** Characters that are measured for one unit of a budget. */
const sizePerUnit = 32;
/** Entries of a run's journal. */
const entriesMax = 20_000;

/** The code after which nothing goes on. */
export const tooLarge = "RUN_TOO_LARGE";

/**
 * @param budget what measuring it costs is taken from
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
    throw new RunFault("OUTPUT_TOO_LARGE", "The output of this step is too large to be kept");
  }
  return found;
}

/** @throws RunFault INPUT_TOO_LARGE for what a run is to be begun with */
export function checkInput(input: unknown): void {
  if (measure(input, outputSizeMax).size > outputSizeMax) {
    throw new RunFault("INPUT_TOO_LARGE", "The input of the workflow to be run is too large");
  }
}

/** Counts what a run's journal holds. */
export class JournalSize {
  #entries = 0;
  #size = 0;

  /** @param size of an output, in characters @returns whether the journal holds no more than it may */
  add(size: number): boolean {
    this.#entries += 1;
    this.#size += size;
    return this.#entries <= entriesMax && this.#size <= totalSizeMax;
  }
}

/** What a run that is too large fails with. */
export function runTooLarge(): RunFault {
  return new RunFault(tooLarge, "The steps of this run are more than can be kept");
}
