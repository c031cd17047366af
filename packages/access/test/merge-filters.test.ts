import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eitherFilter, keyOfFilter, mergeFilters } from "../src/filter/language/merge-filters.ts";
import { defaultFilterLimits, parseFilter } from "../src/filter/language/parse-filter.ts";
import { plainPath } from "../src/filter/language/written-name.ts";
import type { Filter, ParsedFilter } from "../src/index.ts";

const parse = (input: unknown): ParsedFilter =>
  parseFilter(input, {
    ...{ code: "BODY_INVALID", pathOf: (path) => path.join("/"), commaLists: false },
    limits: defaultFilterLimits,
  });

/** The filter as it would be written, with its conditions in the form of `parse`. */
function written({ filter, slots }: ParsedFilter): unknown {
  const show = (it: Filter): unknown => {
    switch (it.kind) {
      case "AND":
      case "OR":
        return { [it.kind === "AND" ? "_and" : "_or"]: it.filters.map(show) };
      case "NOT":
        return { _not: show(it.filter) };
      case "QUANTIFIED":
        return { [it.field]: { [it.quantifier]: show(it.filter) } };
      case "COUNTED":
        return { [it.field]: { _count: {} } };
      case "CONDITION": {
        const values = it.operands.map((operand) =>
          operand.kind === "SLOT" || operand.kind === "LIST"
            ? slots[operand.slot]?.value
            : operand.kind === "VARIABLE" && operand.variable.kind === "USER"
              ? `$USER.${operand.variable.column}`
              : operand.kind,
        );
        return {
          [plainPath(it.field)]: {
            [it.operator]: it.operator === "_in" ? values.flat() : values[0],
          },
        };
      }
      default:
        return it satisfies never;
    }
  };
  return show(filter);
}

const merged = (...inputs: unknown[]) =>
  mergeFilters(inputs.map(parse), (field) => field !== "tags").map(written);

describe("filters of several grants", () => {
  it.each<readonly [name: string, inputs: readonly unknown[], expected: readonly unknown[]]>([
    ["equal ones", [{ a: { _eq: "1" } }, { a: { _eq: "1" } }], [{ a: { _eq: "1" } }]],
    [
      "one value",
      [{ a: { _eq: "1" } }, { a: { _in: ["2", "1"] } }, { a: { _eq: "3" } }],
      [{ a: { _in: ["1", "2", "3"] } }],
    ],
    [
      "a value at the end of a path",
      [{ team: { name: { _eq: "x" } } }, { team: { name: { _eq: "y" } } }],
      [{ "team.name": { _in: ["x", "y"] } }],
    ],
    [
      "a variable and a value",
      [{ a: { _eq: "$USER.id" } }, { a: { _eq: "1" } }, { a: { _eq: "$USER.id" } }],
      [{ a: { _in: ["1", "$USER.id"] } }],
    ],
    [
      "conditions of which one differs, in any order",
      [
        { a: { _eq: "1" }, b: { _gt: "5" } },
        { b: { _gt: "5" }, a: { _eq: "2" } },
      ],
      [{ _and: [{ b: { _gt: "5" } }, { a: { _in: ["1", "2"] } }] }],
    ],
    [
      "alternatives within one",
      [{ _or: [{ a: { _eq: "1" } }, { b: { _eq: "1" } }] }, { a: { _eq: "2" } }],
      [{ b: { _eq: "1" } }, { a: { _in: ["1", "2"] } }],
    ],
    [
      "some related row",
      [{ trips: { _some: { a: { _eq: "1" } } } }, { trips: { _some: { a: { _eq: "2" } } } }],
      [{ trips: { _some: { a: { _in: ["1", "2"] } } } }],
    ],
    [
      "none and every, an array, another operator, two differences: as they are",
      [
        { trips: { _none: { a: { _eq: "1" } } } },
        { trips: { _none: { a: { _eq: "2" } } } },
        { tags: { _eq: ["1"] } },
        { tags: { _eq: ["2"] } },
        { a: { _lt: "1" } },
        { a: { _lt: "2" } },
        { a: { _eq: "1" }, b: { _eq: "1" } },
        { a: { _eq: "2" }, b: { _eq: "2" } },
      ],
      [
        { trips: { _none: { a: { _eq: "1" } } } },
        { trips: { _none: { a: { _eq: "2" } } } },
        { tags: { _eq: '{"1"}' } },
        { tags: { _eq: '{"2"}' } },
        { a: { _lt: "1" } },
        { a: { _lt: "2" } },
        { _and: [{ a: { _eq: "1" } }, { b: { _eq: "1" } }] },
        { _and: [{ a: { _eq: "2" } }, { b: { _eq: "2" } }] },
      ],
    ],
  ])("%s", (_name, inputs, expected) => {
    expect(merged(...inputs)).toEqual(expected);
  });

  it("the one that matches everything stays, and the one that matches nothing does not", () => {
    expect(merged({}, { a: { _eq: "1" } })).toContainEqual({ _and: [] });
    expect(merged({ _or: [] }, { a: { _eq: "1" } })).toEqual([{ a: { _eq: "1" } }]);
    expect(eitherFilter([parse({ a: { _eq: "1" } }), null], () => true)).toBeNull();
  });

  it("the same filter has the same key wherever it was written", () => {
    const one = parse({ a: { _eq: "1" }, b: { c: { _in: ["x", "y"] } } });
    const other = parse({ _and: [{ a: { _eq: "1" } }, { b: { c: { _in: ["x", "y"] } } }] });
    expect(keyOfFilter(one)).toBe(keyOfFilter(other));
    expect(keyOfFilter(one)).not.toBe(keyOfFilter(parse({ a: { _eq: "2" } })));
  });
});

