import { checkMessagePrefix, type Database, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { OnDelete } from "./definition.ts";
import { loadTableSql } from "./load-table-sql.ts";
import { refreshRegistry } from "./registry.ts";
import { requireSchema } from "./require-schema.ts";

/** A table as the catalogue of Postgres has it. Types and expressions are texts that name every schema but pg_catalog. */
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
  /** Foreign keys of other tables, and of this one, to this one. */
  readonly referencedBy: readonly ReferenceState[];
  /** Those that no constraint brings. */
  readonly indexes: readonly IndexState[];
  /** As of the last ANALYZE; null before the first. */
  readonly rowEstimate: number | null;
  /** Sizes are null while the table is held by somebody alone. */
  readonly tableBytes: number | null;
  readonly indexBytes: number | null;
}

export interface ColumnState {
  readonly name: string;
  readonly attributeNumber: number;
  readonly dataType: string;
  readonly nullable: boolean;
  /** Null for none; of a generated column, see `generatedAs`. */
  readonly default: string | null;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  readonly generatedAs: string | null;
  readonly comment: string | null;
}

/** A primary key, a unique constraint or an exclusion. */
export interface KeyState {
  readonly kind: "PRIMARY_KEY" | "UNIQUE" | "EXCLUSION";
  readonly name: string;
  readonly columns: readonly string[];
  /** As `alter table … add constraint` takes it. */
  readonly definition: string;
}

export interface CheckState {
  readonly name: string;
  readonly columns: readonly string[];
  readonly expression: string;
  readonly message: string | null;
  /** False where only rows written since are known to pass. */
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
  /** The columns that it mentions anywhere. */
  readonly columns: readonly string[];
  readonly where: string | null;
  readonly definition: string;
  readonly valid: boolean;
  readonly bytes: number | null;
}

const kinds = { r: "TABLE", p: "PARTITIONED_TABLE", f: "FOREIGN_TABLE" } as const;
const keyKinds = { p: "PRIMARY_KEY", u: "UNIQUE", x: "EXCLUSION" } as const;
const actions = {
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
 * Reads a table of the user's in a transaction of its own.
 *
 * @throws AppError NOT_FOUND for a schema or table that is unknown or not the user's
 */
export async function readTableState(
  database: Database,
  schema: string,
  table: string,
): Promise<TableState> {
  return database.transaction((transaction) => loadTableState(transaction, schema, table));
}

/** The same within a transaction, as it sees the table. */
export async function loadTableState(
  transaction: Queryable,
  schema: string,
  table: string,
): Promise<TableState> {
  await requireSchema(transaction, schema);
  const row = await loadRow(transaction, schema, table);
  if (row?.resourceId !== null) return createState(row);
  // No event trigger on this server.
  await refreshRegistry(transaction);
  return createState(await loadRow(transaction, schema, table));
}

/** Whether two readings of a table show the same. Estimates and sizes move by themselves. */
export function isSameTable(a: TableState, b: TableState): boolean {
  const essence = ({ rowEstimate, tableBytes, indexBytes, indexes, ...rest }: TableState) =>
    JSON.stringify([rest, indexes.map(({ bytes, ...index }) => index)]);
  return essence(a) === essence(b);
}

async function loadRow(
  transaction: Queryable,
  schema: string,
  table: string,
): Promise<TableRow | undefined> {
  if (table.includes("\0")) return undefined;
  // Without a search path, every name but those of pg_catalog is written with its schema.
  await transaction.query("set local search_path = pg_catalog");
  const rows = await transaction.query<{ state: string }>(loadTableSql, [schema, table]);
  await transaction.query("set local search_path to default");
  return rows[0] === undefined ? undefined : (JSON.parse(rows[0].state) as TableRow);
}

function createState(row: TableRow | undefined): TableState {
  if (row === undefined || row.resourceId === null) {
    throw createError("NOT_FOUND", { message: "No such table" });
  }
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
    resourceId: row.resourceId,
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

/** What `loadTableSql` gives. */
interface TableRow
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
