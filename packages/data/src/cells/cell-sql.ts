import type { ColumnType } from "@rowhouse/db";
import { typeOutputSql } from "../compile/column-sql.ts";

const numbers = [
  "smallint",
  "integer",
  "bigint",
  "numeric",
  "money",
  "real",
  "double precision",
  "count",
];
const moments = [
  "date",
  "time without time zone",
  "time with time zone",
  "timestamp without time zone",
  "timestamp with time zone",
];
/** For these types the text equals the JSON string without its quotes. */
const plain: ReadonlySet<string> = new Set([
  ...numbers,
  "boolean",
  "uuid",
  "text",
  "character varying",
  "bytea",
  "json",
  "jsonb",
]);
const untyped: ReadonlySet<string> = new Set([
  ...numbers,
  ...moments,
  "boolean",
  "uuid",
  "json",
  "jsonb",
]);

/** SQL for the text that a list has for a value: a JSON string without quotes, a composite value as JSON. */
export function typeTextSql(sql: string, type: ColumnType): string {
  const output = type.base === "count" ? sql : typeOutputSql(sql, type);
  if (type.array || type.kind === "COMPOSITE") return `pg_catalog.to_json(${output})::text`;
  const isPlain = plain.has(type.base) || type.kind === "ENUM";
  return isPlain ? `${output}::text` : `(pg_catalog.to_json(${output}) #>> '{}'::text[])`;
}

/** Lists are JSON that begins with a bracket; numbers, timestamps and booleans contain no typed text. */
export function holdsText(type: ColumnType): boolean {
  return !type.array && !untyped.has(type.base);
}
