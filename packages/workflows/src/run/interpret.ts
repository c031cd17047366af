import { exactNumberText, isExactNumber } from "@rowhouse/json";
import type {
  CompiledDefinition,
  CompiledEffect,
  CompiledForEach,
  CompiledStep,
} from "../definition/compiled.ts";
import { delaySecondsMax } from "../definition/definition.ts";
import { exceedsSize, type JsonObject, mapLeaves, setOwn, sizeOf, toJson } from "../json.ts";
import { renderTree, type TemplateTree } from "../template/render-template.ts";
import { Machine, type Pending } from "./machine.ts";
import { pauseBefore } from "./retry.ts";
import type { JournalEntry, JournalRecord, Outcome } from "./run.ts";
import { RunFault, toRunError } from "./run-fault.ts";
import type { Scope } from "./scope.ts";
import type { Answer, Branch, BranchEnd, ChildEnd, Joined, Request } from "./wait.ts";

/** Characters of JSON, about: what one step may add to the journal. */
const outputSizeMax = 4_194_304;
/** What all steps together may hold in memory and in the journal. */
const totalSizeMax = 33_554_432;
/** Entries of a run's journal. */
const entriesMax = 20_000;
const itemsMax = 10_000;
/** Nothing goes on after this one. */
const tooLarge = "RUN_TOO_LARGE";

/** @throws RunFault OUTPUT_TOO_LARGE */
export function checkOutput(output: unknown): void {
  if (exceedsSize(output, outputSizeMax)) {
    throw new RunFault("OUTPUT_TOO_LARGE", "The output of this step is too large to be kept");
  }
}

/**
 * Runs a definition as a pure state machine: everything it does follows from the input, the journal and the answers it
 * is given. Steps that the journal knows are replayed.
 */
export class Interpretation {
  /** Entries since the last write; the driver writes and clears them. */
  readonly pending: JournalEntry[] = [];
  readonly #machine = new Machine();
  readonly #journal: ReadonlyMap<string, JournalRecord>;
  readonly #clock: () => number;
  readonly #random: () => number;
  #position: number;
  #entries: number;
  #size = 0;

  /** @param clock milliseconds since 1970; @param random from 0 to 1, for the jitter of pauses */
  constructor(
    journal: ReadonlyMap<string, JournalRecord>,
    clock: () => number,
    random: () => number = Math.random,
  ) {
    this.#journal = journal;
    this.#clock = clock;
    this.#random = random;
    this.#position = Math.max(-1, ...Array.from(journal.values(), (one) => one.position)) + 1;
    this.#entries = journal.size;
    for (const { output } of journal.values()) this.#size += sizeOf(output, totalSizeMax);
  }

  /** @returns what is to be carried out or waited for first */
  start(definition: CompiledDefinition, data: unknown): Pending[] {
    const scope: MutableScope = { start: { data }, steps: {}, vars: {}, errors: {} };
    return this.#machine.start(this.#branch(definition.steps, scope, ""));
  }

  /** @returns what is to be carried out or waited for next */
  resume(pending: Pending, answer: Answer): Pending[] {
    if (pending.thread.stopped) this.settle(pending, answer);
    return this.#machine.resume(pending, answer);
  }

  /** Only writes down what an effect came to: nothing follows from it. */
  settle({ request }: Pending, answer: Answer): void {
    if (request.kind !== "EFFECT" || answer.kind === "DUE") return;
    const { path, position, step, attempt } = request;
    const subject = { path, position, kind: step.kind, startedAt: this.#clock(), attempt };
    if (answer.kind === "CHILD") this.#wait(subject, { childRunId: answer.runId });
    else this.#record(subject, answer);
  }

  /** How the run has ended, once it has. */
  get end(): Outcome | undefined {
    const { end } = this.#machine;
    if (end === undefined) return undefined;
    if (end.kind === "FAILED") return { status: "FAILED", result: null, error: end.error };
    const result = end.kind === "DONE" ? end.output : end.result;
    return { status: "SUCCEEDED", result, error: null };
  }

  *#branch(steps: readonly CompiledStep[], scope: MutableScope, prefix: string): Branch {
    const level: Level = { scope, prefix, last: null };
    try {
      const finished = yield* this.#runSteps(steps, level);
      return finished ?? { kind: "DONE", output: level.last };
    } catch (error) {
      if (error instanceof StepFailed) return { kind: "FAILED", error: error.error };
      throw error;
    }
  }

