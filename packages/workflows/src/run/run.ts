import type { RunError } from "./run-fault.ts";

export type TerminalStatus = "SUCCEEDED" | "FAILED" | "CANCELLED";
export type RunStatus = "QUEUED" | "RUNNING" | TerminalStatus;

/** How a run ended. */
export interface Outcome {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly result: unknown;
  readonly error: RunError | null;
}

/** What the journal says of a step path. */
export interface JournalRecord {
  readonly status: "STARTED" | "SUCCEEDED" | "FAILED";
  readonly output: unknown;
  readonly error: RunError | null;
}

/** One entry to be written. */
export interface JournalEntry {
  readonly path: string;
  /** The order in which the run reached it. */
  readonly position: number;
  readonly kind: string;
  readonly status: "STARTED" | "SUCCEEDED" | "FAILED";
  readonly output: unknown;
  readonly error: RunError | null;
  /** Milliseconds since 1970 on the worker's clock; for people, no decision rests on them. */
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

/** A run that this worker holds. */
export interface Claim {
  readonly runId: string;
  readonly versionId: string;
  readonly executeAsUserId: string;
  readonly executeAsActive: boolean;
  readonly input: unknown;
  readonly fence: string;
  readonly cancelRequested: boolean;
  readonly replyChannel: string | null;
  readonly journal: ReadonlyMap<string, JournalRecord>;
}

/** Another worker holds the run, or it has ended: nothing more may be written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
