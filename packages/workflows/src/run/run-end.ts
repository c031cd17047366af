import { RunFault } from "../base/run-fault.ts";
import type { Answer } from "../interpret/wait.ts";
import type { Outcome } from "../model/run.ts";

/**
 * Returns the answer of an effect that was aborted by a time limit.
 *
 * @param code of the run's error
 */
export function lateAnswer(answer: Answer, code = "RUN_TIMED_OUT"): Answer {
  if (answer.kind !== "FAULT") return answer;
  return { kind: "FAULT", error: new RunFault(code, "The run reached its time limit") };
}

/** Returns the outcome of a run that exceeds the time limit of its definition. */
export function runTimedOut(): Outcome {
  return runFailed("RUN_TIMED_OUT", "The run did not end within its time limit");
}

/** Returns the outcome of a run that failed outside its steps. */
export function runFailed(code: string, message: string): Outcome {
  return { status: "FAILED", result: null, error: { code, message, step: null } };
}
