import type { Queryable } from "@rowhouse/db";
import type { Answer, EffectRequest } from "../interpret/wait.ts";
import type { JournalEntry } from "../model/run.ts";

/** One effect under way. */
export interface Flight {
  readonly request: EffectRequest;
  /** Aborts where its outcome will not count: another worker has the run, or its time is up. */
  readonly signal: AbortSignal;
  /**
   * Does what moves the run on; one flight of a run at a time is past `enter`, until what it wrote is committed.
   * An error from then on ends the claim: the run goes on from the journal.
   */
  exclusively<Result>(work: (enter: () => Promise<void>) => Promise<Result>): Promise<Result>;
  /** Writes down that an effect is about to begin. @returns whether it may */
  begin(): Promise<boolean>;
  /**
   * Called just before what no transaction can hold back.
   *
   * @throws LeaseLost where another worker may have the run by now
   */
  checkLease(): void;
  /** Passes the outcome to the machine, and writes all that follows from it up to the next effects. */
  advance(queryable: Queryable, answer: Answer): Promise<void>;
}

/** Says that an effect is about to begin. */
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
