import { type ColumnType, ownColumns, quoteIdentifier } from "@rowhouse/db";
import type {
  Projection,
  RelatedGroups,
  RelatedNumbers,
  RelatedProjection,
  RelatedRows,
} from "../authorize/projection.ts";
import {
  aggregateOutput,
  groupOrderSql,
  groupOutput,
  havingSql,
  type Output,
  outputSql,
} from "./aggregate-output.ts";
import {
  areColumns,
  assembledSql,
  builtSql,
  columnOutputSql,
  columnSql,
  type Member,
  type ObjectSql,
  objectSql,
  partsSql,
  whereSql,
} from "./column-sql.ts";
import {
  afterSql,
  hasPlaces,
  lastKeysSql,
  type OrderKey,
  orderKeys,
  orderSql,
} from "./compile-order.ts";
import type { Rows } from "./edge-sql.ts";
import { visibleFilterSql } from "./filter-sql.ts";
import {
  fieldVisibleSql,
  groupedSql,
  type OnePass,
  onePassOf,
  type RelatedScope,
  relatedScope,
  rowsSql,
  type SqlScope,
} from "./scope.ts";
import type { StatementBuilder } from "./statement.ts";

/** A row as JSON, with its order keys. */
export interface RowSql extends ObjectSql {
  /** The text of each order key, as an expression over `r`. */
  readonly keys: readonly string[];
}

/** What the rows of a list contain beside their JSON. */
export interface RowExtras {
  readonly order: readonly OrderKey[];
  /** Whether `r.tag` is the entity tag of the row. */
  readonly tagged: boolean;
}

const noExtras: RowExtras = { order: [], tagged: false };

/** Compiles a row to JSON without the fields that are hidden from the reader. */
export function rowSql(
  projection: Projection,
  scope: SqlScope,
  { order, tagged }: RowExtras = noExtras,
): RowSql {
  const members: Member[] = [
    ...projection.fields.map(({ name, field }) => ({
      name,
      column: field.column,
      sql: columnOutputSql(field.column, scope.alias),
      visibleSql: fieldVisibleSql(scope, field),
    })),
    ...projection.documents.map(({ name, field, parts }) => ({
      name,
      sql: partsSql(columnSql(field.column, scope.alias), parts),
      visibleSql: fieldVisibleSql(scope, field),
    })),
    ...projection.related.map((related) => ({
      name: related.name,
      sql: relatedSql(related, scope),
      visibleSql: null,
    })),
  ];
  const keys = order.map((key) => shownKey(key, members));
  if (!tagged && areColumns(members) && isPresent(keys)) return { ...builtSql(members), keys };
  const object = assembledSql(members);
  const extra = order.map(({ sql }, index) => `, (${sql})::text as k${index}`);
  if (tagged) extra.push(`, ${tagSql(scope)} as tag`);
  return {
    ...object,
    select: `${object.select}${extra.join("")}`,
    keys: order.map((_, index) => `r.k${index}`),
  };
}

/**
 * Returns SQL for the text of an order key from the row's own column; undefined if the row does not contain the key in
 * a form that PostgreSQL converts back exactly.
 */
function shownKey({ column, type }: OrderKey, members: readonly Member[]): string | undefined {
  if (column?.type.name !== type.name || type.holdsBytes) return undefined;
  const shown = members.find(
    (member) => member.column?.name === column.name && !member.sql.startsWith("("),
  );
  return shown && `r.${quoteIdentifier(shown.name)}::text`;
}

function isPresent(keys: readonly (string | undefined)[]): keys is readonly string[] {
  return !keys.includes(undefined);
}

/**
 * Returns SQL for the entity tag of a row: the MD5 of all fields that the reader may see. Null if the reader may not
 * read the row.
 */
export function tagSql(scope: SqlScope): string {
  const { visible } = scope;
  if (visible.fields.length === 0) return "null::text";
  const fields = visible.fields.map((field) => ({ name: field.column.name, field }));
  const row = rowSql({ visible, fields, documents: [], related: [] }, scope);
  const tag = `(select pg_catalog.md5(${row.json}) from (select ${row.select}) r)`;
  const readable = rowsSql(scope);
  return readable === null ? tag : `case when ${readable} then ${tag} end`;
}

/**
 * Returns SQL for a related row as JSON, null if none is visible; for a to-many relation, the list of related rows.
 */
