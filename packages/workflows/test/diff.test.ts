import { escapePointer, unescapePointer } from "@rowhouse/errors";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffDefinitions } from "../src/compile/diff-definitions.ts";
import {
  type Definition,
  type DefinitionChange,
  type DefinitionInput,
  parseDefinition,
} from "../src/index.ts";

type Steps = DefinitionInput["steps"];
type Node = { [key: string]: unknown };

const define = (steps: Steps, more: Partial<DefinitionInput> = {}): Definition =>
  parseDefinition({ trigger: { kind: "webhook" }, steps, ...more }, "");
const set = (id: string, x: unknown = 1): Steps[number] => ({
  id,
  kind: "setValues",
  values: { x },
});

/** Applies changes to the first definition, using only the content of the changes. */
function apply(before: Definition, changes: readonly DefinitionChange[]): unknown {
  const source = plain(before);
  const leaving = new Set(
    changes.flatMap(({ kind, from }) =>
      kind === "STEP_REMOVED" || kind === "STEP_MOVED" ? [from] : [],
    ),
  );
  const arriving = new Map(
    changes.flatMap((change) =>
      change.kind === "STEP_ADDED" || change.kind === "STEP_MOVED" ? [[change.to, change]] : [],
    ),
  );
  const build = (list: string, oldList: string | undefined): Node[] => {
    const staying =
      oldList === undefined
        ? []
        : (valueAt(source, oldList) as Node[]).flatMap((_, index) =>
            leaving.has(`${oldList}/${index}`) ? [] : [`${oldList}/${index}`],
          );
    const built: Node[] = [];
    for (;;) {
      const own = `${list}/${built.length}`;
      const change = arriving.get(own);
      const from = change === undefined ? staying.shift() : (change.from ?? undefined);
      if (change === undefined && from === undefined) return built;
      built.push(buildStep(own, from, change?.kind === "STEP_ADDED" ? change.after : undefined));
    }
  };
  const buildStep = (own: string, from: string | undefined, added: unknown): Node => {
    const step = structuredClone(from === undefined ? added : valueAt(source, from)) as Node;
    for (const list of listsOf(step)) write(step, list, []);
    for (const change of changes) {
      if (change.kind !== "CHANGED" || change.step === null) continue;
      const path = from !== undefined && inside(change.from, from);
      if (change.to === null) {
        if (typeof path === "string") write(step, path, undefined);
      } else {
        const to = inside(change.to, own);
        if (typeof to === "string") write(step, to, change.after);
      }
    }
    for (const list of listsOf(step)) {
      const old = from === undefined ? undefined : from + list;
      const known = old !== undefined && Array.isArray(valueAt(source, old)) ? old : undefined;
      write(step, list, build(own + list, known));
    }
    return step;
  };
  const result = { ...source };
  for (const change of changes) {
    if (change.kind !== "CHANGED" || change.step !== null) continue;
    if (change.to === null) write(result, change.from ?? "", undefined);
    else write(result, change.to, change.after);
  }
  return { ...result, steps: build("/steps", "/steps") };
}

/** The rest of a pointer after that of a step, unless another step lies between. */
function inside(pointer: string | null, step: string): string | undefined {
  if (pointer?.startsWith(`${step}/`) !== true) return undefined;
  const rest = pointer.slice(step.length);
  return /^(?:\/cases\/\d+|\/onError)?\/(?:steps|then|else|default)\/\d/.test(rest)
    ? undefined
    : rest;
}

function listsOf(step: Node): string[] {
  const own: Record<string, string[]> = {
    condition: ["/then", "/else"],
    forEach: ["/steps"],
    switch: [
      ...((step.cases ?? []) as unknown[]).map((_, index) => `/cases/${index}/steps`),
      "/default",
    ],
  };
  const handler = typeof step.onError === "object" ? ["/onError/steps"] : [];
  return [...(own[String(step.kind)] ?? []), ...handler];
}

const plain = (value: unknown): Node => JSON.parse(JSON.stringify(value)) as Node;
const parts = (pointer: string) => pointer.split("/").slice(1).map(unescapePointer);

function valueAt(value: unknown, pointer: string): unknown {
  return parts(pointer).reduce<unknown>((at, part) => (at as Node | undefined)?.[part], value);
}

function write(target: Node, pointer: string, value: unknown): void {
  const path = parts(pointer);
  const last = path.pop() ?? "";
  const holder = path.reduce<Node>((at, part) => at[part] as Node, target);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
}

const value = fc.jsonValue({ maxDepth: 2 });
const key = fc.constantFrom("a", "b", "c/d", "~e", "toString", "constructor");
const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
const handler = fc.option(fc.boolean(), { nil: undefined });

