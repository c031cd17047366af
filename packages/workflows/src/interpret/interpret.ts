import { ComputeBudget, tooCostly } from "../base/compute-budget.ts";
import type { BranchContext, ExpressionContext } from "../base/expression-context.ts";
import { type JsonObject, setOwn } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import {
  type CompiledDefinition,
  type CompiledForEach,
  type CompiledStep,
  caseKey,
} from "../compile/compiled.ts";
import type { JournalEntry, JournalRecord, Outcome } from "../model/run.ts";
import { tokenEnded } from "../model/run-token.ts";
import { renderTree, type TemplateTree } from "../template/render-template.ts";
import { runDelay } from "./delay-step.ts";
import { runEffectStep } from "./effect-step.ts";
import { Machine, type Pending } from "./machine.ts";
import { renderedTextOf } from "./render-input.ts";
import { tooLarge } from "./run-bounds.ts";
import { RunJournal, type StepObserver } from "./run-journal.ts";
import { StepFailed } from "./step-failed.ts";
import type { BranchGenerator, EffectAnswer, Part } from "./wait.ts";

const itemsMax = 10_000;

/**
 * Runs a loop's steps for each item, at most `concurrency` items at once.
 *
 * @param branch runs the steps of one item; their paths begin with the prefix
 * @returns the output of each item's last step, or the end of the run if an item finished it
 */
function* runForEach(
  journal: RunJournal,
  step: CompiledForEach,
  path: string,
  context: ExpressionContext,
  branch: (context: BranchContext, prefix: string) => BranchGenerator,
): Part<{ readonly kind: "DONE"; readonly output: unknown }> {
  const { budget } = journal;
  journal.reach(path, () => ({ items: renderTree(step.items, context, { budget }) }));
  const steps = (index: number, item: unknown) =>
    branch(contextOf(context, item, index), `${path}.${index}.`);
  if (journal.isObserved) visitItems(step, context, budget, journal.recordedItems(path), steps);
  const ended = journal.replay(path);
  if (ended !== undefined) return { kind: "DONE", output: ended.output };
  // A reader stops at an open loop: no step after it has been reached, and a reader gets no answers.
  if (journal.isObserved) yield { kind: "SLEEP", path, dueInMs: 0 };
  const subject = journal.begin(path, "forEach");
  let items: readonly unknown[];
  try {
    items = listOf(renderTree(step.items, context, { budget }));
  } catch (error) {
    throw journal.fail(subject, error);
  }
  const joined = yield {
    kind: "FORK",
    count: items.length,
    concurrency: journal.isTrial ? 1 : step.concurrency,
    branch: (index) => steps(index, items[index]),
  };
  if (joined.kind === "STOPPED") {
    if (joined.end.kind === "FINISHED") return joined.end;
    if (joined.end.kind === "FAILED") throw journal.failWith(subject, joined.end.error);
  }
  if (joined.kind !== "JOINED") throw new Error("a fork was not joined");
  const output = [...joined.outputs];
  journal.succeed(subject, output);
  return { kind: "DONE", output };
}

/**
 * Visits the steps of the recorded items, also of a loop that has ended. A branch stops where the journal ends. Loops in
 * a loop can have millions of items, and a run that has ended early has recorded few of them.
 */
function visitItems(
  step: CompiledForEach,
  context: ExpressionContext,
  budget: ComputeBudget,
  recorded: ReadonlySet<number>,
  branch: (index: number, item: unknown) => BranchGenerator,
): void {
  let items: readonly unknown[];
  try {
    items = listOf(renderTree(step.items, context, { budget }));
  } catch {
    return;
  }
  for (const index of recorded) {
    if (index < items.length) branch(index, items[index]).next();
  }
}

/**
 * Creates the context of one item. Its variables and outputs stay its own, so results do not depend on the order of
 * items.
 */