/** Whether a row matches, in logic of three values: null is unknown. */
function matches({ filter, slots }: ParsedFilter, row: Readonly<Record<string, unknown>>): boolean {
  type Truth = boolean | null;
  const all = (parts: readonly Truth[]): Truth =>
    parts.includes(false) ? false : parts.includes(null) ? null : true;
  const not = (truth: Truth): Truth => (truth === null ? null : !truth);
  const judge = (it: Filter, of: Readonly<Record<string, unknown>>): Truth => {
    switch (it.kind) {
      case "AND":
        return all(it.filters.map((inner) => judge(inner, of)));
      case "OR":
        return not(all(it.filters.map((inner) => not(judge(inner, of)))));
      case "NOT":
        return not(judge(it.filter, of));
      case "QUANTIFIED": {
        const rows = of[it.field] as readonly Readonly<Record<string, unknown>>[];
        const some = rows.some((related) => judge(it.filter, related) === true);
        return it.quantifier === "_some" ? some : !some;
      }
      case "CONDITION": {
        const value = of[it.field];
        const values = it.operands.flatMap((operand) =>
          operand.kind === "SLOT" || operand.kind === "LIST"
            ? (slots[operand.slot]?.value ?? [])
            : ["user"],
        );
        return value === null
          ? values.length === 0
            ? false
            : null
          : values.includes(String(value));
      }
      default:
        throw new TypeError(it.kind);
    }
  };
  return judge(filter, row) === true;
}

const values = fc.constantFrom("1", "2", "3", "$USER.id");
const condition = (field: string) =>
  fc.oneof(
    values.map((value) => ({ [field]: { _eq: value } })),
    fc.array(values, { maxLength: 3 }).map((list) => ({ [field]: { _in: list } })),
  );
const leaf = fc.oneof(condition("a"), condition("b"));
const related = fc
  .tuple(fc.constantFrom("_some", "_none"), leaf)
  .map(([quantifier, inner]) => ({ trips: { [quantifier]: inner } }));
const part: fc.Arbitrary<unknown> = fc.oneof(
  leaf,
  related,
  leaf.map((inner) => ({ _not: inner })),
);
const anyFilter: fc.Arbitrary<unknown> = fc.oneof(
  part,
  fc.array(part, { maxLength: 3 }).map((parts) => ({ _and: parts })),
  fc.array(part, { maxLength: 3 }).map((parts) => ({ _or: parts })),
);
const anyValue = fc.constantFrom("1", "2", "3", "user", null);
const anyRow = fc.record({
  a: anyValue,
  b: anyValue,
  trips: fc.array(fc.record({ a: anyValue, b: anyValue }), { maxLength: 2 }),
});

it("merged filters match the same rows", () => {
  fc.assert(
    fc.property(fc.array(anyFilter, { maxLength: 6 }), fc.array(anyRow), (inputs, rows) => {
      const before = inputs.map(parse);
      const after = mergeFilters(before, () => true);
      expect(after.length).toBeLessThanOrEqual(
        before.reduce(
          (sum, { filter }) =>
            sum + (filter.kind === "OR" ? Math.max(filter.filters.length, 1) : 1),
          0,
        ),
      );
      for (const row of rows) {
        expect(after.some((filter) => matches(filter, row))).toBe(
          before.some((filter) => matches(filter, row)),
        );
      }
    }),
    { numRuns: generatedRuns(2000) },
  );
});
