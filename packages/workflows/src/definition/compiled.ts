import type { TemplateTree } from "../template/render-template.ts";
import type { Condition } from "./condition.ts";
import type { EffectStep, Priority, Trigger } from "./definition.ts";

/** What follows the failure of a step: a handler's steps, none of them for going on. Undefined ends the run. */
export type FailureBranch = readonly CompiledStep[] | undefined;

interface Named {
  readonly id: string;
  readonly onError: FailureBranch;
}

/** A step with its templates parsed and its condition compiled. */
export type CompiledStep =
  | CompiledEffect
  | (Named & { readonly kind: "SET_VALUES"; readonly values: TemplateTree })
  | (Named & {
      readonly kind: "DELAY";
      /** Exactly one of the two. */
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
  /** As `caseKey` gives it. */
  readonly equals: string;
  readonly steps: readonly CompiledStep[];
}

export interface CompiledEffect extends Named {
  readonly kind: "EFFECT";
  readonly step: EffectStep;
  readonly input: TemplateTree;
  /** Apart from the rest, because a value inside a filter is never one of its variables. */
  readonly where: TemplateTree | undefined;
  /** Apart from the rest, because values inside a URL are encoded. */
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
  /** Which events of the database start a run; null for all of them, and for other triggers. */
  readonly eventFilter: Condition | null;
  /** From the first claim to the end, in seconds. */
  readonly timeLimitSeconds: number;
  readonly priority: Priority;
  readonly steps: readonly CompiledStep[];
  /** Names of the secrets that its steps use. */
  readonly secrets: readonly string[];
}
