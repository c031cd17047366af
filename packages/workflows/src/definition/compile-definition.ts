import { createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { placeholdersOf, TemplateSyntaxError } from "../template/parse-template.ts";
import { compileTemplates, type TemplateTree, templatesOf } from "../template/render-template.ts";
import { type Condition, ConditionSyntaxError, compileCondition } from "./condition.ts";
import type { Definition, EffectStep, Step, WebhookTrigger } from "./definition.ts";
import { walkSteps } from "./parse-definition.ts";

/** A step with its templates parsed and its condition compiled. */
export type CompiledStep =
  | {
      readonly kind: "EFFECT";
      readonly step: EffectStep;
      readonly input: TemplateTree;
      /** Apart from the rest, because values inside a URL are encoded. */
      readonly url: TemplateTree | undefined;
    }
  | { readonly kind: "SET_VALUES"; readonly id: string; readonly values: TemplateTree }
  | { readonly kind: "FINISH"; readonly id: string; readonly result: TemplateTree }
  | {
      readonly kind: "CONDITION";
      readonly id: string;
      readonly condition: Condition;
      readonly whenTrue: readonly CompiledStep[];
      readonly whenFalse: readonly CompiledStep[];
    };

export interface CompiledDefinition {
  readonly trigger: WebhookTrigger;
  readonly steps: readonly CompiledStep[];
}

export interface Compilation {
  readonly compiled: CompiledDefinition;
  /** WORKFLOW_INVALID faults, with JSON pointers into the definition; a definition with faults cannot be published. */
  readonly faults: readonly Fault[];
}

/** Compiles a definition and collects everything that keeps it from being published. */
export function compileDefinition(definition: Definition): Compilation {
  const faults: Fault[] = [];
  const report = (pointer: readonly string[], message: string) => {
    if (faults.length >= 50) return;
    faults.push(
      createFault("WORKFLOW_INVALID", {
        path: pointer.map((key) => `/${escapePointer(key)}`).join(""),
        message,
      }),
    );
  };
  const { trigger } = definition;
  if (trigger.access === "PUBLIC" && trigger.executeAs === null) {
    report(["trigger", "executeAs"], "A public webhook needs a user to execute as");
  }
  if (definition.steps.length === 0) report(["steps"], "A workflow needs a step");
  checkIds(definition, report);
  const compiler = new StepCompiler(report);
  return { compiled: { trigger, steps: compiler.compile(definition.steps, ["steps"]) }, faults };
}

type Report = (pointer: readonly string[], message: string) => void;

function checkIds(definition: Definition, report: Report): void {
  const known = new Set<string>();
  for (const { step, pointer } of walkSteps(definition.steps)) {
    if (known.has(step.id)) report([...pointer, "id"], `The id "${step.id}" is used twice`);
    known.add(step.id);
  }
}

class StepCompiler {
  readonly #report: Report;
  /** Steps that stand before the one at hand. */
  readonly #before = new Set<string>();

  constructor(report: Report) {
    this.#report = report;
  }

  compile(steps: readonly Step[], pointer: readonly string[]): CompiledStep[] {
    return steps.map((step, index) => {
      const compiled = this.#compileStep(step, [...pointer, String(index)]);
      this.#before.add(step.id);
      return compiled;
    });
  }

  #compileStep(step: Step, pointer: readonly string[]): CompiledStep {
    switch (step.kind) {
      case "setValues":
        return {
          kind: "SET_VALUES",
          id: step.id,
          values: this.#templates(step.values, [...pointer, "values"]),
        };
      case "finish":
        return {
          kind: "FINISH",
          id: step.id,
          result: this.#templates(step.result ?? null, [...pointer, "result"]),
        };
      case "condition":
        return {
          kind: "CONDITION",
          id: step.id,
          condition: this.#condition(step.expression, [...pointer, "expression"]),
          whenTrue: this.compile(step.then, [...pointer, "then"]),
          whenFalse: this.compile(step.else, [...pointer, "else"]),
        };
      case "createRow":
        return {
          kind: "EFFECT",
          step,
          input: this.#templates({ values: step.values }, pointer),
          url: undefined,
        };
      case "listRows":
        return {
          kind: "EFFECT",
          step,
          input: this.#templates({ where: step.where ?? null }, pointer),
          url: undefined,
        };
      case "httpRequest": {
        const { url, headers, query, body } = step;
        if (!/^(?:https?:\/\/|\{\{)/i.test(url)) {
          this.#report([...pointer, "url"], "A URL begins with http:// or https://");
        }
        return {
          kind: "EFFECT",
          step,
          input: this.#templates({ headers, query, body: body ?? null }, pointer),
          url: this.#templates(url, [...pointer, "url"]),
        };
      }
      default:
        return step satisfies never;
    }
  }

  #templates(value: unknown, pointer: readonly string[]): TemplateTree {
    const tree = compileTemplates(value, (inner, error) => {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      this.#report([...pointer, ...inner], error.message);
    });
    for (const { template, pointer: inner } of templatesOf(tree)) {
      for (const { path } of placeholdersOf(template)) {
        const [root, key] = path;
        if (root === "steps" && (key === undefined || !this.#before.has(key))) {
          this.#report([...pointer, ...inner], `No step "${key ?? ""}" stands before this one`);
        }
      }
    }
    return tree;
  }

  #condition(expression: string, pointer: readonly string[]): Condition {
    try {
      return compileCondition(expression);
    } catch (error) {
      if (!(error instanceof ConditionSyntaxError)) throw error;
      this.#report(pointer, error.message);
      return { evaluate: () => false };
    }
  }
}
