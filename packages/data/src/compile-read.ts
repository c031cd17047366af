import { compileFilter, isComparable, type ResolvedField } from "@rowhouse/access";
import { quoteIdentifier, quoteQualified, type Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  type AuthorizedPlan,
  fieldUnknown,
  type Visible,
  type VisibleField,
} from "./authorize-plan.ts";
import { columnOutputSql, memberSql } from "./column-json.ts";
import type { ListPlan, ReadPlan } from "./plan-request.ts";
import type { OrderTerm } from "./request.ts";
import { columnSql, type StatementBuilder } from "./statement.ts";

const alias = "t";

/** The select list of a list's statement, whose source is the gate: `data` is the rows as one JSON text, `count` the number of all. */
export function compileList(plan: AuthorizedPlan & ListPlan, builder: StatementBuilder): string {
  const { relation, read } = plan;
  const rowsSql = builder.grantRowsSql(read.rows, relation, alias);
  const resolve = resolver(read, relation, builder);
  const conditions: string[] = rowsSql === null ? [] : [rowsSql];
  if (plan.where !== null) {
    conditions.push(compileFilter(plan.where, builder.callerContext(resolve, rowsSql)));
  }
  const from = `${quoteQualified(relation.schema, relation.name)} ${alias}${whereSql(conditions)}`;
  const order = orderSql(plan.order, relation, resolve);
  const offset = plan.hasOffset ? ` offset ${builder.place({ kind: "OFFSET" })}::bigint` : "";
  const row = rowSql(projectionOf(plan.fields, read), relation, builder);
  // The limit is part of the text: with a parameter the planner would assume a tenth of the table.
  const rows = `select ${row.select} from ${from}${order} limit ${plan.limit}${offset}`;
  const data = `(select '[' || coalesce(pg_catalog.string_agg(${row.json}, ','), '') || ']' from (${rows}) r)`;
  const count = plan.count
    ? `,\n  case when gate.ok then (select pg_catalog.count(*)::text from ${from}) end as count`
    : "";
  return `select gate.proof, gate.version, case when gate.ok then ${data} end as data${count}`;
}

/** The select list of the statement that reads one row: `data` is null where there is none. */
export function compileRead(plan: AuthorizedPlan & ReadPlan, builder: StatementBuilder): string {
  const { relation, read } = plan;
  const rowsSql = builder.grantRowsSql(read.rows, relation, alias);
  const conditions = [...keyConditions(plan.key, builder), ...(rowsSql === null ? [] : [rowsSql])];
  const row = rowSql(projectionOf(plan.fields, read), relation, builder);
  const from = `${quoteQualified(relation.schema, relation.name)} ${alias}`;
  const data = `(select ${row.json} from (select ${row.select} from ${from}${whereSql(conditions)}) r)`;
  return `select gate.proof, gate.version, case when gate.ok then ${data} end as data`;
}

/** The conditions that find a row by its key. */
export function keyConditions(key: ReadPlan["key"], builder: StatementBuilder): string[] {
  return key.map(
    (column, index) =>
      `${columnSql(column, alias)} = ${builder.place({ kind: "KEY", index, column })}::${column.type.name}`,
  );
}

/** ` where a and b`, or nothing. */
export function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
}

/** The fields of an answer: those asked for, or all that the caller may read. */
export function projectionOf(
  fields: readonly string[] | null,
  read: Visible,
): readonly VisibleField[] {
  if (fields === null || fields.includes("*")) return read.fields;
  return fields.map((name) => {
    const field = read.fieldByName(name);
    if (field === undefined) throw fieldUnknown("fields");
    return field;
  });
}

/**
 * A row as JSON, in two parts: the select list of a subquery `r`, and the JSON text made of `r`. Where every field shows
 * in every row, Postgres builds the object; else it is put together member by member, and what does not show is absent.
 */
export function rowSql(
  fields: readonly VisibleField[],
  relation: Relation,
  builder: StatementBuilder,
): { readonly select: string; readonly json: string } {
  if (fields.every((field) => field.rows === null)) {
    const select = fields.map(
      ({ column }) => `${columnOutputSql(column, alias)} as ${quoteIdentifier(column.name)}`,
    );
    return { select: select.join(", "), json: "pg_catalog.row_to_json(r)::text" };
  }
  const members = fields.map(({ column, rows }) => {
    const visible = builder.grantRowsSql(rows, relation, alias);
    const member = memberSql(column, alias);
    return visible === null ? member : `case when ${visible} then ${member} end`;
  });
  return {
    select: `'{' || pg_catalog.concat_ws(',', ${members.join(", ")}) || '}' as object`,
    json: "r.object",
  };
}

/** The resolver: the one way from a field's name in a caller's words to an expression under that caller's grants. */
function resolver(
  read: Visible,
  relation: Relation,
  builder: StatementBuilder,
): (field: string) => ResolvedField {
  return (name) => {
    const field = read.fieldByName(name);
    if (field === undefined) throw fieldUnknown(name);
    return {
      sql: columnSql(field.column, alias),
      type: field.column.type,
      visibleSql: builder.grantRowsSql(field.rows, relation, alias),
    };
  };
}

/** The order asked for, with the key's columns as tie-break, so that pages do not overlap. */
function orderSql(
  order: readonly OrderTerm[],
  relation: Relation,
  resolve: (field: string) => ResolvedField,
): string {
  const terms = order.map((term) => {
    const field = resolveIn("order_by", term.field, resolve);
    if (!isComparable(field.type)) {
      const message = `Rows cannot be ordered by ${term.field}`;
      throw createError("QUERY_INVALID", { path: "order_by", message });
    }
    const sql =
      field.visibleSql === null ? field.sql : `case when ${field.visibleSql} then ${field.sql} end`;
    const nulls = term.nulls === null ? "" : ` nulls ${term.nulls.toLowerCase()}`;
    return `${sql}${term.descending ? " desc" : ""}${nulls}`;
  });
  const named = new Set(order.map((term) => term.field));
  for (const name of relation.primaryKey) {
    const column = relation.columnByName(name);
    if (column !== undefined && !named.has(name)) terms.push(columnSql(column, alias));
  }
  return terms.length === 0 ? "" : ` order by ${terms.join(", ")}`;
}

function resolveIn(
  parameter: string,
  name: string,
  resolve: (field: string) => ResolvedField,
): ResolvedField {
  try {
    return resolve(name);
  } catch {
    throw createError("FIELD_UNKNOWN", { path: parameter, message: `Unknown field ${name}` });
  }
}
