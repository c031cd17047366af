import type { Queryable } from "@rowhouse/db";
import { pauseBefore } from "../interpret/retry.ts";
import { concluded } from "../interpret/run-journal.ts";
import type { EffectAnswer, EffectRequest } from "../interpret/wait.ts";
import type { JournalEntry } from "../model/run.ts";

export interface Flight {
  readonly request: EffectRequest;
  /** Aborts if the outcome no longer counts: another worker holds the run, or its time limit is over. */
  readonly signal: AbortSignal;
  /**
   * Serializes work that resumes the run: only one flight of a run is past `enter`, until its writes are committed.
   * An error after `enter` ends the claim; the next claim reads the journal.
   */
  exclusively<Result>(work: (enter: () => Promise<void>) => Promise<Result>): Promise<Result>;
  /** Records the intent of an effect. @returns whether it may start */
  begin(): Promise<boolean>;
  /**
   * Call it just before an effect that no transaction can undo.
   *
   * @throws LeaseLost if another worker may hold the run, or may have held it since the flight started
   */
  checkLease(): void;
  /** Passes the outcome to the state machine, and writes all entries up to the next effects. */
  resume(queryable: Queryable, answer: EffectAnswer): Promise<void>;
}

/** Returns the entry that records the intent of an effect. */
export function intentOf({ path, position, step, attempt }: EffectRequest): JournalEntry {
  return {
    path,
    position,
    kind: step.kind,
    status: "STARTED",
    output: null,
    error: null,
    attempt,
    resumeInMs: null,
    childRunId: null,
    startedAt: Date.now(),
    finishedAt: null,
  };
}

/** An answer after which the step neither retries nor waits for another run. */
type Final = Extract<EffectAnswer, { kind: "OUTPUT" | "FAULT" }>;

export function isFinal(request: EffectRequest, answer: EffectAnswer): answer is Final {
  if (answer.kind === "OUTPUT") return true;
  if (answer.kind !== "FAULT") return false;
  return pauseBefore(request.step, request.attempt, answer.error, Math.random) === undefined;
}

/** Returns the entry of an effect that has ended, for a run that resumes from it later. */
export function conclusionOf(
  { path, position, step, attempt }: EffectRequest,
  answer: Final,
): JournalEntry {
  return concluded(
    { path, position, kind: step.kind, startedAt: Date.now(), attempt },
    answer,
    Date.now(),
  );
}
