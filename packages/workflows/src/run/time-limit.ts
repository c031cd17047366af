import { RunFault } from "../base/run-fault.ts";
import type { EffectAnswer } from "../interpret/wait.ts";
import { type Outcome, runFailed } from "../model/run.ts";
import { timerMaxMs } from "./due-list.ts";

/** The time limit of a run, on the clock of `performance`. */
export class TimeLimit {
  /** The end of a run that reaches the limit. */
  readonly outcome: Outcome;
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  #hasPassed = false;

  /** @param leftMs the rest of the limit */
  constructor(leftMs: number, outcome = runTimedOut()) {
    this.#deadline = performance.now() + leftMs;
    this.outcome = outcome;
  }

  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  leftMs(): number {
    return this.#deadline - performance.now();
  }

  /** Calls `onPassed` once the limit has passed, until `close`. */
  watch(onPassed: () => void): void {
    const leftMs = Math.ceil(this.leftMs());
    if (leftMs <= 0) {
      this.#hasPassed = true;
      onPassed();
      // A timer can fire early, and cannot wait for longer than its maximum.
    } else this.#timer = setTimeout(() => this.watch(onPassed), Math.min(leftMs, timerMaxMs));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Returns the answer of an effect that the limit has aborted. */
  lateAnswer(answer: EffectAnswer): EffectAnswer {
    if (answer.kind !== "FAULT") return answer;
    const code = this.outcome.error?.code ?? "RUN_TIMED_OUT";
    return { kind: "FAULT", error: new RunFault(code, "The run reached its time limit") };
  }
}

/** Returns the outcome of a run that exceeds the time limit of its definition. */
export function runTimedOut(): Outcome {
  return runFailed("RUN_TIMED_OUT", "The run did not end within its time limit");
}
