import {
  type CompileFilterContext,
  compileFilter,
  datePartSql,
  isComparable,
  isTemporal,
} from "@rowhouse/access";
import { builtInType } from "@rowhouse/db";
import type { AuthorizedAggregate, GroupResult } from "../authorize/authorized-plan.ts";
import { aggregateOutput, type Output, outputSql, requireFit } from "./aggregate-output.ts";
import { sizedSql } from "./answer-size.ts";
import { listConditions, rootScope } from "./compile-read.ts";
import { objectSql, type RowSql } from "./compile-row.ts";
import { type Scope, valueSql, whereSql } from "./scope.ts";
import { gatePlaceholder, type StatementBuilder } from "./statement.ts";

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
  const outputs = [
    ...groups,
    ...plan.aggregates.map((term) => aggregateOutput(term, scope, "aggregate")),
  ];
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
