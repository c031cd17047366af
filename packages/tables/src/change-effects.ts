import { type Queryable, quoteQualified, readPostgresFailure, toAppError } from "@rowhouse/db";
import {
  type Confirmation,
  type LockMode,
  type Loss,
  lockModes,
  type OtherLock,
  type RowCount,
  type Work,
  workKinds,
} from "./alteration/plan.ts";
import { isStatementsFault } from "./attempt.ts";
import type { TableState } from "./table-state.ts";

/** What a change would do, before it is done. */
export interface ChangePreview {
  /** Exactly the statements that would run, in one transaction. */
  readonly sql: readonly string[];
  readonly locks: readonly LockPreview[];
  readonly failingRows: readonly FailingRows[];
  readonly losses: readonly Omit<Loss, "valuesSql">[];
  /** What has to stand in the body, or in the query, for the change to run. */
  readonly confirmations: readonly Omit<Confirmation, "given">[];
  readonly notes: readonly string[];
}

/** A table that is held until the change is done. */
export interface LockPreview {
  readonly schema: string;
  readonly table: string;
  readonly mode: LockMode;
  /** What others cannot do meanwhile. */
  readonly blocks: "READS_AND_WRITES" | "WRITES" | "SCHEMA_CHANGES";
  readonly work: Work;
  /** How much the work is: rows as of the last ANALYZE, and bytes; null for a table that is only referred to. */
  readonly rowEstimate: number | null;
  readonly bytes: number | null;
}

/** Rows at hand that a change would fail on; null where they could not be counted in a few seconds. */
export interface FailingRows extends Pick<RowCount, "path" | "code" | "message"> {
  readonly rows: number | null;
}

const blocks = {
  "SHARE UPDATE EXCLUSIVE": "SCHEMA_CHANGES",
  SHARE: "WRITES",
  "SHARE ROW EXCLUSIVE": "WRITES",
  "ACCESS EXCLUSIVE": "READS_AND_WRITES",
} as const satisfies Record<LockMode, LockPreview["blocks"]>;

/** How long one count may take, and all of a change together: a preview is looked at by a person. */
const countTimeoutMs = 5_000;
const countsTimeoutMs = 15_000;

/** The time that is left for the counts of one change. */
export interface CountBudget {
  readonly endsAt: number;
}
export function createCountBudget(): CountBudget {
  return { endsAt: performance.now() + countsTimeoutMs };
}

/** The statement that takes a table, before anything is changed; null for a table that cannot be taken so. */
export function compileLock(table: TableState, mode: LockMode): string | null {
  if (table.kind === "FOREIGN_TABLE") return null;
  return `lock table ${quoteQualified(table.schema, table.name)} in ${mode.toLowerCase()} mode`;
}

/** The strongest of some locks. */
export function strongestLock(modes: readonly LockMode[]): LockMode {
  const rank = Math.max(0, ...modes.map((mode) => lockModes.indexOf(mode)));
  return lockModes[rank] ?? "ACCESS EXCLUSIVE";
}

/** The greatest of some kinds of work. */
export function greatestWork(kinds: readonly Work[]): Work {
  const rank = Math.max(0, ...kinds.map((kind) => workKinds.indexOf(kind)));
  return workKinds[rank] ?? "REWRITE";
}

/** The locks of a change, the table's own first, each other table once. */
export function previewLocks(
  table: TableState,
  own: { readonly mode: LockMode; readonly work: Work },
  others: readonly OtherLock[],
): LockPreview[] {
  const { tableBytes, indexBytes } = table;
  const bytes = tableBytes === null || indexBytes === null ? null : tableBytes + indexBytes;
  const first = {
    schema: table.schema,
    table: table.name,
    mode: own.mode,
    blocks: blocks[own.mode],
    work: own.work,
    rowEstimate: table.rowEstimate,
    bytes,
  };
  const names = new Set(others.map((other) => quoteQualified(other.schema, other.table)));
  names.delete(quoteQualified(table.schema, table.name));
  const rest = [...names].flatMap((name): LockPreview[] => {
    const same = others.filter((other) => quoteQualified(other.schema, other.table) === name);
    const mode = strongestLock(same.map((other) => other.mode));
    const work = greatestWork(same.map((other) => other.work));
    return same.slice(0, 1).map((other) => ({
      schema: other.schema,
      table: other.table,
      mode,
      blocks: blocks[mode],
      work,
      rowEstimate: null,
      bytes: null,
    }));
  });
  return [first, ...rest];
}

/** A sentence on how long a table is out of reach; null where there is nothing to say. */
export function describeWork(lock: LockPreview): string | null {
  if (lock.work === "NONE") return null;
  const size = `${lock.rowEstimate === null ? "" : `about ${lock.rowEstimate} rows, `}${lock.bytes ?? 0} bytes`;
  const held =
    lock.blocks === "READS_AND_WRITES"
      ? "and nobody reads or writes it meanwhile"
      : lock.blocks === "WRITES"
        ? "and nobody writes to it meanwhile"
        : "while others go on";
  return lock.work === "REWRITE"
    ? `The whole table and its indexes are written anew (${size}), ${held}.`
    : `The whole table is gone through (${size}), ${held}.`;
}

/**
 * Counts in a few seconds, and undoes what the count needed.
 *
 * @returns null where that was not possible, or the time of all counts is over
 */
export async function countRows(
  transaction: Queryable,
  count: Pick<RowCount, "sql" | "before">,
  budget: CountBudget,
): Promise<number | null> {
  const timeoutMs = Math.min(countTimeoutMs, Math.floor(budget.endsAt - performance.now()));
  if (timeoutMs <= 0) return null;
  await transaction.query("savepoint rowhouse_count");
  let rows: number | null = null;
  try {
    await transaction.query(`set local statement_timeout = ${timeoutMs}`);
    for (const statement of count.before) await transaction.query(statement);
    const [row] = await transaction.query<{ rows: string }>(count.sql);
    rows = Number(row?.rows ?? 0);
  } catch (error) {
    const code = readPostgresFailure(error)?.code ?? "";
    // A time-out, or a row that the count's own expression fails on.
    if (code !== "57014" && !isStatementsFault(code)) throw toAppError(error);
  }
  await transaction.query("rollback to savepoint rowhouse_count");
  return rows;
}

/** The losses with how many values each takes. */
export async function countLosses(
  transaction: Queryable,
  losses: readonly Loss[],
  budget: CountBudget,
): Promise<Omit<Loss, "valuesSql">[]> {
  const counted: Omit<Loss, "valuesSql">[] = [];
  for (const { valuesSql, ...loss } of losses) {
    if (valuesSql === undefined) {
      counted.push(loss);
      continue;
    }
    const rows = await countRows(transaction, { sql: valuesSql, before: [] }, budget);
    const note = rows === null ? "too many values to count in a moment" : `values: ${rows}`;
    counted.push({ ...loss, note });
  }
  return counted;
}