  *#runSteps(steps: readonly CompiledStep[], level: Level): Part {
    for (const step of steps) {
      try {
        const finished = yield* this.#runStep(step, level);
        if (finished !== undefined) return finished;
      } catch (error) {
        if (!(error instanceof StepFailed) || step.onError === undefined) throw error;
        if (error.error.code === tooLarge) throw error;
        const { code, message } = error.error;
        setOwn(level.scope.errors, step.id, { code, message, step: error.error.step });
        setOwn(level.scope.steps, step.id, null);
        const finished = yield* this.#runSteps(step.onError, level);
        if (finished !== undefined) return finished;
      }
    }
    return undefined;
  }

  *#runStep(step: CompiledStep, level: Level): Part {
    const { scope } = level;
    const path = level.prefix + step.id;
    const pure = (kind: string, work: () => unknown) => this.#pure(path, kind, work);
    switch (step.kind) {
      case "EFFECT":
        finish(level, step.id, yield* this.#runEffect(step, path, scope));
        return undefined;
      case "SET_VALUES": {
        const values = pure("setValues", () => renderTree(step.values, scope));
        for (const [key, value] of Object.entries(values as JsonObject)) {
          setOwn(scope.vars, key, value);
        }
        finish(level, step.id, values);
        return undefined;
      }
      case "DELAY":
        finish(level, step.id, yield* this.#runDelay(step, path, scope));
        return undefined;
      case "CONDITION": {
        const holds = pure("condition", () => step.condition.evaluate(scope));
        setOwn(scope.steps, step.id, holds);
        return yield* this.#runSteps(holds === true ? step.whenTrue : step.whenFalse, level);
      }
      case "SWITCH": {
        const value = pure("switch", () => renderTree(step.value, scope));
        setOwn(scope.steps, step.id, value);
        const text = toJson(value);
        const chosen = step.cases.find((one) => one.equals === text);
        return yield* this.#runSteps(chosen?.steps ?? step.otherwise, level);
      }
      case "FOR_EACH":
        return yield* this.#runForEach(step, path, level);
      case "FAIL":
        pure("fail", () => {
          throw new RunFault(step.code, textOf(renderTree(step.message, scope)));
        });
        return undefined;
      case "FINISH":
        return {
          kind: "FINISHED",
          result: pure("finish", () => renderTree(step.result, scope)),
        };
      default:
        return step satisfies never;
    }
  }

  *#runForEach(step: CompiledForEach, path: string, level: Level): Part {
    const known = this.#replay(path);
    if (known !== undefined) {
      finish(level, step.id, known.output);
      return undefined;
    }
    const subject = this.#begin(path, "forEach");
    const { scope } = level;
    let items: readonly unknown[];
    try {
      items = listOf(renderTree(step.items, scope));
    } catch (error) {
      throw this.#fail(subject, error);
    }
    const joined = yield {
      kind: "FORK",
      count: items.length,
      concurrency: step.concurrency,
      // What an item sets and gives stays its own, so the order in which items run cannot be told.
      branch: (index) =>
        this.#branch(
          step.steps,
          {
            start: scope.start,
            steps: { ...scope.steps },
            vars: { ...scope.vars },
            errors: { ...scope.errors },
            item: items[index],
            index,
          },
          `${path}.${index}.`,
        ),
    };
    if (joined.kind === "STOPPED") {
      if (joined.end.kind === "FINISHED") return joined.end;
      if (joined.end.kind === "FAILED") throw this.#failWith(subject, joined.end.error);
    }
    if (joined.kind !== "JOINED") throw new Error("a fork was not joined");
    const output = [...joined.outputs];
    this.#check(subject, output);
    this.#record(subject, { kind: "OUTPUT", output });
    finish(level, step.id, output);
    return undefined;
  }

  *#runDelay(step: Extract<CompiledStep, { kind: "DELAY" }>, path: string, scope: Scope): Waiting {
    const known = this.#replay(path);
    if (known !== undefined) return known.output;
    const subject = this.#begin(path, "delay");
    const record = this.#journal.get(path);
    let dueInMs: number;
    if (record?.status === "WAITING") dueInMs = record.dueInMs ?? 0;
    else {
      try {
        dueInMs =
          step.seconds === undefined
            ? momentOf(renderMaybe(step.until, scope)) - this.#clock()
            : secondsOf(renderTree(step.seconds, scope)) * 1000;
        if (dueInMs > delaySecondsMax * 1000) throw notDelay();
      } catch (error) {
        throw this.#fail(subject, error);
      }
      dueInMs = Math.max(0, Math.ceil(dueInMs));
      this.#wait(subject, { resumeInMs: dueInMs });
    }
    yield { kind: "SLEEP", path, dueInMs };
    this.#record(subject, { kind: "OUTPUT", output: null });
    return null;
  }

  *#runEffect(compiled: CompiledEffect, path: string, scope: Scope): Waiting {
    const known = this.#replay(path);
    if (known !== undefined) return known.output;
    const { step } = compiled;
    const record = this.#journal.get(path);
    const begun = this.#begin(path, step.kind);
    let input: JsonObject;
    try {
      input = renderInput(compiled, scope);
    } catch (error) {
      throw this.#fail(begun, error);
    }
    let attempt = record?.attempt ?? 1;
    let started = record?.status === "STARTED";
    let child = record?.childRunId ?? undefined;
    if (record?.status === "WAITING" && child === undefined) {
      yield { kind: "SLEEP", path, dueInMs: record.dueInMs ?? 0 };
    }
    for (;;) {
      const subject = { ...begun, attempt };
      let answer: Answer | Joined;
      if (child === undefined) {
        const { position } = begun;
        answer = yield { kind: "EFFECT", path, position, step, input, attempt, started };
        if (answer.kind === "CHILD") {
          child = answer.runId;
          const resumeInMs = "timeoutMs" in step ? (step.timeoutMs ?? null) : null;
          this.#wait(subject, { resumeInMs, childRunId: child });
          answer = yield { kind: "CHILD", path, runId: child, dueInMs: resumeInMs };
        }
      } else {
        const end = record?.childEnd;
        const dueInMs = record?.dueInMs ?? null;
        answer =
          end == null ? yield { kind: "CHILD", path, runId: child, dueInMs } : answerOfChild(end);
      }
      if (answer.kind === "DUE") answer = { kind: "FAULT", error: stepTimeout() };
      if (answer.kind === "OUTPUT") {
        this.#check(subject, answer.output);
        this.#record(subject, answer);
        return answer.output;
      }
      if (answer.kind !== "FAULT") throw new Error("an effect has neither output nor fault");
      const pause = pauseBefore(step, attempt, answer.error, this.#random);
      if (pause === undefined) throw this.#fail(subject, answer.error);
      attempt += 1;
      started = false;
      child = undefined;
      const error = toRunError(answer.error, step.id);
      this.#wait({ ...begun, attempt }, { resumeInMs: pause, error });
      yield { kind: "SLEEP", path, dueInMs: pause };
    }
  }

  #pure(path: string, kind: string, work: () => unknown): unknown {
    const known = this.#replay(path);
    if (known !== undefined) return known.output;
    const subject = this.#begin(path, kind);
    let output: unknown;
    try {
      output = work();
    } catch (error) {
      throw this.#fail(subject, error);
    }
    this.#check(subject, output);
    this.#record(subject, { kind: "OUTPUT", output });
    return output;
  }

  #replay(path: string): { readonly output: unknown } | undefined {
    const record = this.#journal.get(path);
    if (record?.status === "SUCCEEDED") return { output: record.output };
    if (record?.status === "FAILED") {
      throw new StepFailed(record.error ?? toRunError(undefined, stepOf(path)));
    }
    return undefined;
  }

  #begin(path: string, kind: string): Subject {
    const known = this.#journal.get(path)?.position;
    const position = known ?? this.#position;
    if (known === undefined) this.#position += 1;
    return { path, position, kind, startedAt: this.#clock(), attempt: 1 };
  }

  #check(subject: Subject, output: unknown): void {
    try {
      checkOutput(output);
    } catch (error) {
      throw this.#fail(subject, error);
    }
  }

  #wait(subject: Subject, more: Partial<JournalEntry>): void {
    this.#push({ ...subject, ...nothingYet, status: "WAITING", ...more });
  }

  #record(subject: Subject, outcome: Extract<Answer, { kind: "OUTPUT" | "FAULT" }>): void {
    const isOutput = outcome.kind === "OUTPUT";
    this.#push({
      ...subject,
      ...nothingYet,
      status: isOutput ? "SUCCEEDED" : "FAILED",
      output: isOutput ? outcome.output : null,
      error: isOutput ? null : toRunError(outcome.error, stepOf(subject.path)),
      finishedAt: this.#clock(),
    });
  }

  #push(entry: JournalEntry): void {
    this.#entries += 1;
    this.#size += sizeOf(entry.output, totalSizeMax);
    if (entry.status === "SUCCEEDED" && (this.#entries > entriesMax || this.#size > totalSizeMax)) {
      const error = new RunFault(tooLarge, "The steps of this run are more than can be kept");
      throw this.#fail(entry, error);
    }
    this.pending.push(entry);
  }

  #fail(subject: Subject, error: unknown): StepFailed {
    this.#record(subject, { kind: "FAULT", error });
    return new StepFailed(toRunError(error, stepOf(subject.path)));
  }

  /** A step that failed because of one inside it. */
  #failWith(subject: Subject, error: StepFailed["error"]): StepFailed {
    const finishedAt = this.#clock();
    this.#push({ ...subject, ...nothingYet, status: "FAILED", error, finishedAt });
    return new StepFailed(error);
  }
}

