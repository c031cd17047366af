import type { RunError, StepError } from "../base/run-fault.ts";
import type { Priority } from "../definition/definition.ts";
import type { RunToken } from "./run-token.ts";
import type { Simulation, TestOptions } from "./test-options.ts";

// The states of a run, and who moves it from one to the next:
//
//   accepted ──1──▶ claimed ──2──▶ computing ──3──▶ effect in progress
//   QUEUED          RUNNING,       │   │   ▲              │
//                   has a lease    5   6   └──────4───────┘
//                    ▲             ▼   └──▶ ended: SUCCEEDED, FAILED, CANCELLED
//                    └──1── waiting: RUNNING, no lease, has a wake_at
//
// 1 claim: worker/run-cycle.ts, woken by the queue, worker/wake-timers.ts or worker/reconcile.ts. It also claims a run whose lease expired.
// 2 start and 4 resume: run/execution.ts calls interpret/interpret.ts, which replays or computes up to the next requests.
// 3 begin: run/execution.ts starts each effect (effect/run-effect.ts); several can be in progress at once.
// 5 park: worker/run-cycle.ts, if only moments and other runs are left to wait for.
// 6 end: run/write-journal.ts, with the last entries. run/cancel-run.ts ends a run that no worker holds.

export type TerminalStatus = "SUCCEEDED" | "FAILED" | "CANCELLED";
export type RunStatus = "QUEUED" | "RUNNING" | TerminalStatus;

/**
 * The source of a run: a call, an administrator, a schedule, a database event, another workflow, a test of the draft,
 * or a repeated run.
 */
export type RunOrigin = "WEBHOOK" | "MANUAL" | "SCHEDULE" | "EVENT" | "WORKFLOW" | "TEST" | "AGAIN";

/** WAITING: for a moment or for another run. STARTED: the recorded intent of an effect outside any transaction. */
export type StepStatus = "STARTED" | "WAITING" | "SUCCEEDED" | "FAILED";

export interface Outcome {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly result: unknown;
  readonly error: RunError | null;
}

/** Returns the outcome of a run that failed outside its steps. */
export function runFailed(code: string, message: string): Outcome {
  return { status: "FAILED", result: null, error: { code, message, step: null } };
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

/** The journal's record of one step path. */
export interface JournalRecord {
  readonly status: StepStatus;
  readonly position: number;
  readonly output: unknown;
  readonly error: StepError | null;
  readonly attempt: number;
  /** For a waiting step: milliseconds from the time when the journal was read. */
  readonly dueInMs: number | null;
  readonly childRunId: string | null;
  /** The end of the child run, once it has ended. */
  readonly childEnd: ChildEnd | null;
}

export interface JournalEntry {
  readonly path: string;
  /** The order in which the run reached the step. */
  readonly position: number;
  readonly kind: string;
  readonly status: StepStatus;
  readonly output: unknown;
  readonly error: StepError | null;
  /** From 1. */
  readonly attempt: number;
  /** For a waiting step: milliseconds from now; null if it waits for no moment. */
  readonly resumeInMs: number | null;
  /** The run whose end the step waits for. */
  readonly childRunId: string | null;
  /** Milliseconds since 1970 on the worker's clock. For display only; no decision depends on it. */
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** For a step of a test that was not carried out like that of a run. */
  readonly simulated?: Simulation | undefined;
}

/** A run that this worker holds. */
export interface Claim {
  readonly runId: string;
  readonly workflowId: string;
  readonly versionId: string;
  /** The run that started this one, and may wait for it. */
  readonly parentRunId: string | null;
  /** The number of runs above this one. */
  readonly depth: number;
  /** From its acceptance to this claim, in milliseconds. */
  readonly sinceAcceptedMs: number;
  /** Since its first claim, in milliseconds. */
  readonly ageMs: number;
  /** Claims since the run was last parked, this one included. */
  readonly claims: number;
  readonly executeAsUserId: string;
  /** The token that started this run or a run above it. The steps also act under it. */
  readonly token: RunToken | null;
  readonly executeAs: "ACTIVE" | "INACTIVE" | "GONE";
  /**
   * Leases that expired in a row. After the first, the run marks in the database when it computes. From the second
   * that expired during such a computation on, the run counts as the cause of its workers' failures.
   */
  readonly lostLeases: number;
  readonly input: unknown;
  readonly fence: string;
  readonly cancelRequested: boolean;
  readonly replyChannel: string | null;
  readonly priority: Priority;
  /** Whether the workflow limits its runs in progress. */
  readonly isLimited: boolean;
  /** The parent of the run's trace (W3C `traceparent`). */
  readonly traceParent: string | null;
  /** Whether it tests a draft. */
  readonly isTest: boolean;
  /** How a test differs from a run; null for a test that does not. */
  readonly testOptions: TestOptions | null;
  readonly journal: ReadonlyMap<string, JournalRecord>;
}

/** Another worker holds the run, or it has ended. Nothing more may be written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
