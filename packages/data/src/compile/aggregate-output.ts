import {
  type CompileFilterContext,
  compileFilter,
  datePartSql,
  type Filter,
  isComparable,
  isRange,
  isTemporal,
  periodLabelSql,
} from "@rowhouse/access";
import { builtInType, type ColumnType, comparedSql } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { AggregateResult, GroupResult, ResultOrder } from "../authorize/aggregates.ts";
import type { FieldPath } from "../authorize/resolve-path.ts";
import type { Expression } from "../parse/expression.ts";
import { typeOutputSql } from "./column-sql.ts";
import { type SqlScope, valueSql, valueType } from "./scope.ts";
import type { StatementBuilder } from "./statement.ts";

/** One value of a group. */
export interface Output {
  readonly name: string;
  readonly sql: string;
  readonly type: ColumnType;
  /** The request parameter that names it. */
  readonly parameter: string;
  /** Returns SQL for the text that the response has instead of the value; missing for the value itself. */
  readonly labelSql?: (value: string) => string;
}

const wholeTypes: ReadonlySet<string> = new Set(["smallint", "integer", "bigint"]);
const addable: ReadonlySet<string> = new Set([
  ...wholeTypes,
  "numeric",
  "real",
  "double precision",
  "money",
  "interval",
]);

/**
 * Compiles an aggregate over the rows of a scope, for a statement with the scope's joins in FROM.
 *
 * @param parameter the request parameter that names it
 * @throws AppError QUERY_INVALID if it does not apply to its field
 */
export function aggregateOutput(
  { name, apply, path, expression }: AggregateResult,
  scope: SqlScope,
  parameter: string,
): Output {
  const output = (sql: string, type: ColumnType): Output => ({
    name,
    sql,
    type,
    parameter,
  });
  if (expression !== null) {
    const value = expressionSql(expression, scope, name, parameter);
    return output(`pg_catalog.${apply}(${value})`, builtInType("numeric"));
  }
  if (path === null) return output("pg_catalog.count(*)", countType);
  const isAdded = apply === "sum" || apply === "avg";
  const value = valueSql(scope, path, isAdded ? "NUMBER" : undefined);
  const type = valueType(path, isAdded ? "NUMBER" : undefined);
  switch (apply) {
    case "count":
      return output(`pg_catalog.count(${value})`, countType);
    case "count_distinct":
      requireFit(isComparable(type), name, parameter);
      return output(`pg_catalog.count(distinct ${value})`, countType);
    case "sum":
    case "avg": {
      requireFit(
        !type.array && addable.has(type.base) && !(apply === "avg" && type.base === "money"),
        name,
        parameter,
      );
      return output(`pg_catalog.${apply}(${value})`, sumType(type));
    }
    default:
      if (path.inside !== undefined) return output(leastSql(apply, value), type);
      requireFit(hasLeast(type), name, parameter);
      return output(extremeSql(apply, value, type), type);
  }
}

const numbers: ReadonlySet<string> = new Set([
  ...wholeTypes,
  "numeric",
  "real",
  "double precision",
]);

/** Returns SQL for the value of an expression: a `numeric`, null if one of its values is, and on a division by zero. */
function expressionSql(
  expression: Expression<FieldPath>,
  scope: SqlScope,
  name: string,
  parameter: string,
): string {
  switch (expression.kind) {
    case "NUMBER":
      return `${expression.text}::numeric`;
    case "FIELD": {
      const type = valueType(expression.field, "NUMBER");
      if (type.array || !numbers.has(type.base)) {
        const message = `The expression of ${name} can only have fields with numbers`;
        throw createError("QUERY_INVALID", { path: parameter, message });
      }
      return `(${valueSql(scope, expression.field, "NUMBER")})::numeric`;
    }
    case "OPERATION": {
      const [left, right] = [expression.left, expression.right].map((part) =>
        expressionSql(part, scope, name, parameter),
      );
      const divisor = expression.sign === "/" ? `nullif(${right}, 0)` : right;
      return `(${left} ${expression.sign} ${divisor})`;
    }
    default:
      return expression satisfies never;
  }
}

/** Returns SQL for the least or the greatest value. */
function extremeSql(apply: "min" | "max", sql: string, type: ColumnType): string {
  if (type.operators === null) return `pg_catalog.${apply}(${comparedSql(sql, type)})`;
  // A type of an extension has no `min`, or has it in the extension's schema.
  return type.array ? sortedSql(apply, sql) : leastSql(apply, sql);
}

/**
 * Returns SQL for the first or the last value in the order of a type without `min` and `max`: those of arrays of one value
 * do not sort the values. Null follows each value in an array, and an empty array precedes each.
 */
function leastSql(apply: "min" | "max", sql: string): string {
  return apply === "min"
    ? `(pg_catalog.min(array[${sql}]))[1]`
    : `(pg_catalog.max(pg_catalog.array_remove(array[${sql}], null)))[1]`;
}

/** Returns the same for arrays, of which there is no array of one value. */
function sortedSql(apply: "min" | "max", sql: string): string {
  return `pg_catalog.percentile_disc(${apply === "min" ? 0 : 1}) within group (order by ${sql})`;
}

/** Types that are comparable but have no least and greatest value. */
const withoutLeast: ReadonlySet<string> = new Set([
  "boolean",
  "uuid",
  "jsonb",
  "bit",
  "bit varying",
  "macaddr",
  "macaddr8",
  "tsvector",
  "tsquery",
]);

function hasLeast(type: ColumnType): boolean {
  return isComparable(type) && !isRange(type) && !withoutLeast.has(type.base);
}

/**
 * Returns the type of a sum or an average: a `numeric` of any size for integers and `numeric`, else the type of the
 * values.
 */
function sumType(type: ColumnType): ColumnType {
  if (wholeTypes.has(type.base) || type.base === "numeric") return builtInType("numeric");
  return { ...type, domain: false };
}

/** Counts are JSON numbers: a double holds the number of rows of any table exactly. */
const countType: ColumnType = { ...builtInType("bigint"), base: "count" };

/** @throws AppError QUERY_INVALID unless a function applies to the type of its field */
function requireFit(fits: boolean, name: string, parameter: string): void {
  if (!fits) {
    throw createError("QUERY_INVALID", {
      path: parameter,
      message: `${name} does not apply to this field`,
    });
  }
}

/** Returns SQL for a value of a group in the JSON form of responses. */
export function outputSql({ sql, type, labelSql }: Output): string {
  if (labelSql !== undefined) return labelSql(sql);
  return type.base === "count" ? sql : typeOutputSql(sql, type);
}

/**
 * Compiles a value by which rows are grouped.
 *
 * @param parameter the request parameter that names it
 * @throws AppError QUERY_INVALID if rows cannot be grouped by it
 */
export function groupOutput(
  { name, path, unit, part, isLabeled }: GroupResult,
  scope: SqlScope,
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
  if (unit === null || !isLabeled) return { name, sql, type, parameter };
  const labelSql = (truncated: string) =>
    periodLabelSql(unit, truncated, type, () => scope.builder.timeZoneSql());
  return { name, sql, type, parameter, labelSql };
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
