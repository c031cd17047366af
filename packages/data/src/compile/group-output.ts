import {
  type CompileFilterContext,
  compileFilter,
  datePartSql,
  type Filter,
  isComparable,
  isTemporal,
} from "@rowhouse/access";
import { builtInType } from "@rowhouse/db";
import type { GroupResult, ResultOrder } from "../authorize/aggregates.ts";
import { type Output, requireFit } from "./aggregate-output.ts";
import type { Scope } from "./scope.ts";
import type { StatementBuilder } from "./statement.ts";
import { valueSql, valueType } from "./value-sql.ts";

/**
 * Compiles a value by which rows are grouped.
 *
 * @param parameter the request parameter that names it
 * @throws AppError QUERY_INVALID if rows cannot be grouped by it
 */
export function groupOutput(
  { name, path, unit, part }: GroupResult,
  scope: Scope,
  parameter: string,
): Output {
  const value = valueSql(scope, path);
  const type = valueType(path);
  if (unit === null && part === null) {
    requireFit(isComparable(type), name, parameter);
    return { name, sql: value, type, parameter };
  }
  requireFit(isTemporal(type), name, parameter);
  if (part !== null) {
    const sql = datePartSql(part, value, type, () => scope.builder.timeZoneSql());
    return { name, sql, type: builtInType("integer"), parameter };
  }
  // Only `timestamptz` depends on a time zone; dates and local times are truncated as they are.
  const sql =
    type.base === "timestamp with time zone"
      ? `pg_catalog.date_trunc('${unit}', ${value}, ${scope.builder.timeZoneSql()})`
      : `pg_catalog.date_trunc('${unit}', ${value}::timestamp)${type.base === "date" ? "::date" : ""}`;
  return { name, sql, type, parameter };
}

/** Returns ` having …`; empty without a condition. */
export function havingSql(
  having: Filter<number, never> | null,
  outputs: readonly Output[],
  builder: StatementBuilder,
): string {
  return having === null ? "" : ` having ${compileFilter(having, havingContext(outputs, builder))}`;
}

function havingContext(
  outputs: readonly Output[],
  builder: StatementBuilder,
): CompileFilterContext<number, never> {
  return {
    field: (position) => ({
      ...comparedOutput(outputs, position),
      visibleSql: null,
      raises: false,
      guard: (condition) => condition,
      beside: (other) => comparedOutput(outputs, other),
    }),
    relation: (none) => none,
    placeSlot: (binding) => builder.placeSlot(binding),
    placeVariable: (variable, type) => builder.placeVariable(variable, type),
    timeZoneSql: () => builder.timeZoneSql(),
    code: "QUERY_INVALID",
  };
}

/** Returns a result as a value to compare: a count is a `bigint`. */
function comparedOutput(
  outputs: readonly Output[],
  position: number,
): Pick<Output, "sql" | "type"> {
  const { sql, type } = outputAt(outputs, position);
  return { sql, type: type.base === "count" ? { ...type, base: "bigint" } : type };
}

/** Returns ` order by …` of groups: the order of the request, then the values of the groups. */
export function groupOrderSql(
  order: readonly ResultOrder[],
  outputs: readonly Output[],
  groups: readonly Output[],
): string {
  const named = new Set(order.map(({ result }) => outputAt(outputs, result)));
  const terms = order.map(({ result, descending, nulls }) => {
    const { sql } = outputAt(outputs, result);
    return `${sql}${descending ? " desc" : ""}${nulls === null ? "" : ` nulls ${nulls.toLowerCase()}`}`;
  });
  for (const group of groups) if (!named.has(group)) terms.push(group.sql);
  return terms.length === 0 ? "" : ` order by ${terms.join(", ")}`;
}

function outputAt(outputs: readonly Output[], position: number): Output {
  const output = outputs[position];
  if (output === undefined) throw new TypeError("An aggregate has lost a result");
  return output;
}
