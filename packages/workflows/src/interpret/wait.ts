import type { JsonObject } from "../base/json.ts";
import type { RunError } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { Simulation } from "../model/test-options.ts";

/** An effect that the run waits for. */
export interface EffectRequest {
  readonly kind: "EFFECT";
  readonly path: string;
  readonly position: number;
  readonly step: EffectStep;
  /** The rendered templates of the step. */
  readonly input: JsonObject;
  /** From 1. */
  readonly attempt: number;
  /** Whether the journal holds the intent of this attempt, whose outcome is unknown. */
  readonly started: boolean;
}

/** A moment that the run waits for. */
export interface SleepRequest {
  readonly kind: "SLEEP";
  readonly path: string;
  /** Milliseconds from the time when the journal was read or the step was reached. */
  readonly dueInMs: number;
}

/** Another run whose end this one waits for. */
export interface ChildRequest {
  readonly kind: "CHILD";
  readonly path: string;
  readonly runId: string;
  /** The longest wait in milliseconds; null for no limit. */
  readonly dueInMs: number | null;
}

/** The run has computed long enough: the process does other work first. */
export interface PauseRequest {
  readonly kind: "PAUSE";
}

/** A request that is carried out, or waited for, outside the state machine. */
export type Request = EffectRequest | SleepRequest | ChildRequest | PauseRequest;

/** The answer to a request. */
export type EffectAnswer =
  | { readonly kind: "OUTPUT"; readonly output: unknown; readonly simulated?: Simulation }
  | { readonly kind: "FAULT"; readonly error: unknown; readonly simulated?: Simulation }
  /** A run was accepted; this one waits for its end. */
  | { readonly kind: "CHILD"; readonly runId: string }
  /** The moment has arrived. */
  | { readonly kind: "DUE" };

export type BranchEnd =
  | { readonly kind: "DONE"; readonly output: unknown }
  /** A `finish` step was reached: the run ends with its result. */
  | { readonly kind: "FINISHED"; readonly result: unknown }
  | { readonly kind: "FAILED"; readonly error: RunError };

/** Branches that run concurrently, within a limit. */
export interface Fork {
  readonly kind: "FORK";
  readonly count: number;
  readonly concurrency: number;
  readonly branch: (index: number) => BranchGenerator;
}

/** All branches of a fork have ended, or one of them has stopped it. */
export type Joined =
  | { readonly kind: "JOINED"; readonly outputs: readonly unknown[] }
  | { readonly kind: "STOPPED"; readonly end: BranchEnd };

export type BranchGenerator = Generator<Request | Fork, BranchEnd, EffectAnswer | Joined>;

/** One or several steps. Ends with `Result`, or with the end of the whole run. */
export type Part<Result> = Generator<
  Request | Fork,
  Result | Extract<BranchEnd, { kind: "FINISHED" }>,
  EffectAnswer | Joined
>;

/** A step that waits. Ends with its output. */
export type Waiting = Generator<Request, unknown, EffectAnswer | Joined>;