function contextOf(
  { start, steps, vars, errors }: ExpressionContext,
  item: unknown,
  index: number,
): BranchContext {
  return { start, steps: { ...steps }, vars: { ...vars }, errors: { ...errors }, item, index };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RunFault("TEMPLATE_ERROR", "items must be a list");
  if (value.length > itemsMax) {
    throw new RunFault("TOO_MANY_ITEMS", `items must have at most ${itemsMax} entries`);
  }
  return value;
}

/**
 * How long a run computes, in milliseconds, before the process does other work: requests, heartbeats, time limits.
 */
const pauseAfterMsDefault = 20;

export interface InterpretationOptions {
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** From 0 to 1, for the jitter of pauses. */
  readonly random?: () => number;
  /** Set for a reader, who follows the recorded steps and carries nothing out. */
  readonly observer?: StepObserver;
  readonly budget?: ComputeBudget;
  readonly pauseAfterMs?: number;
  /** The step whose first end ends the run. */
  readonly until?: string | null | undefined;
  /** Whether nothing is carried out for good: pauses end at once, and loops run their items one by one. */
  readonly isTrial?: boolean | undefined;
}

/**
 * Executes a definition as a pure state machine: its behavior depends only on the input, the journal and the answers
 * that it receives. Steps in the journal are replayed.
 */
export class Interpretation {
  readonly #machine = new Machine();
  readonly #journal: RunJournal;
  readonly #random: () => number;
  readonly #pauseAfterMs: number;
  readonly #until: string | null;
  /** Whether the step that ends the run has failed: no handler runs after it. */
  #hasFailed = false;
  /** Start of the current computation, on the clock of `performance`. */
  #since = 0;

  constructor(
    journal: ReadonlyMap<string, JournalRecord>,
    {
      clock = Date.now,
      random = Math.random,
      observer,
      budget = new ComputeBudget(),
      pauseAfterMs = pauseAfterMsDefault,
      until = null,
      isTrial,
    }: InterpretationOptions = {},
  ) {
    this.#journal = new RunJournal(journal, clock, budget, { observer, isTrial });
    this.#until = until;
    this.#random = random;
    // A reader gets no answer to a pause.
    this.#pauseAfterMs = observer === undefined ? pauseAfterMs : Number.POSITIVE_INFINITY;
  }

  /** Entries since the last write; the driver writes and clears them. */
  get pending(): JournalEntry[] {
    return this.#journal.pending;
  }

  /** @returns the first requests to carry out or wait for */
  start(definition: CompiledDefinition, data: unknown): Pending[] {
    const context: BranchContext = { start: { data }, steps: {}, vars: {}, errors: {} };
    this.#since = performance.now();
    return this.#machine.start(this.#branch(definition.steps, context, ""));
  }

  /** @returns the next requests to carry out or wait for */
  resume(pending: Pending, answer: EffectAnswer): Pending[] {
    this.#since = performance.now();
    if (pending.thread.stopped) this.settle(pending, answer);
    return this.#machine.resume(pending, answer);
  }

  /** Records the outcome of an effect without continuing from it. */
  settle({ request }: Pending, answer: EffectAnswer): void {
    if (request.kind !== "EFFECT" || answer.kind === "DUE") return;
    const { path, position, step, attempt } = request;
    const subject = { path, position, kind: step.kind, startedAt: this.#journal.now(), attempt };
    if (answer.kind === "CHILD") {
      this.#journal.wait(subject, { childRunId: answer.runId });
      return;
    }
    try {
      this.#journal.conclude(subject, answer);
    } catch (error) {
      // The failure is recorded instead.
      if (!(error instanceof StepFailed)) throw error;
    }
  }

  /** The end of the run, once it has ended. */
  get end(): Outcome | undefined {
    const { end } = this.#machine;
    if (end === undefined) return undefined;
    if (end.kind === "FAILED") return { status: "FAILED", result: null, error: end.error };
    const result = end.kind === "DONE" ? end.output : end.result;
    return { status: "SUCCEEDED", result, error: null };
  }

  *#branch(
    steps: readonly CompiledStep[],
    context: BranchContext,
    prefix: string,
  ): BranchGenerator {
    const level: Level = { context, prefix, last: null };
    try {
      const finished = yield* this.#runSteps(steps, level);
      return finished ?? { kind: "DONE", output: level.last };
    } catch (error) {
      if (error instanceof StepFailed) return { kind: "FAILED", error: error.error };
      throw error;
    }
  }

