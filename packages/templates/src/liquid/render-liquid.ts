import { setImmediate as nextTurn } from "node:timers/promises";
import { createMutex } from "@rowhouse/limits";
import { csvCell } from "@rowhouse/wire";
import { Context, type Emitter, Liquid } from "liquidjs";

/** Steps of a computation; a step may yield the steps of a part, or a promise. */
type Steps = Iterator<unknown, unknown, unknown>;

/** How long a computation may hold the process up at a time, in milliseconds. */
const turnMs = 5;
/** All computations of this process together take one turn of the event loop each time. */
const turns = createMutex();

/**
 * Executes the steps of a computation in short turns. Between them the process does its other work: it reads requests,
 * sends responses and runs timers.
 *
 * @param activeMsMax maximum processor time of all turns together, in milliseconds
 * @throws what a step throws, and an error above the maximum
 */
async function takeTurns(steps: Steps, activeMsMax: number): Promise<unknown> {
  const computation = new Computation(steps);
  let activeMs = 0;
  for (;;) {
    const release = await turns.acquire();
    let promise: PromiseLike<unknown> | undefined;
    try {
      const began = performance.now();
      const used = process.cpuUsage();
      const until = began + Math.min(turnMs, activeMsMax - activeMs);
      while (!computation.isDone && promise === undefined && performance.now() < until) {
        promise = computation.step();
      }
      // Another process may have had the processor meanwhile, and other threads of this one have used it as well.
      const { user, system } = process.cpuUsage(used);
      activeMs += Math.min(performance.now() - began, (user + system) / 1000);
      if (!computation.isDone && promise === undefined) await nextTurn();
    } finally {
      release();
    }
    if (promise !== undefined) await computation.settle(promise);
    if (computation.isDone) return computation.result;
    if (activeMs >= activeMsMax) throw new Error("template render limit exceeded");
  }
}

/** The stack of steps in progress. */
class Computation {
  readonly #stack: Steps[];
  #next: { readonly kind: "VALUE" | "ERROR"; readonly value: unknown } = {
    kind: "VALUE",
    value: undefined,
  };

  constructor(steps: Steps) {
    this.#stack = [steps];
  }

  get isDone(): boolean {
    return this.#stack.length === 0;
  }

  /** The result. @throws the error that no step has handled */
  get result(): unknown {
    if (this.#next.kind === "ERROR") throw this.#next.value;
    return this.#next.value;
  }

  /** @returns a promise that `settle` must wait for before the next step */
  step(): PromiseLike<unknown> | undefined {
    const top = this.#stack.at(-1);
    if (top === undefined) return undefined;
    const { kind, value } = this.#next;
    let found: IteratorResult<unknown, unknown>;
    try {
      found = kind === "ERROR" && top.throw !== undefined ? top.throw(value) : top.next(value);
    } catch (error) {
      this.#stack.pop();
      this.#next = { kind: "ERROR", value: error };
      return undefined;
    }
    if (found.done === true) this.#stack.pop();
    this.#next = { kind: "VALUE", value: undefined };
    if (isSteps(found.value)) this.#stack.push(found.value);
    else if (isPromise(found.value)) return found.value;
    else this.#next = { kind: "VALUE", value: found.value };
    return undefined;
  }

  async settle(promise: PromiseLike<unknown>): Promise<void> {
    try {
      this.#next = { kind: "VALUE", value: await promise };
    } catch (error) {
      this.#next = { kind: "ERROR", value: error };
    }
  }
}

/** Values of callers are JSON, which has no functions. */
function isSteps(value: unknown): value is Steps {
  return has(value, "next") && has(value, "throw") && has(value, "return");
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return has(value, "then");
}

function has(value: unknown, name: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Readonly<Record<string, unknown>>)[name] === "function"
  );
}

/** Digits as JSON writes them: no formula, although a spreadsheet reads the sign of a text as one. */
const numberText = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Writes the value of a template into CSV: null as an empty cell, an object or list as JSON. */
function csvValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return csvCell(text, !numberText.test(text));
}

/** The text that a template makes: it decides how values are written into it. */
export type TextFormat = "HTML" | "TEXT" | "CSV";

export type Variables = Readonly<Record<string, unknown>>;

export interface LiquidOptions {
  readonly format: TextFormat;
  /** Whether an undefined variable is an error; otherwise it is an empty text. */
  readonly isStrict?: boolean;
  /** The bound of all texts and lists that filters create, in characters and items. */
  readonly memoryMax: number;
  /** The bound of the result, in characters. */
  readonly charactersMax: number;
}

const limits = { parseLimit: 100_000 } as const;
/** The bound of the processor time of a rendering, in milliseconds. */
const activeMsMax = 1000;
// Liquid executes no code of a template, and with an empty map of templates it reads no file.
const options = { ownPropertyOnly: true, templates: {}, strictFilters: true, ...limits } as const;
const engines: Readonly<Record<TextFormat, Liquid>> = {
  TEXT: new Liquid(options),
  HTML: new Liquid({ ...options, outputEscape: "escape" }),
  CSV: new Liquid({ ...options, outputEscape: csvValue }),
};

/**
 * Renders a Liquid template. Values are escaped in HTML, quoted in CSV, and never parsed as a template; `raw` switches
 * this off for one value. A template has at most 100,000 characters and one second of processor time, which it takes in
 * short turns: the process does its other work meanwhile.
 *
 * @throws if Liquid rejects the template, or if it exceeds a bound
 */
export async function renderLiquid(
  source: string,
  values: Variables,
  { format, isStrict = false, memoryMax, charactersMax }: LiquidOptions,
): Promise<string> {
  const liquid = engines[format];
  const bounds = { strictVariables: isStrict, memoryLimit: memoryMax };
  const context = new Context(values, liquid.options, bounds, { liquid });
  const output = new BoundedOutput(charactersMax);
  const steps = liquid.renderer.renderTemplates(liquid.parse(source), context, output);
  await takeTurns(steps, activeMsMax);
  return output.buffer;
}

/** Returns the reason of Liquid's error. It quotes the template, which an administrator wrote. */
export function reasonOf(error: unknown): string {
  const [reason = ""] = (error instanceof Error ? error.message : "").split("\n");
  return reason.slice(0, 200);
}

/** Returns where a template has Liquid's error; undefined for one that has no place, such as a bound. */
export function placeInTemplate(
  error: unknown,
): { readonly line: number; readonly column: number } | undefined {
  const [, line, column] =
    / line:([0-9]+), col:([0-9]+)/.exec(error instanceof Error ? error.message : "") ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** Liquid's own output has no bound: a loop over a large value exceeds the memory within a second. */
class BoundedOutput implements Emitter {
  buffer = "";
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  write(part: unknown): void {
    this.buffer += textOf(part);
    if (this.buffer.length > this.#max) {
      throw new Error(`the result has more than ${this.#max} characters`);
    }
  }
}

/** The text of a value, as in Liquid: null is empty, the items of a list follow one another. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(textOf).join("") : String(value);
}
