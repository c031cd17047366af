import type { AuthorizedAggregate } from "../authorize/authorized-plan.ts";
import { aggregateOutput, type Output, outputSql } from "./aggregate-output.ts";
import { sizedSql } from "./answer-size.ts";
import { whereSql } from "./column-sql.ts";
import { filteredFrom, listConditions, manyRowsScope } from "./compile-read.ts";
import { groupOrderSql, groupOutput, havingSql } from "./group-output.ts";
import { type ObjectSql, objectSql } from "./object-sql.ts";
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
export function groupSql(outputs: readonly Output[]): ObjectSql {
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
  const { scope, from } = manyRowsScope(plan, builder);
  const groups = plan.groups.map((term) => groupOutput(term, scope, "group_by"));
  const outputs = [
    ...groups,
    ...plan.aggregates.map((term) => aggregateOutput(term, scope, "aggregate")),
  ];
  const where = whereSql([gate, ...listConditions(plan, scope)]);
  const groupBy = groups.length === 0 ? "" : ` group by ${groups.map(({ sql }) => sql).join(", ")}`;
  // Without groups, `having true` makes one group of all rows, also in the query that counts the groups. The equivalent
  // `group by ()` makes PostgreSQL compute columns of rows that a filter removes later.
  const having =
    plan.having === null && groups.length === 0
      ? " having true"
      : havingSql(plan.having, outputs, builder);
  return {
    outputs,
    body: `${filteredFrom(from, scope)}${scope.joins.sql}${where}${groupBy}${having}`,
    order: groupOrderSql(plan.order, outputs, groups),
    offset: plan.hasOffset ? builder.offsetSql() : "",
  };
}
