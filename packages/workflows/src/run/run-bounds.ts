import { exceedsSize, sizeOf } from "../json.ts";
import { RunFault } from "./run-fault.ts";

/** Characters of JSON, about: what one step may add to the journal. */
const outputSizeMax = 4_194_304;
/** What all steps together may hold in memory and in the journal. */
const totalSizeMax = 33_554_432;
/** Entries of a run's journal. */
const entriesMax = 20_000;

/** The code after which nothing goes on. */
export const tooLarge = "RUN_TOO_LARGE";

/** @throws RunFault OUTPUT_TOO_LARGE */
export function checkOutput(output: unknown): void {
  if (exceedsSize(output, outputSizeMax)) {
    throw new RunFault("OUTPUT_TOO_LARGE", "The output of this step is too large to be kept");
  }
}

/** @throws RunFault INPUT_TOO_LARGE for what a run is to be begun with */
export function checkInput(input: unknown): void {
  if (exceedsSize(input, outputSizeMax)) {
    throw new RunFault("INPUT_TOO_LARGE", "The input of the workflow to be run is too large");
  }
}

/** Counts what a run's journal holds. */
export class JournalSize {
  #entries = 0;
  #size = 0;

  /** @returns whether the journal holds no more than it may */
  add(output: unknown): boolean {
    this.#entries += 1;
    this.#size += sizeOf(output, totalSizeMax);
    return this.#entries <= entriesMax && this.#size <= totalSizeMax;
  }
}

/** What a run that is too large fails with. */
export function runTooLarge(): RunFault {
  return new RunFault(tooLarge, "The steps of this run are more than can be kept");
}
