import { type Column, quoteIdentifier, quoteLiteral } from "@rowhouse/db";
import type { AggregateResult } from "../authorize/aggregate-result.ts";
import type { Projection, RelatedProjection } from "../authorize/projection.ts";
import { aggregateOutput, type Output, outputSql } from "./aggregate-output.ts";
import { columnOutputSql } from "./column-json.ts";
import { type OrderKey, orderKeys, orderSql } from "./compile-order.ts";
import {
  fieldVisibleSql,
  relatedScope,
  rowsSql,
  type Scope,
  visibleFilterSql,
  whereSql,
} from "./scope.ts";

/** A row as JSON, in two parts. */
export interface RowSql {
  /** The select list of the subquery `r`. */
  readonly select: string;
  /** The JSON text of the row `r`. */
  readonly json: string;
  /** The JSON value of the row `r`. */
  readonly jsonValue: string;
  /** The JSON text of all rows of `r`, in their order. */
  readonly list: string;
  /** The JSON value of all rows of `r`, in their order. */
  readonly listValue: string;
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

/** A member of a JSON object. */
export interface Member {
  readonly name: string;
  /** The column of the row itself that it shows. */
  readonly column?: Column;
  readonly sql: string;
  /** The condition under which the object contains the member; null for always. */
  readonly visibleSql: string | null;
}

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

/** Compiles objects with these members to JSON. */
export function objectSql(members: readonly Member[]): Omit<RowSql, "keys"> {
  return areColumns(members) ? builtSql(members) : assembledSql(members);
}

/**
 * Maximum number of bytes of a PostgreSQL identifier; PostgreSQL truncates longer ones. A name that consists of
 * others, such as that of a relation, may be longer.
 */
const nameBytesMax = 63;

function areColumns(members: readonly Member[]): boolean {
  return members.every(
    ({ name, visibleSql }) => visibleSql === null && Buffer.byteLength(name) <= nameBytesMax,
  );
}

/** Lets PostgreSQL build the object from the columns of a row. */
function builtSql(members: readonly Member[]): Omit<RowSql, "keys"> {
  const jsonValue = "pg_catalog.row_to_json(r.*)";
  return {
    select: members.map(({ name, sql }) => `${sql} as ${quoteIdentifier(name)}`).join(", "),
    json: `${jsonValue}::text`,
    jsonValue,
    list: "coalesce(pg_catalog.json_agg(r.*)::text, '[]')",
    // A cast from the text would parse the JSON again.
    listValue: "coalesce(pg_catalog.json_agg(r.*), '[]')",
  };
}

/** Concatenates the object from its members. */
function assembledSql(members: readonly Member[]): Omit<RowSql, "keys"> {
  const parts = members.map(({ name, sql, visibleSql }) => {
    const key = quoteLiteral(`${JSON.stringify(name)}:`);
    const member = `${key} || coalesce(pg_catalog.to_json(${sql})::text, 'null')`;
    return visibleSql === null ? member : `case when ${visibleSql} then ${member} end`;
  });
  const list = "'[' || coalesce(pg_catalog.string_agg(r.object, ','), '') || ']'";
  return {
    select: `'{' || ${joinedSql(parts)} || '}' as object`,
    json: "r.object",
    jsonValue: "r.object::json",
    list,
    listValue: `(${list})::json`,
  };
}

/** Maximum number of arguments of a PostgreSQL function (100), without the separator. */
const partsMax = 99;

/** Joins texts with commas and omits those that are null. */
function joinedSql(parts: readonly string[]): string {
  if (parts.length <= partsMax) return `pg_catalog.concat_ws(',', ${parts.join(", ")})`;
  const groups: string[] = [];
  for (let start = 0; start < parts.length; start += partsMax) {
    groups.push(`nullif(${joinedSql(parts.slice(start, start + partsMax))}, '')`);
  }
  return joinedSql(groups);
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
  const row = rowSql({ visible, fields, related: [] }, scope);
  const tag = `(select pg_catalog.md5(${row.json}) from (select ${row.select}) r)`;
  const readable = rowsSql(scope);
  return readable === null ? tag : `case when ${readable} then ${tag} end`;
}

/** The numbers of a to-many relation's rows, in parts. */
export interface NumbersSql {
  readonly outputs: readonly Output[];
  /** Everything from FROM to WHERE. */
  readonly body: string;
}

/** Compiles the numbers of the related rows that the reader may see and that `deep` selects. */
export function numbersOf(
  { edge, rows }: RelatedProjection,
  numbers: readonly AggregateResult[],
  outer: Scope,
): NumbersSql {
  const { scope, from, conditions } = relatedScope(outer, edge);
  const outputs = numbers.map((number) => aggregateOutput(number, scope, "fields"));
  const chosen = rows?.where == null ? null : visibleFilterSql(rows.where, scope);
  return { outputs, body: `${from}${scope.joins.sql}${whereSql([...conditions, chosen])}` };
}

/** Returns SQL for the object of the numbers: one pass over the rows. */
function numbersSql({ outputs, body }: NumbersSql): string {
  const members = outputs.map(({ name, sql, type }) => ({
    name,
    sql: outputSql(sql, type),
    visibleSql: null,
  }));
  const object = objectSql(members);
  return `(select ${object.jsonValue} from (select ${object.select} from ${body}) r)`;
}

/**
 * Returns SQL for a related row as JSON, null if none is visible; for a to-many relation, the list of related rows.
 */
export function relatedSql(related: RelatedProjection, outer: Scope): string {
  const { edge, projection, rows, numbers } = related;
  if (numbers !== null) return numbersSql(numbersOf(related, numbers, outer));
  const { scope: target, from, conditions } = relatedScope(outer, edge);
  const path = `${outer.path}${related.name}`;
  const scope = { ...target, path: `${path}.` };
  const row = rowSql(projection, scope);
  if (rows === null) {
    return `(select ${row.jsonValue} from (select ${row.select} from ${from}${whereSql(conditions)}) r)`;
  }
  const chosen = rows.where === null ? null : visibleFilterSql(rows.where, scope);
  const where = whereSql([...conditions, chosen]);
  const order = orderSql(orderKeys(rows.order, scope));
  const limit = rows.limit ?? scope.relatedMax;
  const source = `(select ${row.select} from ${from}${scope.joins.sql}${where}${order}${limit === null ? "" : ` limit ${limit}`}) r`;
  if (limit === null || rows.limit !== null) return `(select ${row.listValue} from ${source})`;
  // Searches for a further row only if the list reaches the limit.
  const isCut = `pg_catalog.count(*) = ${limit} and exists (select 1 from ${from}${where} offset ${limit})`;
  const cut = `(pg_catalog.left(${row.listValue}::text, -1) || ${scope.builder.cutSql(path)})::json`;
  return `(select case when ${isCut} then ${cut} else ${row.listValue} end from ${source})`;
}
