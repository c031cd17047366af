import type { RunError } from "../base/run-fault.ts";

/** Ends the steps up to the next `onError`. Without one, its error is the error of the run. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly error: RunError;

  constructor(error: RunError) {
    super(error.message);
    this.error = error;
  }
}
