import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RunFault } from "../src/base/run-fault.ts";
import { compileDefinition, type DefinitionInput, parseDefinition } from "../src/index.ts";
import { Interpretation } from "../src/interpret/interpret.ts";
import type { Pending } from "../src/interpret/machine.ts";
import { JournalSize } from "../src/interpret/run-bounds.ts";
import type { JournalEntry, JournalRecord, Outcome } from "../src/model/run.ts";

/**
 * Runs generated definitions with workers that are interleaved and killed at any point, and compares them with a model
 * without waits, journals and claims, which walks the tree once.
 */

type Steps = DefinitionInput["steps"];
type Plan =
  | {
      readonly kind: "row";
      readonly faults: number;
      readonly attempts: number;
      readonly goesOn: boolean;
    }
  | { readonly kind: "delay" }
  | { readonly kind: "branch"; readonly holds: boolean; readonly steps: readonly Plan[] }
  | {
      readonly kind: "loop";
      readonly items: number;
      readonly concurrency: number;
      readonly goesOn: boolean;
      readonly steps: readonly Plan[];
    };

const { plans } = fc.letrec<{ plans: Plan[]; plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 3, depthIdentifier: "plan" },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("row" as const),
        faults: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
        attempts: fc.integer({ min: 1, max: 3 }),
        goesOn: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: "delay" as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("branch" as const),
        holds: fc.boolean(),
        steps: tie("plans"),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("loop" as const),
        items: fc.integer({ min: 0, max: 4 }),
        concurrency: fc.integer({ min: 1, max: 3 }),
        goesOn: fc.boolean(),
        steps: tie("plans"),
      }),
    },
  ) as fc.Arbitrary<Plan>,
  plans: fc.array(tie("plan"), { minLength: 1, maxLength: 3, depthIdentifier: "plan" }),
}));

/** The definition of a plan. `faults` holds how often the row step with an id fails before it succeeds. */
function define(all: readonly Plan[], faults: Map<string, number>): Steps {
  let count = 0;
  const steps = (list: readonly Plan[]): Steps =>
    list.map((plan) => {
      count += 1;
      const id = `s${count}`;
      switch (plan.kind) {
        case "row":
          faults.set(id, plan.faults);
          return {
            id,
            kind: "createRow" as const,
            table: "t",
            values: {},
            retry: { attempts: plan.attempts, delayMs: 100 },
            onError: plan.goesOn ? ("continue" as const) : ("fail" as const),
          };
        case "delay":
          return { id, kind: "delay" as const, seconds: 1 };
        case "branch":
          return {
            id,
            kind: "condition" as const,
            expression: String(plan.holds),
            // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
            then: steps(plan.steps),
          };
        case "loop":
          return {
            id,
            kind: "forEach" as const,
            items: Array.from({ length: plan.items }, (_, index) => index),
            concurrency: plan.concurrency,
            onError: plan.goesOn ? ("continue" as const) : ("fail" as const),
            steps: steps(plan.steps),
          };
        default:
          return plan satisfies never;
      }
    });
  return steps(all);
}

/** The model's result: how the run ends, and how often each effect succeeds. The order of items is not fixed. */
function walk(
  list: Steps,
  prefix: string,
  effects: Map<string, number>,
  faults: Map<string, number>,
) {
  for (const step of list) {
    const path = prefix + step.id;
    let hasFailed = false;
    if (step.kind === "createRow") {
      hasFailed = (faults.get(step.id) ?? 0) >= (step.retry?.attempts ?? 1);
      if (!hasFailed) effects.set(path, 1);
    } else if (step.kind === "condition" && step.expression === "true") {
      if (!walk(step.then ?? [], prefix, effects, faults)) return false;
    } else if (step.kind === "forEach") {
      for (let index = 0; index < (step.items as unknown[]).length; index += 1) {
        // All items do the same, so every item that gets as far fails at the same step.
        if (!walk(step.steps, `${path}.${index}.`, effects, faults)) {
          hasFailed = true;
          break;
        }
      }
    }
    if (hasFailed && (!("onError" in step) || step.onError !== "continue")) return false;
  }
  return true;
}

