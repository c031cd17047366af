import type { Column, ColumnType } from "@rowhouse/db";
import { columnSql } from "./statement.ts";

/** A column as the expression whose JSON form is the contract's: exact numbers as strings, bytes as base64. */
export function columnOutputSql(column: Column, alias: string): string {
  return typeOutputSql(columnSql(column, alias), column.type);
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
        ? `${sql}::text[]`
        : `pg_catalog.translate(pg_catalog.encode(${sql}, 'base64'), E'\\n', '')`;
    default:
      return sql;
  }
}
