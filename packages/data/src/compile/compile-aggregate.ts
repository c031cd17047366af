import {
  type CompileFilterContext,
  compileFilter,
  datePartSql,
  isComparable,
  isTemporal,
} from "@rowhouse/access";
import { builtInType, type ColumnType, comparedSql } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type {
  AggregateResult,
  AuthorizedAggregate,
  GroupResult,
} from "../authorize/authorized-plan.ts";
import { sizedSql } from "./answer-size.ts";
import { typeOutputSql } from "./column-json.ts";
import { listConditions, rootScope } from "./compile-read.ts";
import { objectSql, type RowSql } from "./compile-row.ts";
import { type Scope, valueSql, whereSql } from "./scope.ts";
import { gatePlaceholder, type StatementBuilder } from "./statement.ts";

/** One value of a group. */
export interface Output {
  readonly name: string;
  readonly sql: string;
  readonly type: ColumnType;
  readonly parameter: "aggregate" | "group_by";
}

/** The groups of an aggregate, in parts. */
export interface AggregateParts {
  readonly outputs: readonly Output[];
  /** Everything from FROM to HAVING. */
  readonly body: string;
  readonly order: string;
  readonly offset: string;
}

/** Compiles an aggregate without its gate: `data` is the groups as one JSON text. */
export function compileAggregate(plan: AuthorizedAggregate, builder: StatementBuilder): string {
  const { outputs, body, order, offset } = aggregateParts(plan, builder, null);
  const group = groupSql(outputs);
  const rows = `select ${group.select} from ${body}${order} limit ${plan.limit}${offset}`;
  // The gate is a one-time filter outside the groups: PostgreSQL does not parallelize a query that refers to an outer
  // query.
  const data = `select ${group.list} as data from (${rows}) r where gate.ok`;
  const count =
    plan.count === null
      ? ""
      : `,\n  case when gate.ok then (select pg_catalog.count(*)::text from (select 1 from ${body}) g) end as count`;
  return `select gate.proof, gate.version, ${sizedSql("d.data", builder)}${count}
from ${gatePlaceholder}, lateral (${data}) d`;
}

/** Compiles a group to JSON. */
export function groupSql(outputs: readonly Output[]): Omit<RowSql, "keys"> {
  return objectSql(
    outputs.map(({ name, sql, type }) => ({ name, sql: outputSql(sql, type), visibleSql: null })),
  );
}

/**
 * Compiles the parts of an aggregate.
 *
 * @param gate the condition under which rows are read; null if the statement contains it elsewhere
 * @throws AppError QUERY_INVALID for a result or a condition that does not apply to its field
 */
export function aggregateParts(
  plan: AuthorizedAggregate,
  builder: StatementBuilder,
  gate: string | null,
): AggregateParts {
  const { scope, from } = rootScope(plan, builder);
  const groups = plan.groups.map((term) => groupOutput(term, scope));
  const outputs = [...groups, ...plan.aggregates.map((term) => aggregateOutput(term, scope))];
  const where = whereSql([gate, ...listConditions(plan, scope)]);
  const groupBy = groups.length === 0 ? "" : ` group by ${groups.map(({ sql }) => sql).join(", ")}`;
  // Without groups, `having true` makes one group of all rows, also in the query that counts the groups. The equivalent
  // `group by ()` makes PostgreSQL compute columns of rows that a filter removes later.
  const having =
    plan.having === null
      ? groups.length === 0
        ? " having true"
        : ""
      : ` having ${compileFilter(plan.having, havingContext(outputs, builder))}`;
  return {
    outputs,
    body: `${from}${scope.joins.sql}${where}${groupBy}${having}`,
    order: orderOf(plan, outputs, groups),
    offset: plan.hasOffset ? builder.offsetSql() : "",
  };
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

function aggregateOutput({ name, apply, path }: AggregateResult, scope: Scope): Output {
  const output = (sql: string, type: ColumnType): Output => ({
    name,
    sql,
    type,
    parameter: "aggregate",
  });
  if (path === null) return output("pg_catalog.count(*)", countType);
  const value = valueSql(scope, path);
  const { type } = path.field.column;
  switch (apply) {
    case "count":
      return output(`pg_catalog.count(${value})`, countType);
    case "count_distinct":
      requireFit(isComparable(type), name, "aggregate");
      return output(`pg_catalog.count(distinct ${value})`, countType);
    case "sum":
    case "avg": {
      requireFit(
        !type.array && addable.has(type.base) && !(apply === "avg" && type.base === "money"),
        name,
        "aggregate",
      );
      return output(`pg_catalog.${apply}(${value})`, sumType(type));
    }
    default:
      requireFit(isComparable(type) && !withoutLeast.has(type.base), name, "aggregate");
      return output(extremeSql(apply, value, type), type);
  }
}

/** Returns SQL for the least or the greatest value. */
function extremeSql(apply: "min" | "max", sql: string, type: ColumnType): string {
  if (type.operators === null) return `pg_catalog.${apply}(${comparedSql(sql, type)})`;
  // A type of an extension has no `min`, or has it in the extension's schema.
  const place = apply === "min" ? 0 : 1;
  return `pg_catalog.percentile_disc(${place}) within group (order by ${sql})`;
}

/** Types that are comparable but have no least and greatest value. */
const withoutLeast: ReadonlySet<string> = new Set([
  "boolean",
  "uuid",
  "jsonb",
  "bit",
  "bit varying",
]);

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

function groupOutput({ name, path, unit, part }: GroupResult, scope: Scope): Output {
  const value = valueSql(scope, path);
  const { type } = path.field.column;
  if (unit === null && part === null) {
    requireFit(isComparable(type), name, "group_by");
    return { name, sql: value, type, parameter: "group_by" };
  }
  requireFit(isTemporal(type), name, "group_by");
  if (part !== null) {
    const sql = datePartSql(part, value, type, () => scope.builder.timeZoneSql());
    return { name, sql, type: builtInType("integer"), parameter: "group_by" };
  }
  // Only `timestamptz` depends on a time zone; dates and local times are truncated as they are.
  const sql =
    type.base === "timestamp with time zone"
      ? `pg_catalog.date_trunc('${unit}', ${value}, ${scope.builder.timeZoneSql()})`
      : `pg_catalog.date_trunc('${unit}', ${value}::timestamp)${type.base === "date" ? "::date" : ""}`;
  return { name, sql, type, parameter: "group_by" };
}

function requireFit(fits: boolean, name: string, parameter: string): void {
  if (!fits) {
    throw createError("QUERY_INVALID", {
      path: parameter,
      message: `${name} does not apply to this field`,
    });
  }
}

function outputSql(sql: string, type: ColumnType): string {
  return type.base === "count" ? sql : typeOutputSql(sql, type);
}

function havingContext(
  outputs: readonly Output[],
  builder: StatementBuilder,
): CompileFilterContext<number, never> {
  return {
    field: (position) => {
      const { sql, type } = outputAt(outputs, position);
      return {
        sql,
        type: type.base === "count" ? { ...type, base: "bigint" } : type,
        visibleSql: null,
        raises: false,
        guard: (condition) => condition,
        beside: (other) => outputAt(outputs, other),
      };
    },
    relation: (none) => none,
    placeSlot: (binding) => builder.placeSlot(binding),
    placeVariable: (variable, type) => builder.placeVariable(variable, type),
    timeZoneSql: () => builder.timeZoneSql(),
    code: "QUERY_INVALID",
  };
}

function orderOf(
  { order }: AuthorizedAggregate,
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
