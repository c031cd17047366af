import { compileFilter } from "@rowhouse/access";
import { builtInType, compareSql, listType, quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorize-plan.ts";
import type { DeletePlan, UpdatePlan } from "../plan/plan-request.ts";
import { boundedSql } from "./answer-size.ts";
import { sentValueSql } from "./column-json.ts";
import { keyConditions, rootScope } from "./compile-read.ts";
import { tagSql } from "./compile-row.ts";
import { filterContext, rowsSql, type Scope, whereSql } from "./scope.ts";
import { rootAlias as alias, columnSql, type StatementBuilder } from "./statement.ts";
import {
  allOf,
  allowedOrRefused,
  allowedSql,
  answerSql,
  newRowSql,
  presetColumns,
  presetSql,
  requireColumn,
} from "./write-parts.ts";

type Plan = AuthorizedPlan & (UpdatePlan | DeletePlan);

/**
 * The rest of an update's statement. The rows are locked first, so that filters are decided on each row as it is written
 * and not as the statement's snapshot saw it; which grants match the old row is remembered for the check of the new one.
 */
export function compileUpdate(
  plan: AuthorizedPlan & UpdatePlan,
  builder: StatementBuilder,
): string {
  const { relation, write } = plan;
  const { scope } = rootScope(plan, builder);
  const found = findRows(plan, scope);
  const matched = (index: number): string | null =>
    found.matches[index] === null ? null : `f.m${index}`;
  const sets = [
    ...plan.fields.map((name) => {
      const column = requireColumn(relation, name);
      const value = builder.place({ kind: "VALUE", field: name, column });
      return `${quoteIdentifier(name)} = ${sentValueSql(value, column)}`;
    }),
    ...presetColumns(write, plan.fields, relation).map(({ column, choices }) => {
      const cases = choices.map(
        ({ grant, preset }) =>
          `when ${matched(write.indexOf(grant)) ?? "true"} then ${presetSql(preset, column, builder)}`,
      );
      return `${quoteIdentifier(column.name)} = case ${cases.join(" ")} else ${columnSql(column, alias)} end`;
    }),
  ];
  const allowed = allowedSql(write, plan.fields, (grant, index) => {
    const match = matched(index);
    const row = newRowSql(grant, relation, builder);
    return match === null && row === null ? null : () => `(${allOf(match, row?.() ?? null)})`;
  });
  const answer = plan.minimal ? "''" : answerSql(plan.projection, scope);
  const target = quoteQualified(relation.schema, relation.name);
  return `, found as (
  ${found.sql}
), written as (
  update ${target} as ${alias} set ${sets.join(", ")} from found f${found.join}
  returning ${allowedOrRefused(allowed, answer)} as data
)${resultSql(plan, builder)}`;
}

/** The rest of a delete's statement. */
export function compileDelete(
  plan: AuthorizedPlan & DeletePlan,
  builder: StatementBuilder,
): string {
  const { scope } = rootScope(plan, builder);
  const found = findRows(plan, scope);
  const target = quoteQualified(plan.relation.schema, plan.relation.name);
  return `, found as (
  ${found.sql}
), written as (
  delete from ${target} as ${alias} using found f${found.join}
  returning '' as data
)${resultSql(plan, builder)}`;
}

interface FoundRows {
  /** Locks the rows, and says of each which grants match it. */
  readonly sql: string;
  /** Joins them with the rows that are written, if all of them may be. */
  readonly join: string;
  /** The filter of each grant; null where it matches every row. */
  readonly matches: readonly (string | null)[];
}

function findRows(plan: Plan, scope: Scope): FoundRows {
  const { relation, write, selection } = plan;
  const { builder } = scope;
  const matches = write.map((grant) =>
    grant.filter === null ? null : builder.grantFilterSql(grant.filter, relation, alias),
  );
  const rows = matches.includes(null) ? null : `(${matches.join(" or ")})`;
  const flags = matches.flatMap((match, index) =>
    match === null ? [] : [`coalesce(${match}, false) as m${index}`],
  );
  const identity = identityOf(plan);
  const columns = [...identity.map((name) => `${alias}.${quoteIdentifier(name)}`), ...flags];
  const from = `gate, ${quoteQualified(relation.schema, relation.name)} ${alias}`;
  const select = (conditions: readonly (string | null)[], extra: readonly string[] = []): string =>
    `select ${[...columns, ...extra].join(", ")} from ${from}${whereSql(["gate.ok", ...conditions, rows])}`;
  const same = identity.map((name) => {
    const type = relation.columnByName(name)?.type;
    const [own, found] = [alias, "f"].map((each) => `${each}.${quoteIdentifier(name)}`);
    return type === undefined ? `${own} = ${found}` : compareSql(`${own}`, "=", `${found}`, type);
  });
  if (selection.by === "KEY") {
    const key = keyConditions(selection.key, scope);
    const fresh = selection.ifMatch ? [`${freshSql(scope)} as fresh`] : [];
    return {
      sql: `${select(key, fresh)} for update of ${alias}`,
      join: whereSql([...same, ...(selection.ifMatch ? ["f.fresh"] : [])]),
      matches,
    };
  }
  // The caller's own filter is about what the caller may read, and runs on nothing else.
  const filter = compileFilter(selection.where, filterContext(scope));
  const max = selection.affectedMax;
  return {
    sql: `${select([rowsSql(scope), filter])} limit ${max + 1} for update of ${alias}`,
    join: whereSql([...same, `(select pg_catalog.count(*) from found) <= ${max}`]),
    matches,
  };
}

/** What tells a row from all others: its key, or its place in a table that has none. */
function identityOf({ relation, selection }: Plan): string[] {
  if (relation.primaryKey.length > 0) return [...relation.primaryKey];
  if (selection.by === "FILTER" && relation.kind === "FOREIGN_TABLE") {
    throw createError("QUERY_INVALID", { message: "The rows of this table have no key" });
  }
  return ["tableoid", "ctid"];
}

/** Whether a row is still what one of the entity tags of `If-Match` was given for. */
function freshSql(scope: Scope): string {
  const tags = scope.builder.place({ kind: "IF_MATCH" }, listType(builtInType("text")));
  return `(${tagSql(scope)} = any(${tags}) or '*' = any(${tags}))`;
}

/**
 * One row by its key: `stale` where it has another entity tag. Many: the rows, and how many there were to find. An update
 * that did not write a row which it found is undone, since its new row was not checked. A deletion stands: a trigger may
 * only mark the row as deleted.
 */
function resultSql({ kind, selection }: Plan, builder: StatementBuilder): string {
  if (selection.by === "KEY") {
    const fresh = selection.ifMatch ? " where f.fresh" : "";
    const stale = selection.ifMatch
      ? ", (select pg_catalog.bool_or(not coalesce(f.fresh, false))::text from found f) as stale"
      : "";
    const data =
      kind === "DELETE"
        ? `(select '' from found f${fresh})`
        : boundedSql(completeSql("(select data from written)", fresh), builder);
    return `
select gate.proof, gate.version, ${data} as data${stale}
from gate`;
  }
  const rows =
    kind === "DELETE"
      ? "''"
      : boundedSql(
          completeSql(
            "(select '[' || coalesce(pg_catalog.string_agg(data, ','), '') || ']' from written)",
            ` having pg_catalog.count(*) <= ${selection.affectedMax}`,
          ),
          builder,
        );
  return `
select gate.proof, gate.version, ${rows} as data, (select pg_catalog.count(*)::text from found) as affected
from gate`;
}

/** @param chosen which of the rows found the update writes */
function completeSql(data: string, chosen: string): string {
  const count = "select pg_catalog.count(*) from";
  return `case when (${count} written) < (${count} found f${chosen}) then system.refuse_skipped_row()::text else ${data} end`;
}
