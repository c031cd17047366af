import { checkMessagePrefix, quoteIdentifier, quoteLiteral, quoteQualified } from "@rowhouse/db";
import { createConstraintNames } from "./constraint-name.ts";
import type { GuardedColumn, GuardedTable } from "./guarded-table.ts";

/** One statement of a table's creation. */
export interface TableStatement {
  readonly sql: string;
  /** The JSON pointer of what it carries out, for an error of its own. */
  readonly path: string;
}

/**
 * The statements that create a table, in their order.
 *
 * A foreign key is a statement of its own, so that a failure has a path. The primary key has no name of ours: its index
 * shares one name space with every table of the schema, and only Postgres can choose a free one.
 */
export function compileCreateTable(schema: string, table: GuardedTable): TableStatement[] {
  const target = quoteQualified(schema, table.name);
  const nameConstraint = createConstraintNames();
  const lines = table.columns.map(compileColumn);
  const keys = table.columns.filter((column) => column.primaryKey);
  const comments: TableStatement[] = [];
  if (keys.length > 0) {
    lines.push(`primary key (${keys.map((key) => quoteIdentifier(key.name)).join(", ")})`);
  }
  for (const column of table.columns) {
    if (column.check === null) continue;
    const name = quoteIdentifier(nameConstraint(table.name, column.name, "check"));
    lines.push(`constraint ${name} check (${column.check})`);
    if (column.checkMessage === null) continue;
    const comment = quoteLiteral(checkMessagePrefix + column.checkMessage);
    comments.push({
      sql: `comment on constraint ${name} on ${target} is ${comment}`,
      path: `/data/columns/${column.index}/checkMessage`,
    });
  }
  const create = { sql: `create table ${target} (\n  ${lines.join(",\n  ")}\n)`, path: "/data" };
  const foreignKeys = table.columns.flatMap((column): TableStatement[] => {
    if (column.foreignKey === null) return [];
    const name = nameConstraint(table.name, column.name, "fkey");
    return [compileForeignKey(target, name, column, column.foreignKey)];
  });
  return [create, ...foreignKeys, ...comments];
}

/** A column as it stands in CREATE TABLE, without its constraints over and above NOT NULL. */
function compileColumn(column: GuardedColumn): string {
  return [
    compileColumnType(column),
    ...(column.identity ? ["generated always as identity"] : []),
    ...(column.default === null ? [] : [`default (${column.default})`]),
    ...(column.nullable ? [] : ["not null"]),
  ].join(" ");
}

/** A column's name and type. */
export function compileColumnType(column: GuardedColumn): string {
  return `${quoteIdentifier(column.name)} ${column.dataType}`;
}

function compileForeignKey(
  table: string,
  name: string,
  column: GuardedColumn,
  target: NonNullable<GuardedColumn["foreignKey"]>,
): TableStatement {
  const reference = `${quoteQualified(target.schema, target.table)} (${quoteIdentifier(target.column)})`;
  return {
    sql: `alter table ${table} add constraint ${quoteIdentifier(name)} foreign key (${quoteIdentifier(column.name)}) references ${reference} on delete ${target.onDelete.toLowerCase()}`,
    path: `/data/columns/${column.index}/foreignKey`,
  };
}
