import {
  arrayLiteral,
  type Column,
  type ColumnType,
  heldTextSql,
  quoteIdentifier,
  quoteLiteral,
  textAsSql,
} from "@rowhouse/db";
import type { DocumentMember } from "../authorize/projection-draft.ts";

/**
 * Returns the qualified name of a column. An unqualified name in ORDER BY would refer to the text form in the select
 * list and miss the index.
 */
export function columnSql(column: Column, alias: string): string {
  return `${alias}.${quoteIdentifier(column.name)}`;
}

/** Returns ` where a and b`; empty without conditions. */
export function whereSql(conditions: readonly (string | null)[]): string {
  const present = conditions.filter((condition) => condition !== null);
  return present.length === 0 ? "" : ` where ${present.join(" and ")}`;
}

/** Returns SQL for a column. Its JSON form is that of the API: exact numbers as strings, bytes as base64. */
export function columnOutputSql(column: Column, alias: string): string {
  return typeOutputSql(columnSql(column, alias), column.type);
}

/** Returns SQL for the JSON of a value that contains bytes, also in elements and fields. */
function jsonWithBytes(sql: string, type: ColumnType): string {
  return `system.bytes_in_json(pg_catalog.to_json(${sql}), ${typeOidSql(type)}, 'base64')`;
}

function typeOidSql({ name }: ColumnType): string {
  return `${quoteLiteral(name)}::pg_catalog.regtype`;
}

/**
 * Converts a parameter in the text form of `bindValue` to the plain type of its column. The text of a composite is an object
 * of its fields; that of a list of composites is a list of such objects.
 */
export function sentValueSql(text: string, { type }: Pick<Column, "type">): string {
  if (type.kind !== "COMPOSITE") return textAsSql(text, type);
  const sent = type.holdsBytes
    ? `system.bytes_in_json(${text}::json, ${typeOidSql(type)}, 'hex')::jsonb`
    : `${text}::jsonb`;
  if (!type.array) return `pg_catalog.jsonb_populate_record(null::${type.plain}, ${sent})`;
  const list = `(select r.v from pg_catalog.jsonb_to_record(pg_catalog.jsonb_build_object('v', ${sent})) r (v ${type.plain}))`;
  return `case when pg_catalog.left(${text}, 1) = '[' then ${list} else ${textAsSql(text, type)} end`;
}

/** Converts such a parameter as an assignment to its column does, which fails for a value that the column cannot hold. */
export function heldValueSql(text: string, column: Pick<Column, "type">): string {
  const { type } = column;
  if (type.kind !== "COMPOSITE") return heldTextSql(text, type);
  return `(${sentValueSql(text, column)})::${type.declared}`;
}

/** Returns SQL for any expression of a type, in the JSON form that `columnOutputSql` describes. */
export function typeOutputSql(sql: string, type: ColumnType): string {
  switch (type.base) {
    case "bigint":
    case "numeric":
      return type.array ? `${sql}::text[]` : `${sql}::text`;
    case "money":
      // The text of `money` depends on the locale of the database.
      return type.array ? `${sql}::numeric[]::text[]` : `${sql}::numeric::text`;
    case "bytea":
      return type.array
        ? jsonWithBytes(sql, type)
        : `pg_catalog.translate(pg_catalog.encode(${sql}, 'base64'), E'\\n', '')`;
    default:
      return type.holdsBytes ? jsonWithBytes(sql, type) : sql;
  }
}

/** An object as JSON, in two parts. */
export interface ObjectSql {
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
}

export interface Member {
  readonly name: string;
  /** The column of the row itself that it shows. */
  readonly column?: Column;
  readonly sql: string;
  /** The condition under which the object contains the member; null for always. */
  readonly visibleSql: string | null;
}

export function objectSql(members: readonly Member[]): ObjectSql {
  return areColumns(members) ? builtSql(members) : assembledSql(members);
}

/**
 * Maximum number of bytes of a PostgreSQL identifier; PostgreSQL truncates longer ones. A name that consists of
 * others, such as that of a relation, and a key of a document may be longer; the latter may be empty.
 */
const nameBytesMax = 63;

export function areColumns(members: readonly Member[]): boolean {
  return members.every(
    ({ name, visibleSql }) =>
      visibleSql === null && name !== "" && Buffer.byteLength(name) <= nameBytesMax,
  );
}

/** Lets PostgreSQL build the object from the columns of a row. */
export function builtSql(members: readonly Member[]): ObjectSql {
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
export function assembledSql(members: readonly Member[]): ObjectSql {
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

/** Returns SQL for the object of the parts of a document; a value that the document does not contain is null. */
export function partsSql(document: string, parts: readonly DocumentMember[]): string {
  const object = objectSql(
    parts.map(({ name, path, parts: inner }) => ({
      name,
      sql: inner === null ? partSql(document, path) : partsSql(document, inner),
      visibleSql: null,
    })),
  );
  return `(select ${object.jsonValue} from (select ${object.select}) r)`;
}

/** Returns SQL for the value at a path of a document, in the type of the document. */
export function partSql(document: string, path: readonly string[]): string {
  return `(${document} #> ${quoteLiteral(arrayLiteral(path))}::text[])`;
}