type Subject = Pick<JournalEntry, "path" | "position" | "kind" | "startedAt" | "attempt">;
type Finished = Extract<BranchEnd, { kind: "FINISHED" }>;
type Part = Generator<
  Branch extends Generator<infer Yielded> ? Yielded : never,
  Finished | undefined,
  Answer | Joined
>;
type Waiting = Generator<Request, unknown, Answer | Joined>;

interface MutableScope extends Scope {
  readonly steps: Record<string, unknown>;
  readonly vars: Record<string, unknown>;
  readonly errors: Record<string, unknown>;
}

/** The run itself, or one item of a loop. */
interface Level {
  readonly scope: MutableScope;
  /** Before the ids of its steps: `loop.3.` */
  readonly prefix: string;
  last: unknown;
}

const nothingYet = {
  output: null,
  error: null,
  finishedAt: null,
  resumeInMs: null,
  childRunId: null,
} as const;

/** Unwinds the tree; its error is the run's, where no step takes it. */
class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly error: ReturnType<typeof toRunError>;

  constructor(error: ReturnType<typeof toRunError>) {
    super(error.message);
    this.error = error;
  }
}

function finish(level: Level, id: string, output: unknown): void {
  setOwn(level.scope.steps, id, output);
  level.last = output;
}

/** The id of the step at a path. */
function stepOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function answerOfChild({ status, result, error }: ChildEnd): Answer {
  if (status === "SUCCEEDED") return { kind: "OUTPUT", output: result };
  const reason = error === null ? "it was cancelled" : `${error.code}: ${error.message}`;
  return {
    kind: "FAULT",
    error: new RunFault("SUBWORKFLOW_FAILED", `The workflow that was run failed, ${reason}`),
  };
}

