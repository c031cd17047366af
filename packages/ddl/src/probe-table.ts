import { type PostgresFailure, type Queryable, quoteIdentifier } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { attempt, Undo } from "./attempt.ts";
import { compileColumnType } from "./compile-create-table.ts";
import type { GuardedColumn, GuardedTable } from "./guarded-table.ts";

const probe = "pg_temp.rowhouse_probe";

/**
 * Returns the types, defaults and checks that the database refuses. It tries them on a temporary table and rolls back:
 * only Postgres can decide whether `'x' || 1` fits an integer, and its own error does not name the column.
 */
export async function findUnfitTexts(
  transaction: Queryable,
  table: GuardedTable,
): Promise<Fault[]> {
  const { columns } = table;
  const checks = columns.filter((column) => column.check !== null);
  const whole = [
    createProbe(columns.map(compileWithDefault)),
    `insert into ${probe} default values`,
    ...checks.map(compileCheck),
  ];
  if ((await tryAndUndo(transaction, whole)) === undefined) return [];

  const faults: Fault[] = [];
  const typed: GuardedColumn[] = [];
  for (const column of columns) {
    const type = await tryAndUndo(transaction, [createProbe([compileColumnType(column)])]);
    if (type !== undefined) {
      faults.push(unfit(column, "dataType", "A column cannot have this type"));
      continue;
    }
    typed.push(column);
    if (column.default === null) continue;
    const statements = [
      createProbe([compileWithDefault(column)]),
      `insert into ${probe} default values`,
    ];
    if ((await tryAndUndo(transaction, statements)) !== undefined) {
      faults.push(unfit(column, "default", "The default does not fit the column's type"));
    }
  }
  // A check may mention any column: if a type is missing, the error of the check would only repeat it.
  if (typed.length < columns.length) return faults;
  for (const column of checks) {
    const statements = [createProbe(columns.map(compileColumnType)), compileCheck(column)];
    if ((await tryAndUndo(transaction, statements)) !== undefined) {
      faults.push(unfit(column, "check", "The check does not fit the types of its columns"));
    }
  }
  return faults;
}

/** Whether Postgres allows a column of this type to reference a key of the given type. */
export async function canReferTo(
  transaction: Queryable,
  type: string,
  targetType: string,
): Promise<boolean> {
  const failure = await tryAndUndo(transaction, [
    `create temporary table rowhouse_target (key ${targetType} primary key)`,
    createProbe([`key ${type} references pg_temp.rowhouse_target`]),
  ]);
  return failure === undefined;
}

function unfit(column: GuardedColumn, field: string, message: string): Fault {
  const code = field === "check" ? "EXPRESSION_INVALID" : "VALUE_INVALID";
  return createFault(code, { path: `${column.path}/${field}`, message });
}

function createProbe(columns: readonly string[]): string {
  return `create temporary table rowhouse_probe (${columns.join(", ")})`;
}

function compileWithDefault(column: GuardedColumn): string {
  const type = compileColumnType(column);
  return column.default === null ? type : `${type} default (${column.default})`;
}

function compileCheck(column: GuardedColumn): string {
  const name = quoteIdentifier(`check of ${column.path}`);
  return `alter table ${probe} add constraint ${name} check (${column.check}) not valid`;
}

/**
 * Runs statements and rolls them back.
 *
 * @returns the error of the database; undefined after a success
 * @throws AppError for errors that the statements did not cause (no connection, a timeout)
 */
async function tryAndUndo(
  transaction: Queryable,
  statements: readonly string[],
): Promise<PostgresFailure | undefined> {
  return attempt(transaction, async () => {
    for (const statement of statements) await transaction.query(statement);
    throw new Undo();
  });
}
