import type { JsonObject } from "../json.ts";

/** What templates and conditions of a run can see, and nothing else. */
export interface Scope {
  /** `start.data` is the trigger's input. */
  readonly start: JsonObject;
  /** The output of each finished step, by its id. */
  readonly steps: Readonly<Record<string, unknown>>;
  /** What `setValues` steps have set. */
  readonly vars: Readonly<Record<string, unknown>>;
}
