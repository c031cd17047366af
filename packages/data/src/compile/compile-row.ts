import { type ColumnType, ownColumns, quoteIdentifier } from "@rowhouse/db";
import type { Projection, RelatedProjection, RelatedRows } from "../authorize/projection.ts";
import { columnOutputSql } from "./column-json.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import {
  afterSql,
  hasPlaces,
  lastKeysSql,
  type OrderKey,
  orderKeys,
  orderSql,
} from "./compile-order.ts";
import { partsSql } from "./document-parts-sql.ts";
import { visibleFilterSql } from "./filter-sql.ts";
import { areColumns, assembledSql, builtSql, type Member, type ObjectSql } from "./object-sql.ts";
import { listSql, offsetSql } from "./related-list.ts";
import { numbersSql } from "./related-numbers.ts";
import { fieldVisibleSql, relatedScope, rowsSql, type Scope } from "./scope.ts";
import type { Rows } from "./step-sql.ts";

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
  scope: Scope,
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
export function tagSql(scope: Scope): string {
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
export function relatedSql(related: RelatedProjection, outer: Scope): string {
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
  { scope, from, conditions }: Rows & { readonly scope: Scope },
  outer: Scope,
): string {
  const { builder } = scope;
  const { path } = rows;
  const own = ownColumns(edge).flatMap((name) => {
    const column = outer.visible.relation.columnByName(name);
    return column === undefined ? [] : [`${columnSql(column, outer.alias)}::text`];
  });
  const placed = (index: number, type?: ColumnType) =>
    builder.place({ kind: "DEEP_CURSOR", path, index }, type);
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
