import { dateParts } from "@rowhouse/access";
import fc from "fast-check";
import { anyOwnCondition } from "./generate-own-condition.ts";
import type {
  Column,
  Condition,
  Filter,
  Operand,
  Path,
  PresetOperand,
  Table,
  TypeName,
} from "./model.ts";
import { edgesOf } from "./relations.ts";
import { anyLiteral, isPattern, types } from "./values.ts";

const userColumns: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  int: ["$USER.level"],
  bigint: ["$USER.level"],
  numeric: ["$USER.level"],
  text: ["$USER.name", "$USER.time_zone", "$USER.level", "$USER.email", "$USER.id"],
  boolean: ["$USER.active"],
  timestamptz: ["$USER.last_sign_in_at", "$NOW"],
  uuid: ["$USER.id"],
};

const comparisons = ["_eq", "_neq", "_lt", "_lte", "_gt", "_gte"];
const textOperators = ["like", "contains"].flatMap((name) =>
  ["_", "_n", "_i", "_ni"].map((prefix) => `${prefix}${name}`),
);
const edgeOperators = ["_starts_with", "_istarts_with", "_ends_with", "_iends_with"];
const likePatterns = [
  "a%",
  "%b",
  "_",
  "%\\%%",
  "a\\_b",
  "%",
  "",
  "É",
  "ab",
  "\\\\%",
  "%日_",
  "%.%",
];
const regexes = ["^a", "b$", "^.$", "[ab]+", "^$", "a.*b"];

function literal(text: string): PresetOperand {
  return { kind: "LITERAL", text };
}

/** Generates a literal or a variable of the type. */
export function anyOperand(type: TypeName): fc.Arbitrary<PresetOperand> {
  const literals = anyLiteral(type).map(literal);
  const variables = userColumns[type];
  if (variables === undefined) return literals;
  return fc.oneof(
    { weight: 4, arbitrary: literals },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...variables)
        .map((name): PresetOperand => ({ kind: "VARIABLE", name })),
    },
  );
}

/** A field that a condition may compare with. */
export interface Other {
  readonly path: Path;
  readonly type: TypeName;
}

const numbers: ReadonlySet<TypeName> = new Set(["int", "bigint", "numeric"]);

/** Lists the columns of a table at the end of a path, to compare with. */
export function othersOf(table: Table, steps: readonly string[]): Other[] {
  return table.columns.map(({ name, type }) => ({ path: { steps, name }, type }));
}

/** Generates conditions that fit the column; some compare it with another field. */
export function anyCondition(
  path: Path,
  { type }: Pick<Column, "type">,
  others: readonly Other[] = [],
): fc.Arbitrary<Condition> {
  const known = others.filter(
    (other) => other.type === type || (numbers.has(type) && numbers.has(other.type)),
  );
  const literals = anyLiteralCondition(path, { type });
  const isDate = type === "date" || type === "timestamptz";
  const parts = fc
    .tuple(fc.constantFrom(...dateParts), fc.constantFrom(...comparisons), fc.nat(60))
    .map(
      ([part, operator, value]): Condition => ({
        kind: "CONDITION",
        ...{
          path,
          operator,
          operands: [literal(String(part === "year" ? 1990 + value : value))],
          part,
        },
      }),
    );
  const alone = isDate
    ? fc.oneof({ weight: 3, arbitrary: literals }, { weight: 1, arbitrary: parts })
    : literals;
  if (known.length === 0) return alone;
  const field = fc
    .constantFrom(...known)
    .map((other): Operand => ({ kind: "FIELD", path: other.path }));
  const operands = fc.oneof(
    { weight: 2, arbitrary: field },
    { weight: 1, arbitrary: anyOperand(type) },
  );
  const compared = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...comparisons), fc.tuple(field)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("_between", "_nbetween"), fc.tuple(operands, operands)),
    },
  );
  return fc.oneof(
    { weight: 6, arbitrary: alone },
    {
      weight: 1,
      arbitrary: compared.map(
        ([operator, its]): Condition => ({ kind: "CONDITION", path, operator, operands: its }),
      ),
    },
  );
}

/** Generates conditions that compare the column with literals and variables. */
function anyLiteralCondition(path: Path, { type }: Pick<Column, "type">): fc.Arbitrary<Condition> {
  const of = (operator: string, operands: readonly Operand[]): Condition => ({
    kind: "CONDITION",
    path,
    operator,
    operands,
  });
  const nulls = fc
    .tuple(fc.constantFrom("_null", "_nnull"), fc.boolean())
    .map(([operator, flag]) => of(operator, [literal(String(flag))]));
  const one = fc
    .tuple(fc.constantFrom(...comparisons), anyOperand(type))
    .map(([operator, operand]) => of(operator, [operand]));
  const lists = fc
    .tuple(fc.constantFrom("_in", "_nin"), fc.array(anyOperand(type), { maxLength: 4 }))
    .map(([operator, operands]) => of(operator, operands));
  const pairs = fc
    .tuple(fc.constantFrom("_between", "_nbetween"), anyOperand(type), anyOperand(type))
    .map(([operator, ...operands]) => of(operator, operands));
  const scalar = [
    { weight: 6, arbitrary: one },
    { weight: 3, arbitrary: lists },
    { weight: 1, arbitrary: pairs },
    { weight: 1, arbitrary: nulls },
  ];
  const own = anyOwnCondition(path, type);
  if (own !== undefined) scalar.push({ weight: 9, arbitrary: own });
  if (!isPattern(type)) return fc.oneof(...scalar);
  const text = fc.constantFrom(...types.text.pool, "o", "A");
  const tests = fc.oneof(
    fc.tuple(
      fc.constantFrom(...textOperators, ...edgeOperators),
      fc.oneof(fc.constantFrom(...likePatterns), text),
    ),
    fc.tuple(fc.constantFrom("_regex", "_iregex"), fc.constantFrom(...regexes)),
  );
  const texts = tests.map(([operator, pattern]) => {
    // A pattern must not end with an incomplete escape.
    const isOpen = operator.endsWith("like") && /(?<!\\)(?:\\\\)*\\$/.test(pattern);
    return of(operator, [literal(isOpen ? `${pattern}%` : pattern)]);
  });
  return fc.oneof(...scalar, { weight: 5, arbitrary: texts });
}

