import type { JsonObject } from "../base/json.ts";
import type { RunError } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";

/** An effect that the run waits for. */
export interface EffectRequest {
  readonly kind: "EFFECT";
  readonly path: string;
  readonly position: number;
  readonly step: EffectStep;
  /** The step's templates, filled in. */
  readonly input: JsonObject;
  /** From 1. */
  readonly attempt: number;
  /** The intent that a journal holds of this attempt, whose outcome is unknown. */
  readonly started: boolean;
}

/** A moment that the run waits for. */
export interface SleepRequest {
  readonly kind: "SLEEP";
  readonly path: string;
  /** From when the journal was read or the step reached, in milliseconds. */
  readonly dueInMs: number;
}

/** Another run whose end this one waits for. */
export interface ChildRequest {
  readonly kind: "CHILD";
  readonly path: string;
  readonly runId: string;
  /** How long at most, in milliseconds; null for as long as it takes. */
  readonly dueInMs: number | null;
}

/** The run has computed for so long that other work of the process goes first. */
export interface PauseRequest {
  readonly kind: "PAUSE";
}

/** What is carried out, or waited for, outside of the state machine. */
export type Request = EffectRequest | SleepRequest | ChildRequest | PauseRequest;

/** What a request came to. */
export type Answer =
  | { readonly kind: "OUTPUT"; readonly output: unknown }
  | { readonly kind: "FAULT"; readonly error: unknown }
  /** A run was accepted, and its end is to be waited for. */
  | { readonly kind: "CHILD"; readonly runId: string }
  /** The moment has come. */
  | { readonly kind: "DUE" };

/** How a branch of the tree came to its end. */
export type BranchEnd =
  | { readonly kind: "DONE"; readonly output: unknown }
  /** A `finish` was reached: the run ends with its result. */
  | { readonly kind: "FINISHED"; readonly result: unknown }
  | { readonly kind: "FAILED"; readonly error: RunError };

/** Branches of which some run at once. */
export interface Fork {
  readonly kind: "FORK";
  readonly count: number;
  readonly concurrency: number;
  readonly branch: (index: number) => Branch;
}

/** All branches of a fork are done, or the first that stopped it. */
export type Joined =
  | { readonly kind: "JOINED"; readonly outputs: readonly unknown[] }
  | { readonly kind: "STOPPED"; readonly end: BranchEnd };

export type Branch = Generator<Request | Fork, BranchEnd, Answer | Joined>;

/** A step, or several: ends with `Result`, or with the end of the whole run. */
export type Part<Result> = Generator<
  Request | Fork,
  Result | Extract<BranchEnd, { kind: "FINISHED" }>,
  Answer | Joined
>;

/** A step that waits: ends with its output. */
export type Waiting = Generator<Request, unknown, Answer | Joined>;
