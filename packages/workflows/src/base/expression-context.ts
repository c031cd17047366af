import type { JsonObject } from "./json.ts";

/** The values that templates and conditions of a run can read, and no others. */
export interface ExpressionContext {
  /** `start.data` is the trigger's input. */
  readonly start: JsonObject;
  /** The output of each finished step, by its id. */
  readonly steps: Readonly<Record<string, unknown>>;
  /** The values that `setValues` steps have set. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** The fault of each step that failed and did not end the run, by its id. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** Inside a `forEach`: the current item, and its position from 0. */
  readonly item?: unknown;
  readonly index?: number;
}

/** A context to which the steps of one branch add values. */
export interface BranchContext extends ExpressionContext {
  readonly steps: Record<string, unknown>;
  readonly vars: Record<string, unknown>;
  readonly errors: Record<string, unknown>;
}