export function relatedSql(related: RelatedProjection, outer: SqlScope): string {
  const { edge, projection, rows, numbers } = related;
  if (numbers !== null) return numbersSql(related, numbers, outer);
  const { scope: target, once } = relatedScope(outer, edge);
  const { from, conditions } = once;
  const path = `${outer.path}${related.name}`;
  const scope = { ...target, path: `${path}.` };
  if (rows?.page != null) {
    return pagedSql(related, rows, rows.page, { scope, from, conditions }, outer);
  }
  const row = rowSql(projection, scope);
  if (rows === null) {
    return `(select ${row.jsonValue} from (select ${row.select} from ${from}${whereSql(conditions)}) r)`;
  }
  const chosen = rows.where === null ? null : visibleFilterSql(rows.where, scope);
  const where = whereSql([...conditions, chosen]);
  const order = orderSql(orderKeys(rows.order, scope));
  const source = `${from}${scope.joins.sql}${where}${order}`;
  return listSql(row, { source, counted: `${from}${where}` }, rows, scope);
}

/**
 * Returns SQL for a page of related rows: an object with the rows, and the cursor of the next page if more may follow. The
 * cursor has the columns that identify the row to which the rows belong, so that it does not continue the list of another.
 */
function pagedSql(
  { edge: { edge, target }, projection }: RelatedProjection,
  rows: RelatedRows,
  { after }: NonNullable<RelatedRows["page"]>,
  { scope, from, conditions }: Rows & { readonly scope: SqlScope },
  outer: SqlScope,
): string {
  const { builder } = scope;
  const { path } = rows;
  const own = ownColumns(edge).flatMap((name) => {
    const column = outer.visible.relation.columnByName(name);
    return column === undefined ? [] : [`${columnSql(column, outer.alias)}::text`];
  });
  const placed = (index: number, type?: ColumnType) =>
    builder.place({ kind: "DEEP_CURSOR", path, index, typeName: type?.name ?? "text" }, type);
  const keys = orderKeys(rows.order, scope);
  const limit = rows.limit ?? scope.relatedMax;
  const isKeyed = limit !== null && limit > 0 && hasPlaces(target.relation);
  const row = rowSql(projection, scope, { order: isKeyed ? keys : [], tagged: false });
  const chosen = rows.where === null ? null : visibleFilterSql(rows.where, scope);
  const later =
    after === null
      ? null
      : afterSql(keys, after.slice(own.length), (index, { type }) =>
          placed(own.length + index, type),
        );
  const where = whereSql([...conditions, chosen, later]);
  const bounds = `${limit === null ? "" : ` limit ${limit}`}${offsetSql(rows, builder)}`;
  const source = `${from}${scope.joins.sql}${where}${orderSql(keys)}${bounds}`;
  const next = isKeyed
    ? ` || case when pg_catalog.count(*) = ${limit} then ${builder.nextSql(path, lastKeysSql(row.keys, limit, own))} else '' end`
    : "";
  const page = `(select ('{"data":' || ${row.list}${next} || '}')::json from (select ${row.select} from ${source}) r)`;
  if (after === null) return page;
  const isSame = own.map((sql, index) => `${sql} = ${placed(index)}`).join(" and ");
  return `case when ${isSame} then ${page} else ${builder.misplacedSql(path)} end`;
}

/** The numbers of a to-many relation's rows, in parts. */
export interface NumbersSql {
  readonly outputs: readonly Output[];
  /** Everything from FROM to WHERE; null if the outer scope joins the numbers. */
  readonly body: string | null;
}

/** Compiles the numbers of the related rows that the reader may see and that `deep` selects. */
export function numbersOf(
  related: RelatedProjection,
  { results }: RelatedNumbers,
  outer: SqlScope,
): NumbersSql {
  const target = relatedScope(outer, related.edge);
  const outputs = results.map((result) => aggregateOutput(result, target.scope, "fields"));
  const pass = onePassOf(outer, related.edge);
  if (pass === null) return { outputs, body: bodyOf(related, target) };
  return {
    outputs: joinedOutputs(target, outputs, chosenIn(pass, related, target), outer),
    body: null,
  };
}

/** Joins the numbers of all related rows in one pass, where no index finds those of one row. */
function joinedOutputs(
  target: RelatedScope,
  outputs: readonly Output[],
  chosen: readonly (string | null)[],
  outer: SqlScope,
): readonly Output[] {
  const sums = outputs.map(({ sql }) => sql);
  const numberAt = outer.joins.addGroups(target, sums, chosen);
  return outputs.map((output, index) => {
    const sql = numberAt(index);
    return { ...output, sql: output.type.base === "count" ? `coalesce(${sql}, 0)` : sql };
  });
}

/** Everything from FROM to WHERE, once every value has been compiled. */
function bodyOf(related: RelatedProjection, target: RelatedScope): string {
  const { scope, once } = target;
  const chosen = chosenSql(related, target);
  return `${once.from}${scope.joins.sql}${whereSql([...once.conditions, chosen])}`;
}

/** The conditions of the related rows that a pass reads, beside those of the reader. */
function chosenIn(
  pass: OnePass,
  related: RelatedProjection,
  target: RelatedScope,
): readonly (string | null)[] {
  return [pass.belongsSql(target.grouped), chosenSql(related, target)];
}