/** What a step that took too long fails with. */
export function stepTimeout(): RunFault {
  return new RunFault("STEP_TIMEOUT", "The step did not end within its time limit");
}

function renderInput({ step, input: tree, where, url }: CompiledEffect, scope: Scope): JsonObject {
  const input = renderTree(tree, scope) as JsonObject;
  return {
    ...input,
    // What the filter language would read in a value is kept from being read there.
    ...(where === undefined
      ? {}
      : { where: renderTree(where, scope, { produced: escapeVariables }) }),
    ...(url === undefined ? {} : { url: renderTree(url, scope, { interpolated: encodeUrlPart }) }),
    ...("key" in step && step.key !== undefined ? { key: keyOf(input.key) } : {}),
  };
}

/** A key's values as texts. */
function keyOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.map((one: unknown) => {
    if (typeof one === "string") return one;
    const digits = exactNumberText(one) ?? (typeof one === "number" ? String(one) : undefined);
    if (digits === undefined) throw new RunFault("TEMPLATE_ERROR", "A key is a text or a number");
    return digits;
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RunFault("TEMPLATE_ERROR", "The items are no list");
  if (value.length > itemsMax) {
    throw new RunFault("TOO_MANY_ITEMS", `A list to go through has at most ${itemsMax} items`);
  }
  return value;
}

function renderMaybe(tree: TemplateTree | undefined, scope: Scope): unknown {
  return tree === undefined ? undefined : renderTree(tree, scope);
}

function secondsOf(value: unknown): number {
  const seconds =
    typeof value === "string" && value.trim() === "" ? Number.NaN : Number(textOf(value));
  if (!Number.isFinite(seconds) || seconds < 0) throw notDelay();
  return seconds;
}

function momentOf(value: unknown): number {
  const isMoment =
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?))?$/i.test(value);
  const moment = isMoment ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) throw notDelay();
  return moment;
}

function notDelay(): RunFault {
  return new RunFault(
    "DELAY_INVALID",
    "This is neither a number of seconds nor a moment within a year",
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isExactNumber(value) ? (exactNumberText(value) ?? "") : toJson(value);
}

/** `$USER.email` that a caller sent stays a text: the filter language writes it `$$USER.email`. */
function escapeVariables(value: unknown): unknown {
  return mapLeaves(value, (leaf) =>
    typeof leaf === "string" && /^\$(?:USER\.|NOW$|PERIOD\.)/.test(leaf) ? `$${leaf}` : leaf,
  );
}

/** A value as one part of a URL's path or query. */
function encodeUrlPart(text: string, part: number): string {
  // A placeholder that begins the URL is its origin, which the definition's author chose to take from a value.
  if (part === 0) return text;
  if (text === "." || text === "..") {
    throw new RunFault("TEMPLATE_ERROR", "A value inside a URL cannot be a dot segment");
  }
  return encodeURIComponent(text);
}
