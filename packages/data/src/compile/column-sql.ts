import { type Column, quoteIdentifier } from "@rowhouse/db";

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
