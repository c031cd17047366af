import { parseExactJson } from "@rowhouse/wire";
import { isJsonObject, type JsonObject, toJson } from "../base/json.ts";

/** How a test of a draft differs from a run. */
export interface TestOptions {
  /** NONE: a trial. Rows are written in a transaction that is rolled back, and nothing leaves the process. */
  readonly effects: "REAL" | "NONE";
  /** Outputs by step id, for steps that are not carried out. */
  readonly mocks: JsonObject;
  /** The id of the step whose first end ends the run; null for the last step. */
  readonly until: string | null;
}

/** Why the output of a step is not that of a carried out one. */
export type Simulation =
  /** Carried out in the transaction of a trial. */
  | "ROLLED_BACK"
  /** Given with the test. */
  | "MOCK"
  /** The pinned example of the workflow. */
  | "EXAMPLE"
  /** The shape of the output, with what would have been sent. */
  | "NOT_SENT"
  /** A delay that was not waited for. */
  | "SKIPPED";

/** Returns the options as stored; null for a test that runs like any other run, which older workers may execute. */
export function writeTestOptions({ effects, mocks, until }: TestOptions): string | null {
  const isPlain = effects === "REAL" && until === null && Object.keys(mocks).length === 0;
  return isPlain ? null : toJson({ effects, mocks, until });
}

/** Reads what `writeTestOptions` wrote. */
export function readTestOptions(stored: string | null): TestOptions | null {
  if (stored === null) return null;
  const { effects, mocks, until } = parseExactJson(stored) as JsonObject;
  return {
    effects: effects === "NONE" ? "NONE" : "REAL",
    mocks: isJsonObject(mocks) ? mocks : {},
    until: typeof until === "string" ? until : null,
  };
}

export function interpretationOf(options: TestOptions | null) {
  return { until: options?.until, isTrial: isTrial(options) };
}

export function isTrial(options: TestOptions | null): boolean {
  return options?.effects === "NONE";
}
