import {
  type Database,
  type PostgresFailure,
  quoteIdentifier,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { compileColumnType } from "./compile-create-table.ts";
import type { GuardedColumn, GuardedTable } from "./guarded-table.ts";

const probe = "pg_temp.rowhouse_probe";

/**
 * Which types, defaults and checks the database refuses. They are tried on a temporary table in a transaction that is
 * undone: only Postgres knows whether `'x' || 1` fits an integer, and its own error would not say which column it means.
 */
export async function findUnfitTexts(database: Database, table: GuardedTable): Promise<Fault[]> {
  const { columns } = table;
  const checks = columns.filter((column) => column.check !== null);
  const whole = [
    createProbe(columns.map(compileWithDefault)),
    `insert into ${probe} default values`,
    ...checks.map(compileCheck),
  ];
  if ((await tryAndUndo(database, whole)) === undefined) return [];

  const faults: Fault[] = [];
  const typed: GuardedColumn[] = [];
  for (const column of columns) {
    const type = await tryAndUndo(database, [createProbe([compileColumnType(column)])]);
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
    if ((await tryAndUndo(database, statements)) !== undefined) {
      faults.push(unfit(column, "default", "The default does not fit the column's type"));
    }
  }
  // A check may mention any column: with a type missing, its own failure would say nothing.
  if (typed.length < columns.length) return faults;
  for (const column of checks) {
    const statements = [createProbe(columns.map(compileColumnType)), compileCheck(column)];
    if ((await tryAndUndo(database, statements)) !== undefined) {
      faults.push(unfit(column, "check", "The check does not fit the types of its columns"));
    }
  }
  return faults;
}

/** Whether Postgres lets a column of this type refer to a key of the given type. */
export async function canReferTo(
  database: Database,
  column: GuardedColumn,
  targetType: string,
): Promise<boolean> {
  const failure = await tryAndUndo(database, [
    `create temporary table rowhouse_target (key ${targetType} primary key)`,
    createProbe([`key ${column.dataType} references pg_temp.rowhouse_target`]),
  ]);
  return failure === undefined;
}

function unfit(column: GuardedColumn, field: string, message: string): Fault {
  const code = field === "check" ? "EXPRESSION_INVALID" : "VALUE_INVALID";
  return createFault(code, { path: `/data/columns/${column.index}/${field}`, message });
}

function createProbe(columns: readonly string[]): string {
  return `create temporary table rowhouse_probe (${columns.join(", ")})`;
}

function compileWithDefault(column: GuardedColumn): string {
  const type = compileColumnType(column);
  return column.default === null ? type : `${type} default (${column.default})`;
}

function compileCheck(column: GuardedColumn): string {
  const name = quoteIdentifier(`check_${column.index}`);
  return `alter table ${probe} add constraint ${name} check (${column.check}) not valid`;
}

/** Thrown to undo what was tried. */
class Undo extends Error {}

/**
 * Runs statements and undoes them.
 *
 * @returns what the database has against them; undefined for nothing
 * @throws AppError where it was not the statements' fault (no connection, a time-out)
 */
async function tryAndUndo(
  database: Database,
  statements: readonly string[],
): Promise<PostgresFailure | undefined> {
  try {
    await database.transaction(async (transaction) => {
      for (const statement of statements) await transaction.query(statement);
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return undefined;
    const failure = readPostgresFailure(error);
    if (failure === undefined || !isStatementsFault(failure.code)) throw toAppError(error);
    return failure;
  }
  return undefined;
}

/** Classes of SQLSTATE that speak of the statement itself: data, constraints, syntax and names, features, limits. */
export function isStatementsFault(code: string): boolean {
  return /^(0A|22|23|42|44|54|P0)[0-9A-Z]{3}$/.test(code) && code !== "42501";
}
