import { quoteIdentifier, quoteQualified, type Transaction } from "@rowhouse/db";
import { createFault, type ErrorCode, type Fault, throwFaults } from "@rowhouse/errors";
import { attempt, Undo } from "./base/attempt.ts";
import { loadTableByOidSql, loadTablesSql } from "./base/load-table-sql.ts";
import { withPlainPath } from "./base/transaction-settings.ts";
import { parseColumnExpression } from "./column-expression.ts";
import { quoteList } from "./compile-create-table.ts";
import type { TypeReference } from "./guarded-table.ts";
import { type IndexState, stateOfRow, type TableRow, type TableState } from "./table-state.ts";
import { parseColumnType } from "./type-name.ts";
import { findUnknownTypes } from "./verify-table.ts";

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
        | "UNWRITTEN"
      )
    | null;
  /** The names of the constraints that have more than documents describe, such as DEFERRABLE. */
  readonly unusualConstraints: readonly string[];
  /** Those of them that are unusual only because their index orders the rows of the table, or is its replica identity. */
  readonly markedConstraints: readonly string[];
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
export async function loadDocumentedTables(transaction: Transaction): Promise<DocumentedTable[]> {
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
  /** The expression of a stored generated column. */
  readonly generated: string | null;
  /** JSON pointer of the column, for faults. */
  readonly path: string;
  /** Whether PostgreSQL itself wrote the texts, so that they need no guard. */
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
 * @throws AppError with the path of a text that the guard or PostgreSQL refuses
 */
export async function settleTable(
  transaction: Transaction,
  { columns, checks, indexes }: WrittenTable,
): Promise<DocumentedTable> {
  const names = new Set(columns.map(({ name }) => name));
  const lines: TableLine[] = [];
  for (const column of columns) lines.push(await columnLine(column, names));
  throwFaults(
    await findUnknownTypes(
      transaction,
      lines.flatMap(({ references }) => references),
    ),
  );
  const constraints: TableLine[] = [];
  for (const { name, check, path } of checks) {
    const parsed = await parseColumnExpression(check, "check", names, path);
    const sql = `constraint ${quoteIdentifier(name)} check (${parsed.sql})`;
    const message = "The check does not fit the types of its columns";
    constraints.push({ sql, references: [], refusal: ["EXPRESSION_INVALID", path, message] });
  }
  const create = (some: readonly TableLine[]) => async () => {
    const parts = some.map(({ sql }) => sql).join(", ");
    await transaction.asService.query(`create temporary table rowhouse_written (${parts})`);
  };
  const all = create([...lines, ...constraints]);
  if ((await attempt(transaction, all)) !== undefined) {
    const stored = lines.filter(({ readsOthers }) => readsOthers !== true);
    await refuseLines(transaction, stored, (line) => tried(create([line])));
    const generated = lines.filter(({ readsOthers }) => readsOthers);
    await refuseLines(transaction, generated, (line) => tried(create([...stored, line])));
    await refuseLines(transaction, constraints, (line) => tried(create([...lines, line])));
    // Each alone is accepted: the error of the whole is the database's own.
    await all();
  }
  const made: TableLine[] = [];
  for (const index of indexes) {
    const message = "PostgreSQL does not accept this index";
    const sql = await indexSql(index, names);
    made.push({ sql, references: [], refusal: ["VALUE_INVALID", index.path, message] });
  }
  await refuseLines(transaction, made, ({ sql }) => async () => {
    await transaction.asService.query(sql);
  });
  const [row] = await transaction.query<{ oid: string }>(
    "select 'pg_temp.rowhouse_written'::regclass::oid::text as oid",
  );
  const [table] = await load(transaction, loadTableByOidSql, [row?.oid ?? ""]);
  await transaction.asService.query("drop table pg_temp.rowhouse_written");
  if (table === undefined) throw new Error("A table that was just created is missing");
  return table;
}

/** Runs a work that `attempt` then undoes. */
function tried(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    await work();
    throw new Undo();
  };
}

/** A column, a constraint or an index of a table. */
interface TableLine {
  readonly sql: string;
  readonly references: readonly TypeReference[];
  /** Whether it is a generated column. */
  readonly readsOthers?: boolean;
  readonly refusal: readonly [code: ErrorCode, path: string, message: string];
}

/** @throws AppError with the faults of all lines that PostgreSQL refuses; the work of the others stays */
async function refuseLines(
  transaction: Transaction,
  lines: readonly TableLine[],
  workOf: (line: TableLine) => () => Promise<void>,
): Promise<void> {
  const faults: Fault[] = [];
  for (const line of lines) {
    if ((await attempt(transaction, workOf(line))) === undefined) continue;
    const [code, path, message] = line.refusal;
    faults.push(createFault(code, { path, message }));
  }
  throwFaults(faults);
}

async function columnLine(column: WrittenColumn, names: ReadonlySet<string>): Promise<TableLine> {
  const { name, path, isStored, default: standard, generated } = column;
  const parsed = isStored ? undefined : await parseColumnType(column.dataType, `${path}/type`);
  const start = `${quoteIdentifier(name)} ${parsed?.sql ?? column.dataType}`;
  const references = parsed?.references ?? [];
  if (generated !== null) {
    const at = `${path}/generated`;
    const text = isStored
      ? generated
      : (await parseColumnExpression(generated, "generated", names, at)).sql;
    const message = "The column cannot be generated by this expression";
    return {
      ...{ sql: `${start} generated always as (${text}) stored`, references, readsOthers: true },
      refusal: ["EXPRESSION_INVALID", at, message],
    };
  }
  if (standard === null) {
    const message = "A column cannot have this type";
    return { sql: start, references, refusal: ["VALUE_INVALID", `${path}/type`, message] };
  }
  const text = isStored
    ? standard
    : (await parseColumnExpression(standard, "default", new Set(), `${path}/default`)).sql;
  const message = "The default does not fit the column's type";
  const refusal = ["VALUE_INVALID", `${path}/default`, message] as const;
  return { sql: `${start} default (${text})`, references, refusal };
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
  transaction: Transaction,
  sql: string,
  parameters: readonly string[],
): Promise<DocumentedTable[]> {
  const rows = await withPlainPath(transaction, () =>
    transaction.query<{ state: string }>(sql, parameters),
  );
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
      | "markedConstraints"
      | "others"
      | "serials"
      | "codedDefaults"
    > {}
