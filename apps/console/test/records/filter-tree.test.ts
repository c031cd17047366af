import { readFile } from "node:fs/promises";
import { defaultFilterLimits, parseFilter } from "@rowhouse/access";
import { conditionOperators } from "@rowhouse/access/operator";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultsByNode } from "../../src/records/filter/filter-faults.ts";
import {
  type FilterNode,
  type GroupNode,
  groupOf,
  newId,
  nodesOf,
  replaceNode,
  type Where,
} from "../../src/records/filter/filter-tree.ts";
import { readWhere } from "../../src/records/filter/read-where.ts";
import { writeWhere } from "../../src/records/filter/write-where.ts";

const docs = await readFile(new URL("../../../../docs/data-api.md", import.meta.url), "utf8");

/** Returns the filters that the page of the Data API has as JSON. */
function documentedJson(): Where[] {
  const found: Where[] = [];
  for (const { index, 0: start } of docs.matchAll(/"?where"?[=:] ?(?=\{)/g)) {
    const from = index + start.length;
    for (let to = from + 2; to < from + 500; to += 1) {
      if (docs[to - 1] !== "}") continue;
      try {
        found.push(JSON.parse(docs.slice(from, to)) as Where);
        break;
      } catch {
        // The filter is longer.
      }
    }
  }
  return found;
}

/** Returns the filters that the page has in brackets. */
function documentedBrackets(): Where[] {
  return [...docs.matchAll(/(?<!\])where((?:\[[^\]\s]+\])+)=([^&'`]+)/g)].map(
    ([, path = "", text = ""]) => {
      const keys = [...path.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1] ?? "");
      const isList = ["_in", "_between"].includes(keys.at(-1) ?? "");
      return keys.reduceRight<unknown>(
        (inner, key) => (/^\d+$/.test(key) ? [inner] : { [key]: inner }),
        isList ? text.split(",") : text,
      ) as Where;
    },
  );
}

const samples: readonly Where[] = [
  {},
  { price: { _gt: 1, _lt: 5 }, plate: { _null: true } },
  { _and: [{ price: { _gt: 1 } }, { price: { _gt: 2 }, plate: { _eq: "A" } }, {}], _or: [] },
  { _not: { _or: [{ a: { _eq: 1 } }, { _not: { b: { _eq: 2 } } }] }, _or: [{ c: { _eq: 3 } }] },
  { _not: { a: { _eq: 1 }, b: { _eq: 2 } } },
  {
    driver: { name: { _eq: "Ada" }, depot: { city: { _in: ["Oslo"] } } },
    "driver.age": { _lt: 9 },
  },
  { trips: { _some: { _or: [{ a: { _eq: 1 } }] }, _none: {} } },
  {
    meta: {
      _path: { "a.b": { _gt: 1, _lt: 2 }, v: { _eq: "x" } },
      _json_contains: { a: { b: 1 } },
    },
  },
  { '"_and"': { _eq: 1 }, _odd: { _gt: 1, _lt: 2 } },
  { plate: { _near: "x" }, other: 5, _or: "none", meta: { _path: 3 } },
  { owner: { _eq: "$USER.id" }, at: { _eq: "$PERIOD.today" }, text: { _eq: "$$NOW" } },
];

describe("a filter that nobody changes is written as it was read", () => {
  it("the examples of the Data API", () => {
    const documented = [...documentedJson(), ...documentedBrackets()];
    expect(documented.length).toBeGreaterThan(12);
    for (const where of documented) expect(writeWhere(readWhere(where)).where).toEqual(where);
  });

  it.each(samples.map((where) => [JSON.stringify(where), where] as const))("%s", (_name, where) => {
    const { where: written } = writeWhere(readWhere(where));
    expect(JSON.stringify(written)).toBe(JSON.stringify(where));
  });

  it("any JSON object", () => {
    const key = fc.constantFrom("a", "b.c", "_and", "_or", "_not", "_eq", "_some", "_path", "_x");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom<unknown>(1, "x", null, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    const object = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });
    fc.assert(
      fc.property(object, (where) => {
        expect(writeWhere(readWhere(where)).where).toEqual(where);
      }),
      { numRuns: generatedRuns(500) },
    );
  });
});

