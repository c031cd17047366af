import fc from "fast-check";
import { walkSteps } from "../../src/workflows/model/branches.ts";
import type { Definition, KindBranches } from "../../src/workflows/model/definition.ts";

/** The kinds with inner steps, as the service describes them. */
export const kinds: readonly KindBranches[] = [
  { kind: "condition", branches: [branch("then"), branch("else"), branch("onError", "steps")] },
  {
    kind: "switch",
    branches: [branch("cases", "*", "steps"), branch("default"), branch("onError", "steps")],
  },
  { kind: "forEach", branches: [branch("steps"), branch("onError", "steps")] },
  { kind: "setValues", branches: [branch("onError", "steps")] },
  { kind: "finish", branches: [] },
];

function branch(...path: string[]) {
  return { path, title: path.join(" ") };
}

const json = fc.jsonValue({ maxDepth: 2 });
/** Fields that no kind has. */
const extra = fc.dictionary(fc.stringMatching(/^x[a-z~/ ]{0,5}$/), json, { maxKeys: 2 });

const { step } = fc.letrec<{ step: object; steps: object[] }>((tie) => ({
  steps: fc.array(tie("step"), { maxLength: 3 }),
  step: fc.oneof(
    { depthSize: "small" },
    withFields({ kind: fc.constant("finish"), result: json }),
    withFields({
      kind: fc.constant("setValues"),
      values: fc.record({ a: fc.constantFrom("{{steps.a.x}}", "{{steps.b_2}} steps.a", "plain") }),
      onError: fc.option(fc.oneof(fc.constant("continue"), fc.record({ steps: tie("steps") })), {
        nil: undefined,
      }),
    }),
    withFields({
      kind: fc.constant("condition"),
      expression: fc.constantFrom("steps.a == 1", 'steps["b_2"].x == "steps.a"', "true"),
      // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
      then: fc.option(tie("steps"), { nil: undefined }),
      else: tie("steps"),
    }),
    withFields({
      kind: fc.constant("switch"),
      cases: fc.array(fc.record({ equals: json, steps: tie("steps") }), { maxLength: 2 }),
      default: tie("steps"),
    }),
    withFields({ kind: fc.constant("forEach"), items: json, steps: tie("steps") }),
    withFields({ kind: fc.constant("later"), steps: tie("steps") }),
  ),
}));

function withFields(fields: Record<string, fc.Arbitrary<unknown>>) {
  const id = fc.constantFrom("a", "b_2", "c", "d-1", "e", "f", "g", "");
  return fc
    .tuple(fc.record({ id, ...fields }), extra)
    .map(([known, unknown]): object => ({ ...unknown, ...JSON.parse(JSON.stringify(known)) }));
}

/** Definitions with every kind of inner list, unknown fields and kinds, and ids that repeat. */
export const definitions: fc.Arbitrary<Definition> = fc
  .tuple(fc.array(step, { maxLength: 4 }), extra)
  .map(([steps, unknown]) => ({ trigger: { kind: "manual" }, ...unknown, steps }));

/** Every step without its inner steps, in a canonical order. */
export function stepTexts(definition: Definition): string[] {
  return [...walkSteps(definition, kinds)]
    .map(({ step }) =>
      JSON.stringify(step, (name, value) =>
        ["then", "else", "steps", "default"].includes(name) ? undefined : value,
      ),
    )
    .sort();
}

/** Returns the element of a list that a number chooses; undefined for an empty list. */
export function chosen<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % Math.max(1, items.length)];
}
