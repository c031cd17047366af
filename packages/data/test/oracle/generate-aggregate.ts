import fc from "fast-check";
import { anyExpression, sums } from "./generate-expression.ts";
import { anyCondition, combine } from "./generate-filter.ts";
import { keysInside } from "./generate-own-condition.ts";
import { anySearch, anyWhere, isToOne, type Reached, type Vocabulary } from "./generate-read.ts";
import type { AggregateRequest, Filter, OrderTerm, Output, TypeName } from "./model.ts";
import { nameOfOutput, typeOfOutput } from "./outputs.ts";
import { columnOf } from "./relations.ts";

const functions = ["count", "count_distinct", "sum", "avg", "min", "max"] as const;
const units = [null, "year", "quarter", "month", "week", "day"] as const;
const parts = ["year", "quarter", "month", "week", "day", "weekday", "hour"] as const;

export interface TypedOutput {
  readonly output: Output;
  readonly type: TypeName | null;
}

/** Generates a result over a column, mostly of a suitable type. */
export function anyOutput(words: Vocabulary, isGroup: boolean): fc.Arbitrary<TypedOutput> {
  const plain = words.anyReached(isToOne).chain((reached) =>
    fc
      .tuple(
        words.anyColumn(reached),
        fc.constantFrom(...functions),
        fc.constantFrom(...units),
        fc.option(fc.constantFrom(...parts), { nil: undefined, freq: 2 }),
        fc.option(fc.constantFrom(...keysInside), { freq: 3 }),
        fc.nat({ max: 30 }),
      )
      .map(([{ name, type: columnType }, apply, unit, part, keys, draw]): TypedOutput => {
        const isInside = columnType === "jsonb" && keys !== null;
        const path = { steps: reached.steps, name, ...(isInside ? { inside: keys } : {}) };
        const wanted: Output = isGroup
          ? { apply: null, path, unit: part === undefined ? unit : null, part }
          : { apply, path, unit: null };
        const simple: Output = isGroup
          ? { apply: null, path, unit: null }
          : { apply: "count", path, unit: null };
        const isPlain = typeOfOutput(wanted, columnType) === null && draw > 0;
        const output = isPlain ? simple : wanted;
        const column = columnOf(reached.table, name);
        return { output, type: column === undefined ? null : typeOfOutput(output, column.type) };
      }),
  );
  const inside = anyInside(words, isGroup) ?? plain;
  if (isGroup) return fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: inside });
  const computed = fc
    .tuple(
      anyExpression(words),
      fc.constantFrom(...sums),
      fc.constantFrom("x", "revenue", 'a"b', "id"),
    )
    .map(
      ([expression, apply, alias]): TypedOutput => ({
        output: { apply, path: null, unit: null, expression, alias },
        type: "numeric",
      }),
    );
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: computed },
    { weight: 1, arbitrary: inside },
  );
}

/** Generates a result over values inside documents; undefined if the words have no document. */
function anyInside(words: Vocabulary, isGroup: boolean): fc.Arbitrary<TypedOutput> | undefined {
  const hasDocument = ({ table }: Reached): boolean =>
    table.columns.some(({ type }) => type === "jsonb");
  if (!words.reached.some((reached) => isToOne(reached) && hasDocument(reached))) {
    return undefined;
  }
  return words
    .anyReached((reached) => isToOne(reached) && hasDocument(reached))
    .chain((reached) =>
      fc
        .tuple(
          words.anyColumn(reached, ({ type }) => type === "jsonb"),
          fc.constantFrom(["a"], ["a"], ["a"], ...keysInside),
          fc.constantFrom(...functions, "min" as const, "max" as const),
        )
        .map(([{ name }, keys, apply]): TypedOutput => {
          const path = { steps: reached.steps, name, inside: keys };
          const output: Output = { apply: isGroup ? null : apply, path, unit: null };
          const column = columnOf(reached.table, name);
          return { output, type: column === undefined ? null : typeOfOutput(output, column.type) };
        }),
    );
}

const rowCount: TypedOutput = {
  output: { apply: "count", path: null, unit: null },
  type: "bigint",
};

function anyOutputs(words: Vocabulary): fc.Arbitrary<readonly TypedOutput[]> {
  return fc
    .tuple(
      fc.oneof(fc.constant([]), fc.array(anyOutput(words, true), { maxLength: 2 })),
      fc.array(
        fc.oneof(
          { weight: 1, arbitrary: fc.constant(rowCount) },
          { weight: 3, arbitrary: anyOutput(words, false) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([groups, aggregates]) => {
      const all = [...groups, ...aggregates];
      const names = all.map(({ output }) => nameOfOutput(output));
      const distinct = all.filter((_, at) => names.indexOf(names[at] ?? "") === at);
      // Without an aggregate, the engine counts rows.
      const hasAggregate = distinct.some(({ output }) => output.apply !== null);
      return hasAggregate ? distinct : [...distinct, rowCount];
    });
}

export function anyHaving(outputs: readonly TypedOutput[]): fc.Arbitrary<Filter | null> {
  const fit = outputs.filter(({ type }) => type !== null);
  if (fit.length === 0) return fc.constant(null);
  const leaf = fc
    .constantFrom(...fit)
    .chain(({ output, type }) =>
      anyCondition({ steps: [], name: nameOfOutput(output) }, { type: type ?? "text" }),
    );
  return fc.option(combine(leaf, 1), { freq: 1 });
}

/** Generates an order by results. */
export function anyResultOrder(
  outputs: readonly TypedOutput[],
): fc.Arbitrary<readonly OrderTerm[]> {
  return fc
    .shuffledSubarray([...outputs], { maxLength: Math.min(2, outputs.length) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(({ output }) =>
          fc.record({
            path: fc.constant({ steps: [], name: nameOfOutput(output) }),
            descending: fc.boolean(),
            nulls: fc.constantFrom(null, null, "first" as const, "last" as const),
          }),
        ),
      ),
    );
}

/** Generates groups and aggregates of the vocabulary's table. */
export function anyAggregate(words: Vocabulary, user: number): fc.Arbitrary<AggregateRequest> {
  return anyOutputs(words).chain((outputs) =>
    fc.record({
      kind: fc.constant("AGGREGATE" as const),
      user: fc.constant(user),
      table: fc.constant(words.table.name),
      outputs: fc.constant(outputs.map(({ output }) => output)),
      where: fc.option(anyWhere(words, 1), { freq: 1 }),
      having: anyHaving(outputs),
      form: fc.constantFrom("BRACKETS" as const, "JSON" as const),
      search: anySearch,
      order: anyResultOrder(outputs),
      limit: fc.option(fc.nat({ max: 5 }), { freq: 2 }),
      offset: fc.option(fc.nat({ max: 2 }), { freq: 1 }),
      count: fc.boolean(),
    }),
  );
}
