import { type Queryable, quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { parseColumnExpression } from "./column-expression.ts";
import { quoteList } from "./compile-create-table.ts";
import { loadTableByOidSql, loadTablesSql } from "./load-table-sql.ts";
import { type IndexState, stateOfRow, type TableRow, type TableState } from "./table-state.ts";
import { parseColumnType } from "./type-name.ts";

/** A table as documents describe it: without sizes and what refers to it, and with the meaning of each index. */
export interface DocumentedTable
  extends Omit<
    TableState,
    "resourceId" | "referencedBy" | "indexes" | "tableBytes" | "indexBytes"
  > {
  /** Null for a table without a record. */
  readonly resourceId: string | null;
  readonly indexes: readonly DocumentedIndex[];
  /** Why no document can create the table as it is; null for an ordinary table. */
  readonly uncarried:
    | (
        | "EXTENSION"
        | "PARTITION"
        | "PARTITIONED"
        | "FOREIGN"
        | "TYPED"
        | "COLUMNLESS"
        | "GENERATED"
        | "INHERITING"
        | "ROW_SECURED"
      )
    | null;
  /** The names of the constraints that have more than documents describe, such as DEFERRABLE. */
  readonly unusualConstraints: readonly string[];
  /** What else documents do not describe: `trigger audit_rows`, `collation of title`. */
  readonly others: readonly string[];
  /** The columns that take their values from a sequence of their own, as `serial` makes them. */
  readonly serials: readonly string[];
  /** The defaults that take their values from code of the database's users or from a sequence, by column. */
  readonly codedDefaults: Readonly<Record<string, string>>;
}

export interface DocumentedIndex extends Omit<IndexState, "bytes"> {
  readonly terms: readonly IndexTerm[];
  /** Whether columns, expressions and their order describe it completely: no operator class, no further column. */
  readonly isPlain: boolean;
}

/** One key of an index: a column or an expression. */
export interface IndexTerm {
  readonly column: string | null;
  readonly expression: string | null;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Returns every user table, in no order. Types and expressions qualify every schema except pg_catalog. */
export async function loadDocumentedTables(transaction: Queryable): Promise<DocumentedTable[]> {
  return load(transaction, loadTablesSql, []);
}

/** The parts of a table whose text a person wrote, and that PostgreSQL writes in its own form. */
export interface WrittenTable {
  readonly columns: readonly WrittenColumn[];
  readonly checks: readonly {
    readonly name: string;
    readonly check: string;
    readonly path: string;
  }[];
  readonly indexes: readonly WrittenIndex[];
}

export interface WrittenColumn {
  readonly name: string;
  readonly dataType: string;
  readonly default: string | null;
  /** JSON pointer of the column, for faults. */
  readonly path: string;
  /** Whether PostgreSQL itself wrote both texts, so that they need no guard. */
  readonly isStored: boolean;
}

export interface WrittenIndex {
  readonly name: string;
  readonly method: string;
  readonly unique: boolean;
  readonly keys: readonly (
    | { readonly column: string }
    | { readonly expression: string; readonly descending?: boolean | undefined }
  )[];
  readonly where: string | null;
  readonly path: string;
}

/**
 * Returns how PostgreSQL writes the types, defaults, checks and indexes of a table: it creates an empty temporary table
 * with them, reads it, and drops it. Call it in a transaction.
 *
 * @throws AppError EXPRESSION_INVALID with the path of a text that the guard refuses, and the database's own error
 */
export async function settleTable(
  transaction: Queryable,
  { columns, checks, indexes }: WrittenTable,
): Promise<DocumentedTable> {
  const names = new Set(columns.map(({ name }) => name));
  const lines: string[] = [];
  for (const column of columns) lines.push(await columnSql(column));
  for (const { name, check, path } of checks) {
    const parsed = await parseColumnExpression(check, "check", names, path);
    lines.push(`constraint ${quoteIdentifier(name)} check (${parsed.sql})`);
  }
  await transaction.query(`create temporary table rowhouse_written (${lines.join(", ")})`);
  for (const index of indexes) await transaction.query(await indexSql(index, names));
  const [row] = await transaction.query<{ oid: string }>(
    "select 'pg_temp.rowhouse_written'::regclass::oid::text as oid",
  );
  const [table] = await load(transaction, loadTableByOidSql, [row?.oid ?? ""]);
  await transaction.query("drop table pg_temp.rowhouse_written");
  if (table === undefined) throw new Error("A table that was just created is missing");
  return table;
}

async function columnSql(column: WrittenColumn): Promise<string> {
  const { name, path, isStored } = column;
  const type = isStored
    ? column.dataType
    : (await parseColumnType(column.dataType, `${path}/type`)).sql;
  const start = `${quoteIdentifier(name)} ${type}`;
  if (column.default === null) return start;
  const text = isStored
    ? column.default
    : (await parseColumnExpression(column.default, "default", new Set(), `${path}/default`)).sql;
  return `${start} default (${text})`;
}

async function indexSql(index: WrittenIndex, names: ReadonlySet<string>): Promise<string> {
  const { name, method, unique, keys, where, path } = index;
  const parsed = (text: string, at: string) =>
    parseColumnExpression(text, "index", names, `${path}/${at}`);
  const terms: string[] = [];
  for (const [position, key] of keys.entries()) {
    terms.push(
      "column" in key
        ? quoteList([key.column])
        : `(${(await parsed(key.expression, `keys/${position}/expression`)).sql})`,
    );
  }
  const condition = where === null ? "" : ` where (${(await parsed(where, "where")).sql})`;
  return `create ${unique ? "unique " : ""}index ${quoteIdentifier(name)} on ${quoteQualified("pg_temp", "rowhouse_written")} using ${method} (${terms.join(", ")})${condition}`;
}

async function load(
  transaction: Queryable,
  sql: string,
  parameters: readonly string[],
): Promise<DocumentedTable[]> {
  // Without a search path, PostgreSQL qualifies every name except those of pg_catalog.
  await transaction.query("set local search_path = pg_catalog");
  const rows = await transaction.query<{ state: string }>(sql, parameters);
  await transaction.query("set local search_path to default");
  return rows.map(({ state }) => stateOfRow(JSON.parse(state) as DocumentedRow));
}

interface DocumentedRow
  extends Omit<TableRow, "resourceId" | "referencedBy" | "indexes" | "tableBytes" | "indexBytes">,
    Pick<
      DocumentedTable,
      | "resourceId"
      | "indexes"
      | "uncarried"
      | "unusualConstraints"
      | "others"
      | "serials"
      | "codedDefaults"
    > {}
