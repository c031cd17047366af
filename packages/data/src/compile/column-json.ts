import { type Column, type ColumnType, quoteLiteral, textAsSql } from "@rowhouse/db";
import { columnSql } from "./column-sql.ts";

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
 * Converts a parameter in the text form of `bindValue` to the type of its column. The text of a composite is an object
 * of its fields; that of a list of composites is a list of such objects.
 */
export function sentValueSql(text: string, { type }: Pick<Column, "type">): string {
  if (type.kind !== "COMPOSITE") return textAsSql(text, type);
  const sent = type.holdsBytes
    ? `system.bytes_in_json(${text}::json, ${typeOidSql(type)}, 'hex')::jsonb`
    : `${text}::jsonb`;
  if (!type.array) return `pg_catalog.jsonb_populate_record(null::${type.name}, ${sent})`;
  const list = `(select r.v from pg_catalog.jsonb_to_record(pg_catalog.jsonb_build_object('v', ${sent})) r (v ${type.name}))`;
  return `case when pg_catalog.left(${text}, 1) = '[' then ${list} else ${textAsSql(text, type)} end`;
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
