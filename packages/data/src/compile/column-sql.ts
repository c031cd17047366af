import { type Column, type Edge, joinSql, quoteIdentifier, type Relation } from "@rowhouse/db";

/**
 * Returns the conditions that join a row to the rows to which an edge refers.
 *
 * @param alias the alias of the target
 * @param sqlOf returns SQL for a column of the edge's own relation
 */
export function joinConditions(
  { columns, target }: Edge,
  alias: string,
  own: Relation,
  sqlOf: (column: Column) => string,
): string[] {
  return columns.flatMap(([name, other]) => {
    const [from, to] = [own.columnByName(name), target.columnByName(other)];
    if (from === undefined || to === undefined) return [];
    const there = { sql: columnSql(to, alias), type: to.type };
    return [joinSql(there, { sql: sqlOf(from), type: from.type })];
  });
}

/**
 * Returns the qualified name of a column. An unqualified name in ORDER BY would refer to the text form in the select
 * list and miss the index.
 */
export function columnSql(column: Column, alias: string): string {
  return `${alias}.${quoteIdentifier(column.name)}`;
}
