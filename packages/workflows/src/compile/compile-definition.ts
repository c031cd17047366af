import { createFault, escapePointer, type Fault, faultsMax } from "@rowhouse/errors";
import { RunFault } from "../base/run-fault.ts";
import type { Definition, EffectStep, Step, Trigger } from "../definition/definition.ts";
import {
  type Placeholder,
  placeholdersOf,
  secretNameOf,
  TemplateSyntaxError,
} from "../template/parse-template.ts";
import { compileTemplates, type TemplateTree, templatesOf } from "../template/render-template.ts";
import { checkRequest, hasFixedOrigin } from "./check-request.ts";
import { checkTrigger, type Report, type SecretUse, signatureSecrets } from "./check-trigger.ts";
import {
  type CompiledDefinition,
  type CompiledEffect,
  type CompiledStep,
  caseKey,
  type FailureBranch,
} from "./compiled.ts";
import {
  type Condition,
  type ConditionPlace,
  ConditionSyntaxError,
  compileCondition,
} from "./condition.ts";
import { walkSteps } from "./parse-definition.ts";

export interface Compilation {
  readonly compiled: CompiledDefinition;
  /**
   * WORKFLOW_INVALID faults, with JSON pointers into the definition. A definition with faults cannot be published.
   */
  readonly faults: readonly Fault[];
  /** What a run would do otherwise than its author may expect, because a step is disabled. */
  readonly warnings: readonly Fault[];
  /** The uses of secrets. A definition that uses a missing secret cannot be published either. */
  readonly secretUses: readonly SecretUse[];
}

/** Compiles a definition and collects the faults that prevent it from being published. */
export function compileDefinition(definition: Definition): Compilation {
  const faults: Fault[] = [];
  const report = (pointer: readonly string[], message: string) => {
    if (faults.length >= faultsMax) return;
    faults.push(
      createFault("WORKFLOW_INVALID", {
        path: toPath(pointer),
        message,
      }),
    );
  };
  const { trigger } = definition;
  checkTrigger(trigger, report);
  if (definition.steps.length === 0) report(["steps"], "A workflow must have at least one step");
  checkIds(definition, report);
  const compiler = new StepCompiler(report, definition);
  const steps = compiler.compile(definition.steps, ["steps"]);
  const { timeLimitSeconds, priority } = definition;
  const eventFilter = compiler.compileFilter(trigger);
  const secrets = [...new Set(compiler.secretUses.map(({ name }) => name))];
  return {
    compiled: { trigger, eventFilter, timeLimitSeconds, priority, steps, secrets },
    faults,
    warnings: compiler.warnings,
    secretUses: [...signatureSecrets(trigger), ...compiler.secretUses],
  };
}

function toPath(pointer: readonly string[]): string {
  return pointer.map((key) => `/${escapePointer(key)}`).join("");
}

function checkIds(definition: Definition, report: Report): void {
  const known = new Set<string>();
  for (const { step, pointer } of walkSteps(definition.steps)) {
    if (known.has(step.id))
      report([...pointer, "id"], `The step id "${step.id}" is used twice; ids must be unique`);
    known.add(step.id);
  }
}

type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;
type CompiledDelayParts = Pick<Extract<CompiledStep, { kind: "DELAY" }>, "seconds" | "until">;

class StepCompiler {
  readonly secretUses: SecretUse[] = [];
  readonly warnings: Fault[] = [];
  readonly #report: Report;
  readonly #timeLimitSeconds: number;
  /** Whether a call waits for the result of its run. */
  readonly #isAwaited: boolean;
  /** The steps before the current one that it can read, those inside its loops included. */
  #before = new Set<string>();
  /** The steps so far over which a run passes, those inside disabled ones included. */
  readonly #disabled = new Set<string>();
  /** Whether the current step is one of them. */
  #isDisabled = false;
  /** The number of loops around the current step. */
  #loops = 0;

  constructor(report: Report, { timeLimitSeconds, trigger }: Definition) {
    this.#report = report;
    this.#timeLimitSeconds = timeLimitSeconds;
    this.#isAwaited = trigger.kind === "webhook" && trigger.response === "SYNCHRONOUS";
  }

  compileFilter(trigger: Trigger): Condition | null {
    if (trigger.kind !== "databaseEvent" || trigger.filter === undefined) return null;
    return this.#condition(trigger.filter, ["trigger", "filter"], "TRIGGER");
  }

