import { setImmediate as nextTurn } from "node:timers/promises";
import { createMutex } from "@rowhouse/limits";

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
 * @param activeMsMax maximum time of all turns together, in milliseconds; time between them does not count
 * @throws what a step throws, and an error above the maximum
 */
export async function takeTurns(steps: Steps, activeMsMax: number): Promise<unknown> {
  const computation = new Computation(steps);
  let activeMs = 0;
  for (;;) {
    const release = await turns.acquire();
    let promise: PromiseLike<unknown> | undefined;
    try {
      const began = performance.now();
      const until = began + Math.min(turnMs, activeMsMax - activeMs);
      while (!computation.isDone && promise === undefined && performance.now() < until) {
        promise = computation.step();
      }
      activeMs += performance.now() - began;
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
