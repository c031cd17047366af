import type { CompiledDefinition, CompiledStep } from "../definition/compile-definition.ts";
import type { EffectStep } from "../definition/definition.ts";
import { exceedsSize, type JsonObject, mapLeaves, setOwn } from "../json.ts";
import { type RenderOptions, renderTree } from "../template/render-template.ts";
import type { JournalEntry, JournalRecord, Outcome } from "./run.ts";
import { RunFault, toRunError } from "./run-fault.ts";
import type { Scope } from "./scope.ts";

/** An effect that the run waits for. */
export interface EffectRequest {
  readonly path: string;
  readonly position: number;
  readonly step: EffectStep;
  /** The step's templates, filled in. */
  readonly input: JsonObject;
  /** The intent that a journal holds of an earlier attempt whose outcome is unknown. */
  readonly started: boolean;
}

/** What an effect came to. */
export type EffectOutcome =
  | { readonly kind: "OUTPUT"; readonly output: unknown }
  | { readonly kind: "FAULT"; readonly error: unknown };

export interface Interpretation {
  /** Entries of pure steps since the last effect, and of the effect itself; the driver writes and clears them. */
  readonly pending: JournalEntry[];
  readonly steps: Generator<EffectRequest, Outcome, EffectOutcome>;
}

/** Characters of JSON, about: what one step may add to the journal. */
const outputSizeMax = 4_194_304;

/** @throws RunFault OUTPUT_TOO_LARGE */
export function checkOutput(output: unknown): void {
  if (exceedsSize(output, outputSizeMax)) {
    throw new RunFault("OUTPUT_TOO_LARGE", "The output of this step is too large to be kept");
  }
}

interface Finished {
  readonly result: unknown;
}

/**
 * Runs a definition as a pure state machine: everything it does follows from the input and the journal. Steps that the
 * journal knows are replayed; each effect is yielded, and its outcome passed back in.
 */
export function interpret(
  definition: CompiledDefinition,
  data: unknown,
  journal: ReadonlyMap<string, JournalRecord>,
  clock: () => number,
): Interpretation {
  const run = new Run(data, journal, clock);
  return { pending: run.pending, steps: run.run(definition) };
}

class Run {
  readonly pending: JournalEntry[] = [];
  readonly #journal: ReadonlyMap<string, JournalRecord>;
  readonly #clock: () => number;
  readonly #steps: Record<string, unknown> = {};
  readonly #vars: Record<string, unknown> = {};
  readonly #scope: Scope;
  #position = 0;
  #last: unknown = null;

  constructor(data: unknown, journal: ReadonlyMap<string, JournalRecord>, clock: () => number) {
    this.#journal = journal;
    this.#clock = clock;
    this.#scope = { start: { data }, steps: this.#steps, vars: this.#vars };
  }

  *run(definition: CompiledDefinition): Generator<EffectRequest, Outcome, EffectOutcome> {
    try {
      const finished = yield* this.#runSteps(definition.steps);
      const result = finished === undefined ? this.#last : finished.result;
      return { status: "SUCCEEDED", result, error: null };
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      return { status: "FAILED", result: null, error: error.error };
    }
  }

  *#runSteps(
    steps: readonly CompiledStep[],
  ): Generator<EffectRequest, Finished | undefined, EffectOutcome> {
    for (const step of steps) {
      const position = this.#position;
      this.#position += 1;
      switch (step.kind) {
        case "EFFECT":
          this.#finish(step.step.id, yield* this.#runEffect(step, position));
          break;
        case "SET_VALUES": {
          const values = this.#pure(step.id, "setValues", position, () =>
            renderTree(step.values, this.#scope),
          );
          for (const [key, value] of Object.entries(values as JsonObject)) {
            setOwn(this.#vars, key, value);
          }
          this.#finish(step.id, values);
          break;
        }
        case "CONDITION": {
          const holds = this.#pure(step.id, "condition", position, () =>
            step.condition.evaluate(this.#scope),
          );
          setOwn(this.#steps, step.id, holds);
          const finished = yield* this.#runSteps(holds === true ? step.whenTrue : step.whenFalse);
          if (finished !== undefined) return finished;
          break;
        }
        case "FINISH":
          return {
            result: this.#pure(step.id, "finish", position, () =>
              renderTree(step.result, this.#scope),
            ),
          };
        default:
          step satisfies never;
      }
    }
    return undefined;
  }

  #finish(id: string, output: unknown): void {
    setOwn(this.#steps, id, output);
    this.#last = output;
  }

  #pure(path: string, kind: string, position: number, work: () => unknown): unknown {
    const known = this.#replay(path);
    if (known !== undefined) return known.output;
    const startedAt = this.#clock();
    try {
      const output = work();
      checkOutput(output);
      this.#record({ path, position, kind, startedAt }, { kind: "OUTPUT", output });
      return output;
    } catch (error) {
      throw this.#fail({ path, position, kind, startedAt }, error);
    }
  }

  *#runEffect(
    { step, input: tree, url }: Extract<CompiledStep, { kind: "EFFECT" }>,
    position: number,
  ): Generator<EffectRequest, unknown, EffectOutcome> {
    const path = step.id;
    const known = this.#replay(path);
    if (known !== undefined) return known.output;
    const subject = { path, position, kind: step.kind, startedAt: this.#clock() };
    let input: JsonObject;
    try {
      input = renderTree(tree, this.#scope, renderOptionsOf(step)) as JsonObject;
      if (url !== undefined) {
        const address = renderTree(url, this.#scope, { interpolated: encodeUrlPart });
        input = { ...input, url: address };
      }
    } catch (error) {
      throw this.#fail(subject, error);
    }
    const started = this.#journal.get(path)?.status === "STARTED";
    const outcome = yield { path, position, step, input, started };
    if (outcome.kind === "FAULT") throw this.#fail(subject, outcome.error);
    this.#record(subject, outcome);
    return outcome.output;
  }

  #replay(path: string): { readonly output: unknown } | undefined {
    const record = this.#journal.get(path);
    if (record === undefined || record.status === "STARTED") return undefined;
    if (record.status === "SUCCEEDED") return { output: record.output };
    throw new StepFailed(record.error ?? toRunError(undefined, path));
  }

  #record(subject: Subject, outcome: EffectOutcome): void {
    const isOutput = outcome.kind === "OUTPUT";
    this.pending.push({
      ...subject,
      status: isOutput ? "SUCCEEDED" : "FAILED",
      output: isOutput ? outcome.output : null,
      error: isOutput ? null : toRunError(outcome.error, subject.path),
      finishedAt: this.#clock(),
    });
  }

  #fail(subject: Subject, error: unknown): StepFailed {
    this.#record(subject, { kind: "FAULT", error });
    return new StepFailed(toRunError(error, subject.path));
  }
}

type Subject = Pick<JournalEntry, "path" | "position" | "kind" | "startedAt">;

/** Unwinds the tree; its error is the run's. */
class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly error: ReturnType<typeof toRunError>;

  constructor(error: ReturnType<typeof toRunError>) {
    super(error.message);
    this.error = error;
  }
}

/** What a step's own language would read in a value is kept from being read there. */
function renderOptionsOf(step: EffectStep): RenderOptions {
  return step.kind === "listRows" ? { produced: escapeVariables } : {};
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