/** A database of one run: its journal and the results of its effects, under a fencing number. */
class Store {
  readonly journal = new Map<string, JournalEntry>();
  readonly effects = new Map<string, number>();
  fence = 0;
  end: Outcome | undefined;

  /** @returns false for an old fencing number or an ended run; then nothing is written */
  commit(
    fence: number,
    entries: readonly JournalEntry[],
    effect: string | undefined,
    end: Outcome | undefined,
  ) {
    if (fence !== this.fence || this.end !== undefined) return false;
    for (const entry of entries) {
      const known = this.journal.get(entry.path)?.status;
      if (known === "SUCCEEDED" || known === "FAILED")
        throw new Error(`${entry.path} is written twice`);
      this.journal.set(entry.path, entry);
    }
    if (effect !== undefined) this.effects.set(effect, (this.effects.get(effect) ?? 0) + 1);
    this.end = end;
    return true;
  }

  records(): Map<string, JournalRecord> {
    return new Map(
      Array.from(this.journal, ([path, entry]) => [
        path,
        { ...entry, dueInMs: entry.resumeInMs, childEnd: null },
      ]),
    );
  }
}

/** A claim: the state machine, and the requests that it waits for. Its state ends with it. */
class Worker {
  readonly #store: Store;
  readonly #fence: number;
  readonly #faults: Map<string, number>;
  readonly #interpretation: Interpretation;
  readonly #waiting: Pending[] = [];
  isGone = false;

  constructor(store: Store, steps: Steps, faults: Map<string, number>) {
    this.#store = store;
    this.#faults = faults;
    store.fence += 1;
    this.#fence = store.fence;
    this.#interpretation = new Interpretation(store.records(), {
      clock: () => 0,
      random: () => 0.5,
      // Every other worker pauses before each step, as a busy process does.
      pauseAfterMs: store.fence % 2 === 0 ? 0 : Number.POSITIVE_INFINITY,
    });
    const definition = parseDefinition(
      { trigger: { kind: "webhook", executeAs: user }, steps },
      "",
    );
    const { compiled, faults: invalid } = compileDefinition(definition);
    if (invalid.length > 0) throw new Error("the generated definition is not valid");
    this.#take(this.#interpretation.start(compiled, {}));
    if (this.#waiting.length === 0) this.#write(undefined);
  }

  /** Carries out any one of the requests that the machine waits for. */
  step(choice: number): void {
    const open = this.#waiting.filter((pending) => !pending.withdrawn);
    const pending = open[choice % Math.max(1, open.length)];
    if (pending === undefined || this.isGone) return;
    this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    const { request } = pending;
    if (request.kind === "EFFECT") {
      const fails = request.attempt <= (this.#faults.get(request.step.id) ?? 0);
      const next = this.#interpretation.resume(
        pending,
        fails ? { kind: "FAULT", error: new RunFault("NO", "no") } : { kind: "OUTPUT", output: 1 },
      );
      if (this.#write(fails ? undefined : request.path)) this.#take(next);
    } else {
      const next = this.#interpretation.resume(pending, { kind: "DUE" });
      if (this.#write(undefined)) this.#take(next);
    }
  }

  #take(next: readonly Pending[]): void {
    for (const pending of next) {
      // A few effects are in progress at once, as in the driver.
      if (pending.request.kind === "EFFECT") pending.started = true;
      this.#waiting.push(pending);
    }
  }

  #write(effect: string | undefined): boolean {
    const entries = this.#interpretation.pending.splice(0);
    const isHeld = this.#store.commit(this.#fence, entries, effect, this.#interpretation.end);
    if (!isHeld || this.#store.end !== undefined) this.isGone = true;
    return isHeld;
  }
}

