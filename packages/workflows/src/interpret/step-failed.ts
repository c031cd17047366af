import type { RunError } from "../base/run-fault.ts";

/** Unwinds the tree; its error is the run's, where no step takes it. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly error: RunError;

  constructor(error: RunError) {
    super(error.message);
    this.error = error;
  }
}