/** Generates trees whose ids come from a small set, so that two trees share many; some occur twice, as in a draft. */
const { tree } = fc.letrec<{ tree: Steps; step: Steps[number] }>((tie) => ({
  tree: fc.array(tie("step"), { maxLength: 4, depthIdentifier: "tree" }),
  step: fc.oneof(
    { maxDepth: 3, depthIdentifier: "tree" },
    {
      weight: 3,
      arbitrary: fc
        .tuple(id, fc.dictionary(key, value, { maxKeys: 3 }))
        .map(([name, values]) => ({ id: name, kind: "setValues" as const, values })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(id, tie("tree"), tie("tree"), handler)
        .map(([name, yes, no, handled]) => ({
          id: name,
          kind: "condition" as const,
          expression: "true",
          // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
          then: yes,
          else: handled === undefined ? no : [],
          ...(handled === undefined
            ? {}
            : { onError: handled ? ("continue" as const) : { steps: no } }),
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          id,
          fc.array(fc.tuple(fc.integer({ max: 2 }), tie("tree")), { minLength: 1, maxLength: 2 }),
          tie("tree"),
        )
        .map(([name, cases, otherwise]) => ({
          id: name,
          kind: "switch" as const,
          value: 1,
          cases: cases.map(([equals, steps]) => ({ equals, steps })),
          default: otherwise,
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(id, tie("tree"), fc.integer({ min: 1, max: 3 }))
        .map(([name, steps, concurrency]) => ({
          id: name,
          kind: "forEach" as const,
          items: [1],
          concurrency,
          steps: steps.length === 0 ? [set("z")] : steps,
        })),
    },
  ),
}));
const definition = fc
  .tuple(
    tree,
    fc.constantFrom("HIGH" as const, "LOW" as const),
    fc.array(fc.constantFrom("x-a", "x-b"), { maxLength: 2 }),
  )
  .map(([steps, priority, redactHeaders]) =>
    define(steps, { priority, trigger: { kind: "webhook", redactHeaders } }),
  );

describe("the difference between two definitions", () => {
  it("the changes turn the first definition into the second", () => {
    fc.assert(
      fc.property(definition, definition, (before, after) => {
        expect(plain(apply(before, diffDefinitions(before, after)))).toEqual(plain(after));
      }),
      { numRuns: generatedRuns(1500) },
    );
  });

  it("a definition has no difference from itself, in any order of keys", () => {
    fc.assert(
      fc.property(definition, (one) => {
        const turned = JSON.parse(JSON.stringify(one), (_key, part: unknown) =>
          typeof part === "object" && part !== null && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).reverse())
            : part,
        ) as Definition;
        expect(diffDefinitions(one, turned)).toEqual([]);
      }),
    );
  });

  it("moving a step is one change, also with inner steps", () => {
    const loop = (...steps: Steps): Steps[number] => ({
      id: "loop",
      kind: "forEach",
      items: [1],
      steps,
    });
    const before = define([set("a"), set("b"), set("c"), loop(set("d"), set("e"))]);
    expect(
      diffDefinitions(before, define([set("c"), set("a"), set("b"), loop(set("d"), set("e"))])),
    ).toEqual([
      {
        kind: "STEP_MOVED",
        step: "c",
        from: "/steps/2",
        to: "/steps/0",
        before: null,
        after: null,
      },
    ]);
    expect(
      diffDefinitions(before, define([loop(set("d"), set("e")), set("a"), set("b"), set("c")])),
    ).toEqual([
      {
        kind: "STEP_MOVED",
        step: "loop",
        from: "/steps/3",
        to: "/steps/0",
        before: null,
        after: null,
      },
    ]);
    expect(
      diffDefinitions(before, define([set("a"), set("b"), loop(set("d"), set("c", 2), set("e"))])),
    ).toEqual([
      {
        kind: "STEP_MOVED",
        step: "c",
        from: "/steps/2",
        to: "/steps/2/steps/1",
        before: null,
        after: null,
      },
      {
        kind: "CHANGED",
        step: "c",
        from: "/steps/2/values/x",
        to: "/steps/2/steps/1/values/x",
        before: 1,
        after: 2,
      },
    ]);
  });

  it("an inserted step changes no other step, and a removed step is reported", () => {
    const before = define([set("a"), set("b")]);
    expect(
      diffDefinitions(before, define([set("new", "$"), set("b")], { concurrency: 2 })),
    ).toEqual([
      {
        kind: "CHANGED",
        step: null,
        from: "/concurrency",
        to: "/concurrency",
        before: null,
        after: 2,
      },
      {
        kind: "STEP_ADDED",
        step: "new",
        from: null,
        to: "/steps/0",
        before: null,
        after: { id: "new", kind: "setValues", onError: "fail", values: { x: "$" } },
      },
      {
        kind: "STEP_REMOVED",
        step: "a",
        from: "/steps/0",
        to: null,
        before: { id: "a", kind: "setValues", onError: "fail", values: { x: 1 } },
        after: null,
      },
    ]);
  });

  it("a changed value is reported at its pointer, with escaped names", () => {
    const values = (inner: unknown) =>
      define([{ id: "a", kind: "setValues", values: { "x/y": inner } }]);
    const path = `/steps/0/values/${escapePointer("x/y")}`;
    expect(
      diffDefinitions(values({ k: [1, 2], gone: 1 }), values({ k: [1, 3], "n~": null })),
    ).toEqual([
      { kind: "CHANGED", step: "a", from: `${path}/k/1`, to: `${path}/k/1`, before: 2, after: 3 },
      { kind: "CHANGED", step: "a", from: null, to: `${path}/n~0`, before: null, after: null },
      { kind: "CHANGED", step: "a", from: `${path}/gone`, to: null, before: 1, after: null },
    ]);
  });
});
