import { exactNumberText } from "@rowhouse/wire";
import { toJson } from "../base/json.ts";
import type { EffectStep, Priority, Trigger } from "../definition/definition.ts";
import type { TemplateTree } from "../template/render-template.ts";
import type { Condition } from "./condition.ts";

/**
 * The steps that run after a failure: those of a handler, or none to continue with the next step. Undefined ends the
 * run.
 */
export type FailureBranch = readonly CompiledStep[] | undefined;

interface Named {
  readonly id: string;
  readonly onError: FailureBranch;
}

/** A step with its templates parsed and its condition compiled. */
export type CompiledStep =
  /** A run passes over it. */
  | (Named & { readonly kind: "DISABLED" })
  | CompiledEffect
  | (Named & { readonly kind: "SET_VALUES"; readonly values: TemplateTree })
  | (Named & {
      readonly kind: "DELAY";
      /** Exactly one of `seconds` and `until` is set. */
      readonly seconds: TemplateTree | undefined;
      readonly until: TemplateTree | undefined;
    })
  | (Named & { readonly kind: "FINISH"; readonly result: TemplateTree })
  | (Named & { readonly kind: "FAIL"; readonly code: string; readonly message: TemplateTree })
  | (Named & {
      readonly kind: "CONDITION";
      readonly condition: Condition;
      readonly whenTrue: readonly CompiledStep[];
      readonly whenFalse: readonly CompiledStep[];
    })
  | (Named & {
      readonly kind: "SWITCH";
      readonly value: TemplateTree;
      readonly cases: readonly CompiledCase[];
      readonly otherwise: readonly CompiledStep[];
    })
  | CompiledForEach;

export interface CompiledCase {
  /** The result of `caseKey`. */
  readonly equals: string;
  readonly steps: readonly CompiledStep[];
}

export interface CompiledEffect extends Named {
  readonly kind: "EFFECT";
  readonly step: EffectStep;
  readonly input: TemplateTree;
  /** Rendered apart from the rest: a value inside a filter is never read as a variable of the filter language. */
  readonly where: TemplateTree | undefined;
  /** Rendered apart from the rest: values inside a URL are percent-encoded. */
  readonly url: TemplateTree | undefined;
}

export interface CompiledForEach extends Named {
  readonly kind: "FOR_EACH";
  readonly items: TemplateTree;
  readonly concurrency: number;
  readonly steps: readonly CompiledStep[];
}

export interface CompiledDefinition {
  readonly trigger: Trigger;
  /** The database events that start a run; null for all of them, and for other triggers. */
  readonly eventFilter: Condition | null;
  /** From the first claim to the end of the run, in seconds. */
  readonly timeLimitSeconds: number;
  readonly priority: Priority;
  readonly steps: readonly CompiledStep[];
  /** Names of the secrets that the steps use. */
  readonly secrets: readonly string[];
}

/**
 * Returns the text by which a switch compares values. Equal numbers have the same text, however they are written.
 *
 * @example caseKey(1.5) === caseKey(parseExactJson("15.0e-1")) // true
 */
export function caseKey(value: unknown): string {
  const digits = typeof value === "number" ? String(value) : exactNumberText(value);
  return digits === undefined ? toJson(value) : numberKey(digits);
}

function numberKey(text: string): string {
  const [, sign, whole, fraction, exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = `${whole}${fraction ?? ""}`.replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, "");
  if (significant === "") return "0";
  const scale = Number(exponent ?? 0) - (fraction ?? "").length;
  return `${sign}${significant}e${scale + digits.length - significant.length}`;
}
