import { builtInType, type ColumnType } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { ChildNumber } from "../authorize/aggregates.ts";
import { aggregateOutput } from "./aggregate-output.ts";
import { whereSql } from "./column-sql.ts";
import { relatedScope, type Scope } from "./scope.ts";

/** A number of related rows that orders the rows of a list. */
interface NumberSql {
  readonly sql: string;
  readonly type: ColumnType;
  readonly mayBeNull: boolean;
}

/**
 * Joins the numbers of all related rows that the reader may see, in groups by the columns that refer to a row: one pass over
 * the related rows, for a list that needs the number of each of its rows. A list in a row computes them for its own rows alone.
 *
 * @throws AppError QUERY_INVALID if the values of the number have no order
 */
export function numberSql(scope: Scope, { edges, result }: ChildNumber): NumberSql {
  const last = edges.at(-1);
  if (last === undefined) throw new TypeError("A number has a relation");
  const outer = scope.joins.at(scope, edges.slice(0, -1));
  const target = relatedScope(outer, last);
  const { scope: inner, once } = target;
  const isRoot = scope.path === "";
  const parameter = isRoot ? "order_by" : `deep[${scope.path.slice(0, -1)}][order_by]`;
  const output = aggregateOutput(result, inner, parameter);
  const isCount = output.type.base === "count";
  if (!isCount && !output.type.ordered) {
    const message = `Rows cannot be ordered by ${output.name}`;
    throw createError("QUERY_INVALID", { path: parameter, message });
  }
  let sql: string;
  if (isRoot) {
    sql = scope.joins.addGroups(target, [output.sql])(0);
  } else {
    // A list in a row has few rows of the table.
    const alias = `${inner.alias}g`;
    const body = `${once.from}${inner.joins.sql}${whereSql(once.conditions)}`;
    scope.joins.add(
      ` left join lateral (select ${output.sql} as number from ${body}) ${alias} on true`,
    );
    sql = `${alias}.number`;
  }
  return isCount
    ? { sql: `coalesce(${sql}, 0)`, type: builtInType("bigint"), mayBeNull: false }
    : { sql, type: { ...output.type, domain: false }, mayBeNull: true };
}
