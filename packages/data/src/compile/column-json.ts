import { type Column, type ColumnType, quoteLiteral } from "@rowhouse/db";
import { columnSql } from "./statement.ts";

/** A column as the expression whose JSON form is the contract's: exact numbers as strings, bytes as base64. */
export function columnOutputSql(column: Column, alias: string): string {
  return typeOutputSql(columnSql(column, alias), column.type);
}

/** The JSON of a value that has bytes somewhere in it. */
function jsonWithBytes(sql: string, type: ColumnType): string {
  return `system.bytes_in_json(pg_catalog.to_json(${sql}), ${typeOidSql(type)}, 'base64')`;
}

/** The type's OID. */
function typeOidSql({ name }: ColumnType): string {
  return `${quoteLiteral(name)}::pg_catalog.regtype`;
}

/**
 * A value that a caller sent, of `bindValue`'s text, as one of its column's type. A composite is sent as an object of its
 * own fields, and a list of some as a list of such objects.
 */
export function sentValueSql(text: string, { type }: Pick<Column, "type">): string {
  if (type.kind !== "COMPOSITE") return `${text}::${type.name}`;
  const sent = type.holdsBytes
    ? `system.bytes_in_json(${text}::json, ${typeOidSql(type)}, 'hex')::jsonb`
    : `${text}::jsonb`;
  if (!type.array) return `pg_catalog.jsonb_populate_record(null::${type.name}, ${sent})`;
  const list = `(select r.v from pg_catalog.jsonb_to_record(pg_catalog.jsonb_build_object('v', ${sent})) r (v ${type.name}))`;
  return `case when pg_catalog.left(${text}, 1) = '[' then ${list} else ${text}::${type.name} end`;
}

/** The same for any expression of a type. */
export function typeOutputSql(sql: string, type: ColumnType): string {
  switch (type.base) {
    case "bigint":
    case "numeric":
    case "money":
      return type.array ? `${sql}::text[]` : `${sql}::text`;
    case "bytea":
      return type.array
        ? jsonWithBytes(sql, type)
        : `pg_catalog.translate(pg_catalog.encode(${sql}, 'base64'), E'\\n', '')`;
    default:
      return type.holdsBytes ? jsonWithBytes(sql, type) : sql;
  }
}
