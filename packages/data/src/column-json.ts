import type { Column } from "@rowhouse/db";
import { columnSql } from "./statement.ts";

/** A column as the expression whose JSON form is the contract's: exact numbers as strings, bytes as base64. */
export function columnOutputSql(column: Column, alias: string): string {
  const sql = columnSql(column, alias);
  switch (column.type.base) {
    case "bigint":
    case "numeric":
    case "money":
      return column.type.array ? `${sql}::text[]` : `${sql}::text`;
    case "bytea":
      return column.type.array
        ? `${sql}::text[]`
        : `pg_catalog.translate(pg_catalog.encode(${sql}, 'base64'), E'\\n', '')`;
    default:
      return sql;
  }
}
