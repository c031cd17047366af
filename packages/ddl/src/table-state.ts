import { checkMessagePrefix, type Database, entityTagOf, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { loadAlteredTableSql, loadNewTableSql, loadTableSql } from "./base/load-table-sql.ts";
import { refreshRegistry } from "./base/registry.ts";
import { withPlainPath } from "./base/transaction-settings.ts";
import type { OnDelete } from "./definition.ts";
import { requireSchema } from "./require-schema.ts";

/**
 * A table as the system catalog describes it. Types and expressions are texts that qualify every schema except
 * pg_catalog.
 */
export interface TableState {
  readonly oid: number;
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "PARTITIONED_TABLE" | "FOREIGN_TABLE";
  readonly comment: string | null;
  readonly columns: readonly ColumnState[];
  readonly keys: readonly KeyState[];
  readonly checks: readonly CheckState[];
  readonly foreignKeys: readonly ForeignKeyState[];
  /** Foreign keys from other tables, and from this one, to this table. */
  readonly referencedBy: readonly ReferenceState[];
  /** The indexes that belong to no constraint. */
  readonly indexes: readonly IndexState[];
  /** The estimate of the last ANALYZE; null before the first. */
  readonly rowEstimate: number | null;
  /** Sizes are null while another transaction holds an exclusive lock on the table. */
  readonly tableBytes: number | null;
  readonly indexBytes: number | null;
}

export interface ColumnState {
  readonly name: string;
  readonly attributeNumber: number;
  readonly dataType: string;
  readonly nullable: boolean;
  /** Null if there is no default; for a generated column, see `generatedAs`. */
  readonly default: string | null;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  readonly generatedAs: string | null;
  readonly comment: string | null;
}

/** A primary key, a unique constraint or an exclusion constraint. */
export interface KeyState {
  readonly kind: "PRIMARY_KEY" | "UNIQUE" | "EXCLUSION";
  readonly name: string;
  readonly columns: readonly string[];
  /** In the form that `alter table … add constraint` accepts. */
  readonly definition: string;
}

export interface CheckState {
  readonly name: string;
  readonly columns: readonly string[];
  readonly expression: string;
  readonly message: string | null;
  /** False for a NOT VALID constraint, which only checks rows written after its creation. */
  readonly validated: boolean;
}

export interface ForeignKeyState {
  readonly name: string;
  readonly columns: readonly string[];
  readonly targetSchema: string;
  readonly targetTable: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: OnDelete;
  readonly onUpdate: OnDelete;
  readonly validated: boolean;
}

export interface ReferenceState {
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The columns of this table. */
  readonly targetColumns: readonly string[];
}

export interface IndexState {
  readonly name: string;
  readonly unique: boolean;
  readonly method: string;
  /** Columns and expressions with their order, as Postgres writes them. */
  readonly keys: readonly string[];
  /** All columns that the index mentions. */
  readonly columns: readonly string[];
  readonly where: string | null;
  readonly definition: string;
  readonly valid: boolean;
  readonly bytes: number | null;
}

const kinds = { r: "TABLE", p: "PARTITIONED_TABLE", f: "FOREIGN_TABLE" } as const;
const keyKinds = { p: "PRIMARY_KEY", u: "UNIQUE", x: "EXCLUSION" } as const;
/** The actions of a foreign key by their letter in `pg_constraint`. */
export const actions = {
  a: "NO ACTION",
  r: "RESTRICT",
  c: "CASCADE",
  n: "SET NULL",
  d: "SET DEFAULT",
} as const;
const identities: Readonly<Record<string, ColumnState["identity"]>> = {
  a: "ALWAYS",
  d: "BY_DEFAULT",
};

/**
 * Reads a user table in a transaction of its own.
 *
 * @throws AppError NOT_FOUND for a schema or table that does not exist or is not a user's
 */
export async function readTableState(
  database: Database,
  schema: string,
  table: string,
): Promise<TableState> {
  return database.transaction((transaction) => loadTableState(transaction, schema, table));
}

/**
 * Reads a user table within a transaction, in the state that the transaction sees.
 *
 * @throws AppError as `readTableState`
 */
export function loadTableState(
  transaction: Transaction,
  schema: string,
  table: string,
): Promise<TableState> {
  return loadState(transaction, schema, table, loadTableSql);
}

/** Reads a table as `loadTableState`, without sizes: they are null. */
export function loadAlteredTable(
  transaction: Transaction,
  schema: string,
  table: string,
): Promise<TableState> {
  return loadState(transaction, schema, table, loadAlteredTableSql);
}

/** Reads a table that the transaction has created as `loadAlteredTable`, without what refers to it. */
export function loadNewTable(
  transaction: Transaction,
  schema: string,
  table: string,
): Promise<TableState> {
  return loadState(transaction, schema, table, loadNewTableSql);
}

async function loadState(
  transaction: Transaction,
  schema: string,
  table: string,
  sql: string,
): Promise<TableState> {
  await requireSchema(transaction, schema);
  const row = await loadRow(transaction, schema, table, sql);
  if (row?.resourceId !== null) return createState(row);
  // This server has no event trigger.
  await refreshRegistry(transaction);
  return createState(await loadRow(transaction, schema, table, sql));
}

/** Whether two states describe the same table. Estimates and sizes are ignored, because they change without DDL. */
export function isSameTable(a: TableState, b: TableState): boolean {
  return essenceOf(a) === essenceOf(b);
}

/** The entity tag of a table, without quotes. It changes with every change that `isSameTable` finds. */
export function tagOfTable(state: TableState): string {
  return entityTagOf(essenceOf(state));
}

function essenceOf({ rowEstimate, tableBytes, indexBytes, indexes, ...rest }: TableState): string {
  return JSON.stringify([rest, indexes.map(({ bytes, ...index }) => index)]);
}

async function loadRow(
  transaction: Transaction,
  schema: string,
  table: string,
  sql: string,
): Promise<TableRow | undefined> {
  if (table.includes("\0")) return undefined;
  const rows = await withPlainPath(transaction, () =>
    transaction.query<{ state: string }>(sql, [schema, table], { prepare: true }),
  );
  return rows[0] === undefined ? undefined : (JSON.parse(rows[0].state) as TableRow);
}

function createState(row: TableRow | undefined): TableState {
  if (row === undefined || row.resourceId === null) {
    throw createError("NOT_FOUND", { message: "No such table" });
  }
  return stateOfRow({ ...row, resourceId: row.resourceId });
}

/** Returns the state of a row that a statement of `load-table-sql.ts` has read. */
export function stateOfRow<Row extends Pick<TableRow, "kind" | "columns" | "constraints">>(
  row: Row,
): Omit<Row, "constraints" | "kind" | "columns"> & StateOfRow {
  const { constraints, ...table } = row;
  const keys: KeyState[] = [];
  const checks: CheckState[] = [];
  const foreignKeys: ForeignKeyState[] = [];
  for (const constraint of constraints) {
    const { name, type, columns, definition, validated } = constraint;
    if (type === "c") {
      const message = constraint.comment?.startsWith(checkMessagePrefix)
        ? constraint.comment.slice(checkMessagePrefix.length)
        : null;
      checks.push({ name, columns, expression: constraint.expression ?? "", message, validated });
    } else if (type === "f") {
      foreignKeys.push({
        name,
        columns,
        targetSchema: constraint.targetSchema ?? "",
        targetTable: constraint.targetTable ?? "",
        targetColumns: constraint.targetColumns ?? [],
        onDelete: actions[constraint.onDelete],
        onUpdate: actions[constraint.onUpdate],
        validated,
      });
    } else keys.push({ kind: keyKinds[type], name, columns, definition });
  }
  return {
    ...table,
    kind: kinds[row.kind],
    columns: row.columns.map(({ identity, ...column }) => ({
      ...column,
      identity: identities[identity] ?? null,
    })),
    keys,
    checks,
    foreignKeys,
  };
}

/** The parts of a state that its row has in another form. */
type StateOfRow = Pick<TableState, "kind" | "columns" | "keys" | "checks" | "foreignKeys">;

/** The result of `loadTableSql`. */
export interface TableRow
  extends Omit<TableState, "resourceId" | "kind" | "columns" | "keys" | "checks" | "foreignKeys"> {
  readonly resourceId: string | null;
  readonly kind: keyof typeof kinds;
  readonly columns: readonly (Omit<ColumnState, "identity"> & { readonly identity: string })[];
  readonly constraints: readonly ConstraintRow[];
}

interface ConstraintRow {
  readonly name: string;
  readonly type: "c" | "f" | keyof typeof keyKinds;
  readonly columns: readonly string[];
  readonly definition: string;
  readonly expression: string | null;
  readonly validated: boolean;
  readonly comment: string | null;
  readonly targetSchema: string | null;
  readonly targetTable: string | null;
  readonly targetColumns: readonly string[] | null;
  readonly onDelete: keyof typeof actions;
  readonly onUpdate: keyof typeof actions;
}