  *#runSteps(steps: readonly CompiledStep[], level: Level): Part<undefined> {
    for (const step of steps) {
      if (performance.now() - this.#since >= this.#pauseAfterMs) yield { kind: "PAUSE" };
      try {
        const finished = yield* this.#runStep(step, level);
        if (finished !== undefined) return finished;
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error;
        if (step.id === this.#until) this.#hasFailed = true;
        if (this.#hasFailed || step.onError === undefined) throw error;
        if ([tooLarge, tooCostly, tokenEnded].includes(error.error.code)) throw error;
        const { code, message } = error.error;
        setOwn(level.context.errors, step.id, { code, message, step: error.error.step });
        setOwn(level.context.steps, step.id, null);
        const finished = yield* this.#runSteps(step.onError, level);
        if (finished !== undefined) return finished;
      }
      if (step.id === this.#until) {
        return { kind: "FINISHED", result: level.context.steps[step.id] ?? null };
      }
    }
    return undefined;
  }

  *#runStep(step: CompiledStep, level: Level): Part<undefined> {
    const { context } = level;
    const path = level.prefix + step.id;
    const journal = this.#journal;
    const { budget } = journal;
    const render = (tree: TemplateTree) => renderTree(tree, context, { budget });
    switch (step.kind) {
      case "DISABLED":
        // As the steps of a way that is not taken, it is not in the journal.
        setOwn(context.steps, step.id, null);
        return undefined;
      case "EFFECT":
        finish(level, step.id, yield* runEffectStep(journal, step, path, context, this.#random));
        return undefined;
      case "SET_VALUES": {
        const values = journal.calculate(path, "setValues", () => render(step.values));
        for (const [key, value] of Object.entries(values as JsonObject)) {
          setOwn(context.vars, key, value);
        }
        finish(level, step.id, values);
        return undefined;
      }
      case "DELAY":
        finish(level, step.id, yield* runDelay(journal, step, path, context));
        return undefined;
      case "CONDITION": {
        const holds = journal.calculate(path, "condition", () =>
          step.condition.evaluate(context, budget),
        );
        setOwn(context.steps, step.id, holds);
        return yield* this.#runSteps(holds === true ? step.whenTrue : step.whenFalse, level);
      }
      case "SWITCH": {
        const value = journal.calculate(path, "switch", () => render(step.value));
        setOwn(context.steps, step.id, value);
        const key = caseKey(value);
        const chosen = step.cases.find((one) => one.equals === key);
        return yield* this.#runSteps(chosen?.steps ?? step.otherwise, level);
      }
      case "FOR_EACH": {
        const done = yield* runForEach(journal, step, path, context, (inner, prefix) =>
          this.#branch(step.steps, inner, prefix),
        );
        if (done.kind === "FINISHED") return done;
        finish(level, step.id, done.output);
        return undefined;
      }
      case "FAIL":
        journal.calculate(path, "fail", () => {
          throw new RunFault(step.code, renderedTextOf(render(step.message)));
        });
        return undefined;
      case "FINISH": {
        const result = journal.calculate(path, "finish", () => render(step.result));
        return { kind: "FINISHED", result };
      }
      default:
        return step satisfies never;
    }
  }
}

/** The run itself, or one item of a loop. */
interface Level {
  readonly context: BranchContext;
  /** The prefix of its step paths, such as `loop.3.` */
  readonly prefix: string;
  last: unknown;
}

function finish(level: Level, id: string, output: unknown): void {
  setOwn(level.context.steps, id, output);
  level.last = output;
}