/** Generates an administrator's filter over the columns of a table and sometimes of related tables. */
export function anyRowFilter(tables: readonly Table[], table: Table): fc.Arbitrary<Filter> {
  const own = anyLeafOf(table, []);
  const related = edgesOf({ tables }, table).flatMap(({ name, kind, target }): Leaf[] => {
    const path = anyLeafOf(target, [name]);
    const further = edgesOf({ tables }, target).map((next) =>
      anyLeafOf(next.target, [name, next.name]),
    );
    if (kind === "ONE") return [path, ...further];
    const quantified = anyLeafOf(target, []).chain((filter) => anyQuantified([name], filter));
    return [path, quantified, ...further];
  });
  if (related.length === 0) return combine(own, 2);
  return combine(
    fc.oneof({ weight: 6, arbitrary: own }, { weight: 1, arbitrary: fc.oneof(...related) }),
    2,
  );
}

/**
 * Generates an administrator's filter of one of a few shapes, so that filters of several roles often differ in a value alone, or
 * not at all.
 */
export function anyCommonFilter(tables: readonly Table[], table: Table): fc.Arbitrary<Filter> {
  const equals = (of: Table, steps: readonly string[], at: number): fc.Arbitrary<Filter> => {
    const scalar = of.columns.filter(({ type }) => type !== "text[]" && type !== "jsonb");
    const { name, type } = scalar[at % scalar.length] ?? { name: "", type: "text" };
    const common = types[type].pool.slice(0, 3).map(literal);
    const operand = fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...common) },
      { weight: 1, arbitrary: anyOperand(type) },
    );
    const condition = (operator: string, operands: readonly Operand[]): Filter => ({
      ...{ kind: "CONDITION", path: { steps, name }, operator, operands },
    });
    return fc.oneof(
      { weight: 3, arbitrary: operand.map((one) => condition("_eq", [one])) },
      {
        weight: 1,
        arbitrary: fc.array(operand, { maxLength: 3 }).map((some) => condition("_in", some)),
      },
    );
  };
  const [edge] = edgesOf({ tables }, table);
  const shapes = [
    equals(table, [], 1),
    fc
      .tuple(equals(table, [], 1), equals(table, [], 2))
      .map((filters): Filter => ({ kind: "AND", filters })),
  ];
  if (edge?.kind === "ONE") shapes.push(equals(edge.target, [edge.name], 1));
  if (edge?.kind === "MANY") {
    shapes.push(
      equals(edge.target, [], 1).map(
        (filter): Filter => ({
          ...{ kind: "QUANTIFIED", steps: [edge.name], quantifier: "_some", filter },
        }),
      ),
    );
  }
  return fc.oneof(...shapes);
}

/** Generates a filter that selects most rows of a table, but rarely all of them. */
export function anyBroadFilter(table: Table): fc.Arbitrary<Filter> {
  return fc.constantFrom(...table.columns).chain(({ name, type }) =>
    anyLiteral(type).map(
      (text): Filter => ({
        ...{ kind: "CONDITION", path: { steps: [], name }, operator: "_neq" },
        operands: [literal(text)],
      }),
    ),
  );
}

type Leaf = fc.Arbitrary<Filter>;

/** Generates the condition of a quantifier on a to-many relation. */
const quantifiers = ["_some", "_none", "_every"] as const;

function anyLeafOf(table: Table, steps: readonly string[]): Leaf {
  return fc
    .constantFrom(...table.columns)
    .chain((column) => anyCondition({ steps, name: column.name }, column, othersOf(table, steps)));
}

/** Generates a quantifier over the rows of a relation that satisfy a filter, or a condition on their number. */
export function anyQuantified(steps: readonly string[], filter: Filter): fc.Arbitrary<Filter> {
  const counted = fc.tuple(fc.constantFrom(...comparisons), fc.nat(4)).map(
    ([operator, count]): Filter => ({
      kind: "COUNTED",
      ...{ steps, operator, operands: [literal(String(count))], filter },
    }),
  );
  const quantified = fc
    .constantFrom(...quantifiers)
    .map((quantifier): Filter => ({ kind: "QUANTIFIED", steps, quantifier, filter }));
  return fc.oneof({ weight: 2, arbitrary: quantified }, { weight: 1, arbitrary: counted });
}

/** Combines conditions with `_and`, `_or` and `_not`. */
export function combine(leaf: fc.Arbitrary<Filter>, depth: number): fc.Arbitrary<Filter> {
  if (depth === 0) return leaf;
  const inner = combine(leaf, depth - 1);
  return fc.oneof(
    { weight: 5, arbitrary: leaf },
    { weight: 1, arbitrary: inner.map((filter): Filter => ({ kind: "NOT", filter })) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom("AND" as const, "OR" as const), fc.array(inner, { maxLength: 3 }))
        .map(([kind, filters]): Filter => ({ kind, filters })),
    },
  );
}
