import { RunFault } from "../base/run-fault.ts";
import type { Answer } from "../interpret/wait.ts";
import type { Outcome } from "../model/run.ts";

/** What was cut off because the run's time was up says so. */
export function lateAnswer(answer: Answer): Answer {
  if (answer.kind !== "FAULT") return answer;
  return { kind: "FAULT", error: new RunFault("RUN_TIMED_OUT", "The run's time was up") };
}

/** How a run ends that took longer than its definition allows. */
export function runTimedOut(): Outcome {
  return runFailed("RUN_TIMED_OUT", "The run did not end within its time limit");
}

/** A run that ends without a step that is to blame. */
export function runFailed(code: string, message: string): Outcome {
  return { status: "FAILED", result: null, error: { code, message, step: null } };
}
