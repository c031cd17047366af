import { checkMessagePrefix, quoteIdentifier, quoteLiteral, quoteQualified } from "@rowhouse/db";
import { createConstraintNames } from "./constraint-name.ts";
import type { OnDelete } from "./definition.ts";
import type { GuardedColumn, GuardedTable } from "./guarded-table.ts";

export interface TableStatement {
  readonly sql: string;
  /** JSON pointer of the definition that the statement executes, for its error. */
  readonly path: string;
}

/**
 * Returns the statements that create a table, in order.
 *
 * A foreign key is a statement of its own, so that an error has a path. The primary key has no explicit name: its
 * index shares a namespace with every table of the schema, and only Postgres can choose a free name.
 */
export function compileCreateTable(schema: string, table: GuardedTable): TableStatement[] {
  const target = quoteQualified(schema, table.name);
  const nameConstraint = createConstraintNames();
  const lines = table.columns.map(compileColumn);
  const keys = table.columns.filter((column) => column.primaryKey);
  const comments: TableStatement[] = [];
  if (keys.length > 0) {
    lines.push(`primary key (${quoteList(keys.map((key) => key.name))})`);
  }
  for (const column of table.columns) {
    if (column.check === null) continue;
    const name = quoteIdentifier(nameConstraint(table.name, column.name, "check"));
    lines.push(`constraint ${name} check (${column.check})`);
    if (column.checkMessage === null) continue;
    const comment = quoteLiteral(checkMessagePrefix + column.checkMessage);
    comments.push({
      sql: `comment on constraint ${name} on ${target} is ${comment}`,
      path: `${column.path}/checkMessage`,
    });
  }
  const create = { sql: `create table ${target} (\n  ${lines.join(",\n  ")}\n)`, path: "/data" };
  const foreignKeys = table.columns.flatMap(({ name, path, foreignKey }): TableStatement[] => {
    if (foreignKey === null) return [];
    const key = {
      ...foreignKey,
      name: nameConstraint(table.name, name, "fkey"),
      columns: [name],
      targetColumns: [foreignKey.column],
    };
    return [{ sql: compileForeignKey(target, key), path: `${path}/foreignKey` }];
  });
  return [create, ...foreignKeys, ...comments];
}

/** Returns a column in the form of CREATE TABLE, without its constraints other than NOT NULL. */
export function compileColumn(column: GuardedColumn): string {
  return [
    compileColumnType(column),
    ...(column.identity ? ["generated always as identity"] : []),
    ...(column.default === null ? [] : [`default (${column.default})`]),
    ...(column.nullable ? [] : ["not null"]),
  ].join(" ");
}

/** Returns the name and type of a column. */
export function compileColumnType(column: GuardedColumn): string {
  return `${quoteIdentifier(column.name)} ${column.dataType}`;
}

/** A foreign key over one or more columns. */
export interface ForeignKeyText {
  readonly name: string;
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: OnDelete;
}

/** Returns the statement that adds a foreign key to a table, whose name is already quoted. */
export function compileForeignKey(table: string, key: ForeignKeyText): string {
  const reference = `${quoteQualified(key.schema, key.table)} (${quoteList(key.targetColumns)})`;
  return `alter table ${table} add constraint ${quoteIdentifier(key.name)} foreign key (${quoteList(key.columns)}) references ${reference} on delete ${key.onDelete.toLowerCase()}`;
}

/** Quotes names and joins them to a list of columns. */
export function quoteList(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(", ");
}
