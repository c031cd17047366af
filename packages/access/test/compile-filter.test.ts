import { builtInType, type ColumnType } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { describe, expect, it } from "vitest";
import { defaultFilterLimits, parseFilter } from "../src/filter/language/parse-filter.ts";
import { type FilterResolver, resolveFilter } from "../src/filter/language/resolve-filter.ts";
import { compileFilter } from "../src/filter/sql/compile-filter.ts";
import type { CompileFilterContext } from "../src/filter/sql/filter-context.ts";

const types: Readonly<Record<string, ColumnType>> = {
  plate: builtInType("text"),
  seats: builtInType("integer"),
  doors: builtInType("bigint"),
};

/** The names of `types`, and the relation `trips`. */
const resolver: FilterResolver<string, string> = {
  field: (name, path) => {
    if (types[name] === undefined) throw createError("FIELD_UNKNOWN", { path });
    return name;
  },
  relation: (name, path) => {
    if (name !== "trips") throw createError("FIELD_UNKNOWN", { path });
    return { relation: name, inner: resolver };
  },
};

/** Columns `t.plate` and `t.seats`; the relation `trips` has the same columns. Slots are `$1`, `$2`. */
const context: CompileFilterContext = {
  field: (field) => {
    const type = types[field] ?? builtInType("text");
    const guard = (condition: string) => condition;
    const beside = (other: string) => ({ sql: `t.${other}`, type: types[other] ?? type });
    return { sql: `t.${field}`, type, visibleSql: null, raises: false, guard, beside };
  },
  relation: () => ({
    inner: context,
    exists: (condition) => `exists(${condition})`,
    count: (condition) => `count(${condition})`,
  }),
  placeSlot: ({ slot }) => `$${slot + 1}`,
  placeVariable: (variable) => `<${variable.kind}>`,
  timeZoneSql: () => "<zone>",
  code: "QUERY_INVALID",
};

const compile = (input: unknown): string => {
  const { filter } = parseFilter(input, {
    limits: defaultFilterLimits,
    pathOf: (segments) => segments.join("."),
    code: "QUERY_INVALID",
    commaLists: false,
  });
  return compileFilter(resolveFilter(filter, resolver), context);
};

describe("compileFilter", () => {
  it.each([
    [{}, "true"],
    [{ _or: [] }, "false"],
    [{ seats: { _eq: 1 } }, "(t.seats = $1)"],
    [{ seats: { _gte: 1, _lt: 5 } }, "((t.seats >= $1) and (t.seats < $2))"],
    [
      { _or: [{ seats: { _eq: 1 } }, { plate: { _eq: "A" } }] },
      "((t.seats = $1) or (t.plate = $2))",
    ],
    [{ _not: { seats: { _eq: 1 } } }, "(not (t.seats = $1))"],
    [{ seats: { _lt: "$FIELD.doors" } }, "(t.seats < t.doors)"],
    [{ seats: { _between: [1, "$FIELD.doors"] } }, "(t.seats >= $1 and t.seats <= t.doors)"],
    [
      { trips: { _count: { _gte: 3, _where: { seats: { _eq: 1 } } } } },
      "(count((t.seats = $1)) >= $2)",
    ],
    [{ plate: { _null: true } }, "(t.plate is null)"],
    [{ trips: { _some: { seats: { _eq: 1 } } } }, "exists((t.seats = $1))"],
    [{ trips: { _none: { seats: { _eq: 1 } } } }, "(not exists((t.seats = $1)))"],
    [{ trips: { _every: { seats: { _eq: 1 } } } }, "(not exists(((t.seats = $1)) is not true))"],
  ])("compiles %j", (input, sql) => {
    expect(compile(input)).toBe(sql);
  });

  it.each([
    ["an unknown field", { nope: { _eq: 1 } }, "FIELD_UNKNOWN", "nope._eq"],
    ["an unknown relation", { nope: { _some: {} } }, "FIELD_UNKNOWN", "nope._some"],
    ["an operator of another type", { seats: { _like: "a" } }, "QUERY_INVALID", "seats._like"],
    [
      "a field of a document in a text",
      { plate: { _has_key: "a" } },
      "QUERY_INVALID",
      "plate._has_key",
    ],
  ])("rejects %s at its path", (_, input, code, path) => {
    const refused = (() => {
      try {
        return compile(input);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return error.faults[0];
      }
    })();
    expect(refused).toMatchObject({ code, path });
  });
});
