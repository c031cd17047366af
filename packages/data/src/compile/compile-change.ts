import type { EffectiveGrant } from "@rowhouse/access";
import {
  builtInType,
  compareSql,
  listType,
  quoteIdentifier,
  quoteLiteral,
  quoteQualified,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type {
  AuthorizedDelete,
  AuthorizedUpdate,
  WrittenColumn,
} from "../authorize/authorized-plan.ts";
import { columnSql, sentValueSql, whereSql } from "./column-sql.ts";
import { keyConditions, rootScope } from "./compile-read.ts";
import { tagSql } from "./compile-row.ts";
import { visibleFilterSql } from "./filter-sql.ts";
import { fieldVisibleSql, rowsSql, type SqlScope } from "./scope.ts";
import { rootAlias as alias, boundedSql, type StatementBuilder } from "./statement.ts";
import {
  allOf,
  allowedOrRefused,
  allowedSql,
  answerSql,
  changedDocumentSql,
  documentSql,
  isChangeableSql,
  newRowSql,
  presetSql,
  rowAnswer,
  writeAnswer,
} from "./write-parts.ts";

type AuthorizedChange = AuthorizedUpdate | AuthorizedDelete;

/**
 * Compiles the part of an update after its gate. The rows are locked first, so that filters are evaluated on the
 * version of each row that is written and not on that of the statement's snapshot. A flag for each grant records
 * whether it matches the old row; the check of the new row uses these flags.
 */
export function compileUpdate(plan: AuthorizedUpdate, builder: StatementBuilder): string {
  const { relation, write } = plan;
  const { scope } = rootScope(plan, builder);
  const unfit = unfitSql(plan, scope);
  const found = findRows(plan, scope, unfit === null ? [] : [`${unfit} as unfit`]);
  const join = unfit === null ? found.join : `${found.join} and ${noneUnfit} = 0`;
  const matched = (grant: EffectiveGrant): string | null => {
    const index = write.indexOf(grant);
    return found.matches[index] === null ? null : `f.m${index}`;
  };
  const sets = [
    ...plan.sent.map((sent) => {
      const { column } = sent;
      if (sent.change !== undefined) {
        return `${quoteIdentifier(column.name)} = ${changedSql(sent, builder)}`;
      }
      const value = builder.place({ kind: "VALUE", field: column.name, column });
      return `${quoteIdentifier(column.name)} = ${sentValueSql(value, column)}`;
    }),
    ...plan.presets.map(({ column, choices }) => {
      const cases = choices.map(
        ({ grant, preset }) =>
          `when ${matched(grant) ?? "true"} then ${presetSql(preset, column, builder)}`,
      );
      return `${quoteIdentifier(column.name)} = case ${cases.join(" ")} else ${columnSql(column, alias)} end`;
    }),
  ];
  const allowed = allowedSql(write, plan.sent, (grant) => {
    const match = matched(grant);
    const row = newRowSql(grant, relation, builder);
    return match === null && row === null ? null : () => `(${allOf(match, row?.() ?? null)})`;
  });
  const answer = writeAnswer(plan, scope);
  const target = quoteQualified(relation.schema, relation.name);
  return `, found as (
  ${found.sql}
), written as (
  update ${target} as ${alias} set ${sets.join(", ")} from found f${join}
  returning ${[`${allowedOrRefused(allowed, answer)} as data`, ...keysOf(plan)].join(", ")}
)${resultSql(plan, builder)}`;
}

/** The number of found rows to whose documents a change does not apply. */
const noneUnfit = "(select pg_catalog.count(f.unfit) from found f)";

function changedSql({ column, change }: WrittenColumn, builder: StatementBuilder): string {
  const source = { kind: "CHANGE", field: column.name, column } as const;
  if (change === undefined || change.parts.isWhole) {
    return sentValueSql(builder.place({ ...source, index: null }), column);
  }
  const document = documentSql(columnSql(column, alias), column);
  const changed = changedDocumentSql(document, change.parts, (index) =>
    builder.place({ ...source, index }, builtInType("jsonb")),
  );
  return `${changed}::${column.type.plain}`;
}

/**
 * Returns SQL for the name of a field whose document does not take its change, because it is no object or hidden from the caller
 * in the row; null if the update changes no document.
 */
function unfitSql({ sent }: AuthorizedUpdate, scope: SqlScope): string | null {
  const cases = sent.flatMap(({ column, change }) => {
    if (change === undefined || change.field === null || change.parts.isWhole) return [];
    const fits = isChangeableSql(documentSql(columnSql(column, alias), column), change.parts);
    const visible = allOf(rowsSql(scope), fieldVisibleSql(scope, change.field));
    const met = visible === null ? fits : `(case when ${visible} then ${fits} else false end)`;
    return [`case when not ${met} then ${quoteLiteral(column.name)}::text end`];
  });
  return cases.length === 0 ? null : `coalesce(${cases.join(", ")})`;
}

/**
 * Compiles the part of a delete after its gate. The response has the rows as they were found: a row that a trigger marks
 * instead is not in RETURNING. PostgreSQL has no RETURNING for a deletion that a rule replaces.
 */
export function compileDelete(plan: AuthorizedDelete, builder: StatementBuilder): string {
  const { scope } = rootScope(plan, builder);
  const found = findRows(plan, scope, deletedColumns(plan, scope));
  const target = quoteQualified(plan.relation.schema, plan.relation.name);
  return `, found as (
  ${found.sql}
), written as (
  delete from ${target} as ${alias} using found f${found.join}
${plan.relation.replacesDelete ? "" : "  returning '' as data\n"})${resultSql(plan, builder)}`;
}

/** The response for each row of a delete, as a column of the found rows. */
function deletedColumns({ projection }: AuthorizedDelete, scope: SqlScope): readonly string[] {
  return projection === null ? [] : [`${answerSql(rowAnswer(projection, scope))} as data`];
}

interface FoundRows {
  /** Locks the rows; in an update a column for each grant with a filter states whether it matches. */
  readonly sql: string;
  /**
   * Joins the found rows with the rows to write. No row joins if more than `max_affected` are found or the entity tag
   * differs.
   */
  readonly join: string;
  /** The filter of each grant; null where it matches every row. */
  readonly matches: readonly (string | null)[];
}

/** @param answers columns for the response */
function findRows(
  plan: AuthorizedChange,
  scope: SqlScope,
  answers: readonly string[] = [],
): FoundRows {
  const { relation, write, selection } = plan;
  const { builder } = scope;
  const rows = builder.grantedSql(write, relation, alias);
  // A deletion does not depend on which grant allows it.
  const matches = (plan.kind === "DELETE" ? [] : write).map((grant) =>
    grant.filter === null ? null : builder.grantFilterSql(grant.filter, relation, alias),
  );
  const flags = matches.flatMap((match, index) =>
    match === null ? [] : [`coalesce(${match}, false) as m${index}`],
  );
  const identity = identityOf(plan);
  const columns = [
    ...identity.map((name, index) => `${alias}.${quoteIdentifier(name)} as k${index}`),
    ...flags,
    ...answers,
  ];
  const from = `gate, ${quoteQualified(relation.schema, relation.name)} ${alias}`;
  const select = (conditions: readonly (string | null)[], extra: readonly string[] = []): string =>
    `select ${[...columns, ...extra].join(", ")} from ${from}${whereSql(["gate.ok", ...conditions, rows])}`;
  const same = identity.map((name, index) => {
    const type = relation.columnByName(name)?.type;
    const own = `${alias}.${quoteIdentifier(name)}`;
    return type === undefined ? `${own} = f.k${index}` : compareSql(own, "=", `f.k${index}`, type);
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
  // The caller's filter is evaluated only on rows that the caller may read.
  const filter = visibleFilterSql(selection.where, scope);
  const max = selection.affectedMax;
  return {
    sql: `${select([rowsSql(scope), filter])} limit ${max + 1} for update of ${alias}`,
    join: whereSql([...same, `(select pg_catalog.count(*) from found) <= ${max}`]),
    matches,
  };
}

/**
 * Returns the columns that identify a row: its key, or its physical position in a table without a key.
 *
 * @throws AppError QUERY_INVALID for a foreign table without a key
 */
function identityOf({ relation, selection }: AuthorizedChange): string[] {
  if (relation.primaryKey.length > 0) return [...relation.primaryKey];
  if (selection.by === "FILTER" && relation.kind === "FOREIGN_TABLE") {
    throw createError("QUERY_INVALID", { message: "The rows of this table have no key" });
  }
  return ["tableoid", "ctid"];
}

/**
 * Returns the found columns by which the rows of an answer stand. PostgreSQL would give them in the order in which it joins
 * them, which rows that the caller may not read can change. The rows of a table without a key have no order.
 */
function keysOf({ relation, selection }: AuthorizedChange): string[] {
  return selection.by === "KEY" ? [] : relation.primaryKey.map((_, index) => `f.k${index}`);
}

/** Returns an aggregate of the responses of all rows. */
function listSql(plan: AuthorizedChange, rows: string): string {
  const keys = keysOf(plan).map((key) => key.replace("f.", `${rows}.`));
  const order = keys.length === 0 ? "" : ` order by ${keys.join(", ")}`;
  return `'[' || coalesce(pg_catalog.string_agg(${rows}.data, ','${order}), '') || ']'`;
}

/** Returns the condition that a row has one of the entity tags of `If-Match`. */
function freshSql(scope: SqlScope): string {
  const tags = scope.builder.place({ kind: "IF_MATCH" }, listType(builtInType("text")));
  return `(${tagSql(scope)} = any(${tags}) or '*' = any(${tags}))`;
}

/**
 * Compiles the result of a change. For one row by its key, `stale` is true if its entity tag differs. For many rows,
 * `affected` is the number of rows found. An update that did not write a row that it found is undone, because the new
 * row was not checked. A deletion is not undone: a trigger may mark the row as deleted instead.
 */
function resultSql(plan: AuthorizedChange, builder: StatementBuilder): string {
  const { selection } = plan;
  if (selection.by === "KEY") {
    const chosen = whereSql([
      selection.ifMatch ? "f.fresh" : null,
      hasParts(plan) ? "f.unfit is null" : null,
    ]);
    const stale = selection.ifMatch
      ? ", (select pg_catalog.bool_or(not coalesce(f.fresh, false))::text from found f) as stale"
      : "";
    const data =
      plan.kind === "DELETE"
        ? deletedRowSql(plan, chosen, builder)
        : boundedSql(completeSql("(select data from written)", chosen), builder);
    return `
select gate.proof, gate.version, ${data} as data${stale}${unfitColumn(plan)}
from gate`;
  }
  const rows =
    plan.kind === "DELETE"
      ? deletedRowsSql(plan, selection.affectedMax, builder)
      : boundedSql(
          completeSql(
            `(select ${listSql(plan, "w")} from written w)`,
            ` having pg_catalog.count(*) <= ${selection.affectedMax}${hasParts(plan) ? " and pg_catalog.count(f.unfit) = 0" : ""}`,
          ),
          builder,
        );
  return `
select gate.proof, gate.version, ${rows} as data, (select pg_catalog.count(*)::text from found) as affected${unfitColumn(plan)}
from gate`;
}

/** Whether an update changes parts of a document, so that the found rows have the column `unfit`. */
function hasParts(plan: AuthorizedChange): boolean {
  return plan.kind === "UPDATE" && plan.sent.some(({ change }) => change?.parts.isWhole === false);
}

/** Returns the select list of the field whose change does not apply. */
function unfitColumn(plan: AuthorizedChange): string {
  return hasParts(plan) ? ", (select pg_catalog.min(f.unfit) from found f) as unfit" : "";
}

function deletedRowSql(
  { projection }: AuthorizedDelete,
  chosen: string,
  builder: StatementBuilder,
): string {
  return projection === null
    ? `(select '' from found f${chosen})`
    : boundedSql(`(select f.data from found f${chosen})`, builder);
}

/** The rows of a delete by a filter; nothing if they are more than it may affect. */
function deletedRowsSql(
  plan: AuthorizedDelete,
  affectedMax: number,
  builder: StatementBuilder,
): string {
  if (plan.projection === null) return "''";
  return boundedSql(
    `(select ${listSql(plan, "f")} from found f having pg_catalog.count(*) <= ${affectedMax})`,
    builder,
  );
}

/**
 * Returns `data`; undoes an update that wrote fewer rows than it found.
 *
 * @param chosen SQL after FROM that selects the found rows that the update writes
 */
function completeSql(data: string, chosen: string): string {
  const count = "select pg_catalog.count(*) from";
  return `case when (${count} written) < (${count} found f${chosen}) then system.refuse_skipped_row()::text else ${data} end`;
}