/** Trees as the builder makes them, with groups in groups and several conditions on one field. */
function trees(): fc.Arbitrary<GroupNode> {
  const name = fc.constantFrom("price", "driver.name", "trips", '"_and"');
  const scalar = fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.integer(), fc.boolean());
  const operand = (operator: string): fc.Arbitrary<unknown> => {
    const { operands } = conditionOperators[operator as keyof typeof conditionOperators];
    if (operands === "BOOLEAN") return fc.boolean();
    if (operands === "LIST") return fc.array(scalar, { minLength: 1, maxLength: 3 });
    return operands === "TWO" ? fc.tuple(scalar, scalar) : scalar;
  };
  const condition = fc
    .tuple(name, fc.constantFrom(...Object.keys(conditionOperators)))
    .chain(([key, operator]) =>
      operand(operator).map(
        (value): FilterNode => ({
          ...{ kind: "CONDITION", id: newId(), keys: [key] },
          ...{ inside: null, operator, operand: value },
        }),
      ),
    );
  const { group } = fc.letrec<{ node: FilterNode; group: GroupNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      condition,
      tie("group"),
      fc.tuple(tie("group"), fc.constantFrom("_some", "_none", "_every")).map(
        ([inner, quantifier]): FilterNode => ({
          ...{ kind: "RELATED", id: newId(), keys: ["trips"] },
          ...{ quantifier, group: inner },
        }),
      ),
    ),
    group: fc
      .tuple(fc.array(tie("node"), { maxLength: 4 }), fc.constantFrom("AND", "OR"), fc.boolean())
      .map(([nodes, join, isNegated]) =>
        groupOf(nodes, { join, isNegated, isList: join === "OR" }),
      ),
  }));
  return group;
}

/** Whether a tree matches a row for which some conditions hold. */
function matches(node: FilterNode, holds: (condition: string) => boolean): boolean {
  switch (node.kind) {
    case "GROUP": {
      const results = node.nodes.map((inner) => matches(inner, holds));
      const isMatch = node.join === "AND" ? !results.includes(false) : results.includes(true);
      return isMatch !== node.isNegated;
    }
    case "RELATED":
      return holds(node.quantifier) === matches(node.group, holds);
    case "CONDITION":
      return holds(JSON.stringify([node.keys, node.operator, node.operand]));
    default:
      return holds(JSON.stringify([node.keys, node.value]));
  }
}

const options = {
  limits: { ...defaultFilterLimits, depthMax: 100, nodesMax: 10_000 },
  pathOf: (segments: readonly string[]) => ["where", ...segments.map((one) => `[${one}]`)].join(""),
  code: "QUERY_INVALID",
  commaLists: false,
} as const;

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
}

it("the service accepts every tree of the builder, and it matches the same rows", () => {
  fc.assert(
    fc.property(trees(), (tree) => {
      const { where } = writeWhere(tree);
      const parsed = parseFilter(where, options);
      const conditions = [...nodesOf(tree)].filter(({ kind }) => kind === "CONDITION").length;
      expect(JSON.stringify(parsed.filter).split('"CONDITION"').length - 1).toBe(conditions);
      expect(writeWhere(readWhere(where)).where).toEqual(where);
      for (const salt of [1, 2, 3, 4]) {
        const holds = (condition: string) => hash(condition + salt) % 2 === 0;
        expect(matches(readWhere(where), holds)).toBe(matches(tree, holds));
      }
    }),
    { numRuns: generatedRuns(300) },
  );
});

it("two conditions on one field both remain", () => {
  const price = (operand: number): FilterNode => ({
    ...{ kind: "CONDITION", id: newId(), keys: ["price"], inside: null },
    ...{ operator: "_gt", operand },
  });
  const tree = groupOf([price(1), price(2), groupOf([price(3)], { isList: true })]);
  expect(writeWhere(tree).where).toEqual({
    price: { _gt: 1 },
    _and: [{ price: { _gt: 3 } }, { price: { _gt: 2 } }],
  });
});

it("a fault of the service stands at the innermost node of its path", () => {
  const tree = readWhere({
    plate: { _eq: "A" },
    _or: [{ price: { _gt: "x" } }, { trips: { _some: { "a/b": { _near: 1 } } } }],
  });
  const [, or] = tree.nodes;
  const price = or?.kind === "GROUP" ? or.nodes[0] : undefined;
  const trips = or?.kind === "GROUP" ? or.nodes[1] : undefined;
  const inner = trips?.kind === "RELATED" ? trips.group.nodes[0] : undefined;
  const faults = faultsByNode(tree, writeWhere(tree), [
    { message: "price", path: "where[_or][0][price][_gt]" },
    { message: "near", path: "/data/where/_or/1/trips/_some/a~1b/_near" },
    { message: "list", path: "where[_or]" },
    { message: "elsewhere", path: "limit" },
  ]);
  expect([...faults]).toEqual([
    [price?.id, "price"],
    [inner?.id, "near"],
    [or?.id, "list"],
    [tree.id, "elsewhere"],
  ]);
});

it("a node is replaced or removed at any depth", () => {
  const tree = readWhere({ trips: { _some: { _or: [{ a: { _eq: 1 } }, { b: { _eq: 2 } }] } } });
  const target = [...nodesOf(tree)].find((node) => node.kind === "CONDITION");
  if (target?.kind !== "CONDITION") throw new Error("The tree has a condition");
  const changed = replaceNode(tree, target.id, { ...target, operand: 5 });
  expect(writeWhere(changed).where).toEqual({
    trips: { _some: { _or: [{ a: { _eq: 5 } }, { b: { _eq: 2 } }] } },
  });
  expect(writeWhere(replaceNode(tree, target.id, null)).where).toEqual({
    trips: { _some: { _or: [{ b: { _eq: 2 } }] } },
  });
});