const user = "00000000-0000-4000-8000-000000000001";

interface Model {
  readonly isOk: boolean;
  readonly effects: ReadonlyMap<string, number>;
}
interface Real {
  readonly store: Store;
  readonly workers: Worker[];
  readonly claim: () => void;
}

class Step implements fc.Command<Model, Real> {
  readonly #worker: number;
  readonly #choice: number;
  constructor(worker: number, choice: number) {
    this.#worker = worker;
    this.#choice = choice;
  }
  check = () => true;
  run(model: Model, real: Real): void {
    real.workers[this.#worker % Math.max(1, real.workers.length)]?.step(this.#choice);
    checkInvariants(model, real);
  }
  toString = () => `step(${this.#worker}, ${this.#choice})`;
}

/** A lease expired: another worker claims the run, and the earlier one is not notified. */
class Claim implements fc.Command<Model, Real> {
  check = () => true;
  run(model: Model, real: Real): void {
    real.claim();
    checkInvariants(model, real);
  }
  toString = () => "claim";
}

class Kill implements fc.Command<Model, Real> {
  check = () => true;
  run(_model: Model, real: Real): void {
    real.workers.shift();
  }
  toString = () => "kill";
}

function checkInvariants(model: Model, { store }: Real): void {
  for (const [path, count] of store.effects) {
    expect(count, path).toBe(1);
    expect(store.journal.get(path)?.status, path).toBe("SUCCEEDED");
  }
  if (store.end !== undefined) {
    expect(store.end.status).toBe(model.isOk ? "SUCCEEDED" : "FAILED");
    if (model.isOk && !hasFailedLoop(store)) {
      expect([...store.effects.keys()].sort()).toEqual([...model.effects.keys()].sort());
    }
  }
}

function hasFailedLoop(store: Store): boolean {
  return [...store.journal.values()].some(
    (entry) => entry.kind === "forEach" && entry.status === "FAILED",
  );
}

describe("the state machine of a run", () => {
  it("each effect succeeds once and the run ends as its definition says, whenever workers are killed or frozen", () => {
    const command = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.nat(5), fc.nat(9)).map(([w, c]) => new Step(w, c)) },
      { weight: 2, arbitrary: fc.constant(new Claim()) },
      { weight: 1, arbitrary: fc.constant(new Kill()) },
    );
    fc.assert(
      fc.property(plans, fc.commands([command], { maxCommands: 60 }), (generated, commands) => {
        const faults = new Map<string, number>();
        const steps = define(generated, faults);
        const store = new Store();
        const workers: Worker[] = [];
        const claim = () => {
          if (store.end === undefined) workers.push(new Worker(store, steps, faults));
        };
        const effects = new Map<string, number>();
        const model: Model = { isOk: walk(steps, "", effects, faults), effects };
        const real: Real = { store, workers, claim };
        fc.modelRun(() => ({ model, real }), commands);
        // After any interruptions, one undisturbed worker brings the run to its end.
        claim();
        const last = workers.at(-1);
        for (let left = 3000; left > 0 && store.end === undefined; left -= 1) last?.step(left);
        expect(store.end).toBeDefined();
        checkInvariants(model, real);
      }),
      { numRuns: generatedRuns(3000), interruptAfterTimeLimit: 15_000 },
    );
  });
});

it("a run that exceeds its limits names the bound that it exceeds", () => {
  const entries = new JournalSize();
  for (let count = 0; count < 20_000; count += 1) expect(entries.add(1)).toBeUndefined();
  expect(entries.add(1)).toMatchObject({
    code: "RUN_TOO_LARGE",
    message: "A run has at most 20000 steps, those of its loops included",
  });
  expect(new JournalSize().add(33_554_433)).toMatchObject({
    code: "RUN_TOO_LARGE",
    message: "The outputs of this run's steps have more than 33554432 characters together",
  });
});
