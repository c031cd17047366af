import type { RunError } from "../base/run-fault.ts";
import type { Priority } from "../definition/definition.ts";
import type { RunToken } from "./run-token.ts";

export type TerminalStatus = "SUCCEEDED" | "FAILED" | "CANCELLED";
export type RunStatus = "QUEUED" | "RUNNING" | TerminalStatus;

/** What began a run: a call, an administrator, a schedule, a changed row, another workflow, a test of the draft, or a run that is repeated. */
export type RunOrigin = "WEBHOOK" | "MANUAL" | "SCHEDULE" | "EVENT" | "WORKFLOW" | "TEST" | "AGAIN";

/** WAITING is for a moment or for another run; STARTED is the intent of what no transaction can hold. */
export type StepStatus = "STARTED" | "WAITING" | "SUCCEEDED" | "FAILED";

/** How a run ended. */
export interface Outcome {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly result: unknown;
  readonly error: RunError | null;
}

/** A run that has ended, as its caller sees it. */
export interface EndedRun {
  readonly id: string;
  readonly status: TerminalStatus;
  /** JSON, as the run wrote it. */
  readonly result: string | null;
  readonly error: string | null;
}

/** The end of a run that another one waits for. */
export interface ChildEnd {
  readonly status: "SUCCEEDED" | "FAILED" | "CANCELLED";
  readonly result: unknown;
  readonly error: RunError | null;
}

/** What the journal says of a step path. */
export interface JournalRecord {
  readonly status: StepStatus;
  readonly position: number;
  readonly output: unknown;
  readonly error: RunError | null;
  readonly attempt: number;
  /** Of a step that waits: from when the journal was read, in milliseconds. */
  readonly dueInMs: number | null;
  readonly childRunId: string | null;
  /** The end of that run, once it has one. */
  readonly childEnd: ChildEnd | null;
}

/** One entry to be written. */
export interface JournalEntry {
  readonly path: string;
  /** The order in which the run reached it. */
  readonly position: number;
  readonly kind: string;
  readonly status: StepStatus;
  readonly output: unknown;
  readonly error: RunError | null;
  /** From 1. */
  readonly attempt: number;
  /** Of a step that waits: how long from now, in milliseconds; null where it waits for no moment. */
  readonly resumeInMs: number | null;
  /** The run whose end it waits for. */
  readonly childRunId: string | null;
  /** Milliseconds since 1970 on the worker's clock; for people, no decision rests on them. */
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

/** A run that this worker holds. */
export interface Claim {
  readonly runId: string;
  readonly workflowId: string;
  readonly versionId: string;
  /** The run that waits for this one, or began it. */
  readonly parentRunId: string | null;
  /** How many runs stand above this one. */
  readonly depth: number;
  /** From its acceptance to this claim, in milliseconds. */
  readonly sinceAcceptedMs: number;
  /** Since its first claim, in milliseconds. */
  readonly ageMs: number;
  /** Claims since it was last parked, this one included. */
  readonly claims: number;
  readonly executeAsUserId: string;
  /** What started it, or a run above it; its steps act under this too. */
  readonly token: RunToken | null;
  readonly executeAs: "ACTIVE" | "INACTIVE" | "GONE";
  /**
   * Leases of the run that ran out in a row. After the first, what the run computes is written down as such; from the
   * second on that ran out while it was computing, it takes its workers with it.
   */
  readonly lostLeases: number;
  readonly input: unknown;
  readonly fence: string;
  readonly cancelRequested: boolean;
  readonly replyChannel: string | null;
  readonly priority: Priority;
  /** Whether the workflow limits how many of its runs are in progress at once. */
  readonly isLimited: boolean;
  /** Where its trace goes on from (W3C `traceparent`). */
  readonly traceParent: string | null;
  readonly journal: ReadonlyMap<string, JournalRecord>;
}

/** Another worker holds the run, or it has ended: nothing more may be written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