function chosenSql({ rows }: RelatedProjection, { scope }: RelatedScope): string | null {
  return rows?.where == null ? null : visibleFilterSql(rows.where, scope);
}

/** Returns SQL for the object of the numbers, one pass over the rows, or for a list of such objects, one for each group. */
function numbersSql(related: RelatedProjection, numbers: RelatedNumbers, outer: SqlScope): string {
  if (numbers.groups !== null) return groupsSql(related, numbers, numbers.groups, outer);
  const { outputs, body } = numbersOf(related, numbers, outer);
  const object = objectSql(outputs.map(memberOf));
  const source = body === null ? "" : ` from ${body}`;
  return `(select ${object.jsonValue} from (select ${object.select}${source}) r)`;
}

function groupsSql(
  related: RelatedProjection,
  { results }: RelatedNumbers,
  { groups: terms, having, order }: RelatedGroups,
  outer: SqlScope,
): string {
  const { rows } = related;
  if (rows === null) throw new TypeError("Only a list has groups");
  const target = relatedScope(outer, related.edge);
  const { scope } = target;
  const groups = terms.map((term) => groupOutput(term, scope, `deep[${rows.path}][group_by]`));
  const outputs = [...groups, ...results.map((result) => aggregateOutput(result, scope, "fields"))];
  const grouping = {
    by: groups.map(({ sql }) => sql),
    having: havingSql(having, outputs, scope.builder),
  };
  const pass = onePassOf(outer, related.edge);
  // Without a page each row of the relation would search the groups of all rows.
  const { shown, counted } =
    pass === null || pass.rows === null
      ? { shown: outputs, counted: groupsOfRow(related, target, grouping) }
      : groupsInPass(pass, related, target, outputs, grouping);
  const source = `${counted}${groupOrderSql(order, shown, shown.slice(0, groups.length))}`;
  return listSql(objectSql(shown.map(memberOf)), { source, counted }, rows, scope);
}

interface GroupingSql {
  /** SQL for each value that groups the rows. */
  readonly by: readonly string[];
  /** ` having …`; empty without a condition. */
  readonly having: string;
}

/** Everything from FROM to HAVING for the groups of one row. */
function groupsOfRow(
  related: RelatedProjection,
  target: RelatedScope,
  { by, having }: GroupingSql,
): string {
  return `${bodyOf(related, target)} group by ${by.join(", ")}${having}`;
}

/** Computes the groups of all rows of a pass; returns their results, with FROM and WHERE for the groups of one row. */
function groupsInPass(
  pass: OnePass,
  related: RelatedProjection,
  target: RelatedScope,
  outputs: readonly Output[],
  grouping: GroupingSql,
): { readonly shown: readonly Output[]; readonly counted: string } {
  const values = outputs.map(({ sql }) => sql);
  const chosen = chosenIn(pass, related, target);
  const { sql, alias, valueAt } = groupedSql(target, values, { chosen, ...grouping });
  pass.add(alias, sql);
  return {
    shown: outputs.map((output, index) => ({ ...output, sql: valueAt(index) })),
    counted: `${alias}${whereSql(target.grouped.joins(alias))}`,
  };
}

function memberOf(output: Output): Member {
  return { name: output.name, sql: outputSql(output), visibleSql: null };
}

/** The query of a list in a row, without its bounds. */
export interface ListSource {
  /** Everything from FROM to ORDER BY. */
  readonly source: string;
  /** The same rows without their order, to search for a further one. */
  readonly counted: string;
}

/** Returns SQL for a list in a row, with a mark at its end if it has more rows than the response shows. */
function listSql(
  { select, listValue }: ObjectSql,
  { source, counted }: ListSource,
  rows: RelatedRows,
  { relatedMax, builder }: SqlScope,
): string {
  const limit = rows.limit ?? relatedMax;
  const offset = offsetSql(rows, builder);
  const bounds = `${limit === null ? "" : ` limit ${limit}`}${offset}`;
  const list = `(select ${select} from ${source}${bounds}) r`;
  if (limit === null || rows.limit !== null) return `(select ${listValue} from ${list})`;
  // Searches for a further row only if the list reaches the limit.
  const further = offset === "" ? ` offset ${limit}` : `${offset} + ${limit}`;
  const isCut = `pg_catalog.count(*) = ${limit} and exists (select 1 from ${counted}${further})`;
  const cut = `(pg_catalog.left(${listValue}::text, -1) || ${builder.cutSql(rows.path)})::json`;
  return `(select case when ${isCut} then ${cut} else ${listValue} end from ${list})`;
}

/** Returns ` offset n`; empty without an offset. */
function offsetSql({ hasOffset, path }: RelatedRows, builder: StatementBuilder): string {
  return hasOffset ? builder.offsetSql({ kind: "DEEP_OFFSET", path }) : "";
}
