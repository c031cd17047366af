import type { Queryable } from "@rowhouse/db";
import type { Answer, EffectRequest } from "../interpret/wait.ts";
import type { JournalEntry } from "../model/run.ts";

/** One effect in progress. */
export interface Flight {
  readonly request: EffectRequest;
  /** Aborts if the outcome no longer counts: another worker holds the run, or its time limit is over. */
  readonly signal: AbortSignal;
  /**
   * Serializes work that advances the run: only one flight of a run is past `enter`, until its writes are committed.
   * An error after `enter` ends the claim; the run continues from the journal.
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
  advance(queryable: Queryable, answer: Answer): Promise<void>;
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