  compile(steps: readonly Step[], pointer: readonly string[]): CompiledStep[] {
    return steps.map((step, index) => {
      const own = [...pointer, String(index)];
      const isAround = this.#isDisabled;
      this.#isDisabled ||= step.disabled === true;
      if (this.#isDisabled) this.#disabled.add(step.id);
      // A disabled step has to be right as well: it is enabled again without a further check.
      const compiled = this.#compileStep(step, own);
      this.#before.add(step.id);
      const onError = this.#failureBranch(step, own);
      this.#isDisabled = isAround;
      if (step.disabled !== true) return { ...compiled, onError };
      if (step.kind === "finish" && this.#isAwaited) {
        this.#warn(own, "The step is disabled; the call gets the output of the last step instead");
      }
      return { kind: "DISABLED", id: step.id, onError: undefined };
    });
  }

  #warn(pointer: readonly string[], message: string): void {
    this.warnings.push(createFault("WORKFLOW_INVALID", { path: toPath(pointer), message }));
  }

  /** Warns of an output that no run has. */
  #readStep(id: string, pointer: readonly string[]): void {
    if (this.#isDisabled || !this.#disabled.has(id)) return;
    this.#warn(pointer, `The step "${id}" is disabled; its output is null`);
  }

  #failureBranch(step: Step, pointer: readonly string[]): FailureBranch {
    if (!("onError" in step) || step.onError === "fail") return undefined;
    if (step.onError === "continue") return [];
    return this.compile(step.onError.steps, [...pointer, "onError", "steps"]);
  }

  #compileStep(step: Step, pointer: readonly string[]): CompiledStep {
    const named = { id: step.id, onError: undefined };
    switch (step.kind) {
      case "setValues":
        return {
          ...named,
          kind: "SET_VALUES",
          values: this.#templates(step.values, [...pointer, "values"]),
        };
      case "delay":
        return { ...named, kind: "DELAY", ...this.#delay(step, pointer) };
      case "finish":
        return {
          ...named,
          kind: "FINISH",
          result: this.#templates(step.result ?? null, [...pointer, "result"]),
        };
      case "fail":
        return {
          ...named,
          kind: "FAIL",
          code: step.code,
          message: this.#templates(step.message, [...pointer, "message"]),
        };
      case "condition":
        return {
          ...named,
          kind: "CONDITION",
          condition: this.#condition(step.expression, [...pointer, "expression"]),
          whenTrue: this.compile(step.then, [...pointer, "then"]),
          whenFalse: this.compile(step.else, [...pointer, "else"]),
        };
      case "switch":
        return {
          ...named,
          kind: "SWITCH",
          value: this.#templates(step.value ?? null, [...pointer, "value"]),
          cases: step.cases.map(({ equals, steps }, index) => ({
            equals: caseKey(equals),
            steps: this.compile(steps, [...pointer, "cases", String(index), "steps"]),
          })),
          otherwise: this.compile(step.default, [...pointer, "default"]),
        };
      case "forEach":
        return {
          ...named,
          kind: "FOR_EACH",
          items: this.#items(step, pointer),
          concurrency: step.concurrency,
          steps: this.#loop(step.steps, [...pointer, "steps"]),
        };
      default:
        return this.#effect(step, pointer);
    }
  }

  #delay({ seconds, until }: StepOf<"delay">, pointer: readonly string[]): CompiledDelayParts {
    if ((seconds === undefined) === (until === undefined)) {
      this.#report(pointer, "A delay must have either seconds or until");
    }
    if (Number(seconds) >= this.#timeLimitSeconds) {
      this.#report(
        [...pointer, "seconds"],
        `The delay must be shorter than the run's timeLimitSeconds, ${this.#timeLimitSeconds}`,
      );
    }
    const part = (value: unknown, key: string) =>
      value === undefined ? undefined : this.#templates(value, [...pointer, key]);
    return { seconds: part(seconds, "seconds"), until: part(until, "until") };
  }

  #items(step: StepOf<"forEach">, pointer: readonly string[]): TemplateTree {
    const items = this.#templates(step.items ?? null, [...pointer, "items"]);
    if (items.kind === "LITERAL" && !Array.isArray(items.value)) {
      this.#report([...pointer, "items"], "items must be a list, or a template that yields one");
    }
    return items;
  }

  /** The outputs of a loop's steps are readable inside the loop only. */
  #loop(steps: readonly Step[], pointer: readonly string[]): CompiledStep[] {
    const outside = this.#before;
    this.#before = new Set(outside);
    this.#loops += 1;
    const compiled = this.compile(steps, pointer);
    this.#loops -= 1;
    this.#before = outside;
    return compiled;
  }

  #effect(step: EffectStep, pointer: readonly string[]): CompiledEffect {
    const effect = (input: unknown, more: Partial<CompiledEffect> = {}): CompiledEffect => ({
      kind: "EFFECT",
      id: step.id,
      onError: undefined,
      step,
      input: this.#templates(input, pointer, step.kind === "httpRequest"),
      where: undefined,
      url: undefined,
      ...more,
    });
    const where = (value: unknown) =>
      value === undefined ? {} : { where: this.#templates(value, [...pointer, "where"]) };
    switch (step.kind) {
      case "createRow":
        return effect({ values: step.values });
      case "listRows":
        return effect({}, where(step.where));
      case "getRow":
        return effect({ key: step.key });
      case "updateRows":
      case "deleteRows": {
        if ((step.key === undefined) === (step.where === undefined)) {
          this.#report(pointer, "The step must have either key or where");
        }
        const values = step.kind === "updateRows" ? { values: step.values } : {};
        return effect({ key: step.key ?? null, ...values }, where(step.where));
      }
      case "httpRequest": {
        const { url, headers, query, auth, body } = step;
        checkRequest(step, (inner, message) => this.#report([...pointer, ...inner], message));
        const before = this.secretUses.length;
        const target = this.#templates(url, [...pointer, "url"], true);
        const rest = { headers, query, auth: auth ?? null, body: body ?? null };
        const compiled = effect(rest, { url: target });
        if (this.secretUses.length > before && !hasFixedOrigin(target)) {
          this.#report(
            [...pointer, "url"],
            "The url of a request with a secret must begin with https://host/ or with a secret",
          );
        }
        return compiled;
      }
      case "sendEmail":
        return effect({
          to: step.to,
          subject: step.subject,
          text: step.text,
          html: step.html ?? null,
          attachments: step.attachments ?? [],
        });
      case "renderDocument":
        return effect({ ...newFileOf(step), language: step.language ?? null, data: step.data });
      case "storeFile":
        return effect({ ...newFileOf(step), content: step.content });
      case "readFile":
        return effect({ file: step.file });
      case "runWorkflow":
        return effect({ input: step.input ?? null });
      default:
        return step satisfies never;
    }
  }

  #templates(value: unknown, pointer: readonly string[], mayNameSecrets = false): TemplateTree {
    const tree = compileTemplates(value, (inner, error) => {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      this.#report([...pointer, ...inner], error.message);
    });
    for (const { template, pointer: inner } of templatesOf(tree)) {
      for (const placeholder of placeholdersOf(template)) {
        const own = [...pointer, ...inner];
        const name = secretNameOf(placeholder);
        if (name !== undefined) this.secretUses.push({ name, path: toPath(own) });
        const [root, key] = placeholder.path;
        if (root === "steps" && key !== undefined) this.#readStep(key, own);
        const message = this.#faultOf(placeholder, mayNameSecrets);
        if (message !== undefined) this.#report(own, message);
      }
    }
    return tree;
  }

  #faultOf({ path: [root, key] }: Placeholder, mayNameSecrets: boolean): string | undefined {
    if (root === "secrets" && !mayNameSecrets) {
      return "A secret is allowed only in the url, headers, query, auth and body of an httpRequest";
    }
    if ((root === "steps" || root === "errors") && (key === undefined || !this.#before.has(key))) {
      return noStepBefore(key ?? "");
    }
    if ((root === "item" || root === "index") && this.#loops === 0) {
      return `${root} is available only inside a forEach`;
    }
    return undefined;
  }

  #condition(
    expression: string,
    pointer: readonly string[],
    place: ConditionPlace = this.#loops > 0 ? "LOOP" : "STEP",
  ): Condition {
    try {
      const condition = compileCondition(expression, place);
      for (const id of condition.steps) this.#readStep(id, pointer);
      for (const id of new Set([...condition.steps, ...condition.errors])) {
        if (!this.#before.has(id)) this.#report(pointer, noStepBefore(id));
      }
      return condition;
    } catch (error) {
      if (!(error instanceof ConditionSyntaxError)) throw error;
      const { message } = error;
      this.#report(pointer, message);
      return {
        steps: new Set(),
        errors: new Set(),
        // A version that an earlier build published: its run reports the fault.
        evaluate: () => {
          throw new RunFault("CONDITION_ERROR", message);
        },
      };
    }
  }
}

function noStepBefore(id: string): string {
  return `There is no step "${id}" before this one`;
}

/** The templates of the row of a new file. */
function newFileOf({ name, title, description, folderId }: StepOf<"renderDocument" | "storeFile">) {
  return {
    name,
    title: title ?? null,
    description: description ?? null,
    folderId: folderId ?? null,
  };
}
