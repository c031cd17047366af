import { quoteQualified, readPostgresFailure, type Transaction, toAppError } from "@rowhouse/db";
import {
  type Confirmation,
  type LockMode,
  type Loss,
  lockModes,
  type OtherLock,
  type RowCheck,
  type Work,
  workKinds,
} from "./alteration/plan.ts";
import { isStatementsFault, rollBackTo } from "./base/attempt.ts";
import type { TableState } from "./table-state.ts";

/** The effects of a change, computed before it runs. */
export interface ChangePreview {
  /** Exactly the statements that would run, in one transaction. */
  readonly sql: readonly string[];
  readonly locks: readonly LockPreview[];
  readonly failingRows: readonly FailingRows[];
  readonly losses: readonly Omit<Loss, "valuesSql">[];
  /** Confirmations that the body, or the query string, must contain for the change to run. */
  readonly confirmations: readonly Omit<Confirmation, "given">[];
  readonly notes: readonly string[];
}

/** A table that is locked until the change ends. */
export interface LockPreview {
  readonly schema: string;
  readonly table: string;
  readonly mode: LockMode;
  /** What the lock blocks for other transactions. */
  readonly blocks: "READS_AND_WRITES" | "WRITES" | "SCHEMA_CHANGES";
  readonly work: Work;
  /**
   * The size of the work: the row estimate of the last ANALYZE, and bytes; null for a table that is only referenced.
   */
  readonly rowEstimate: number | null;
  readonly bytes: number | null;
}

/** Existing rows that make a change fail; null if the count exceeds its time limit. */
export interface FailingRows extends Pick<RowCheck, "path" | "code" | "message"> {
  readonly rows: number | null;
  /** Primary keys of up to 100 of these rows, each with its values as texts; empty for a table without one. */
  readonly keys: readonly (readonly string[])[];
}

const blocks = {
  "SHARE UPDATE EXCLUSIVE": "SCHEMA_CHANGES",
  SHARE: "WRITES",
  "SHARE ROW EXCLUSIVE": "WRITES",
  "ACCESS EXCLUSIVE": "READS_AND_WRITES",
} as const satisfies Record<LockMode, LockPreview["blocks"]>;

/**
 * Time limits in ms of one count and of all counts of a change. They are short because a person waits for the preview.
 */
const countTimeoutMs = 5_000;
const countsTimeoutMs = 15_000;

/** The remaining time for the counts of one change. */
export interface CountBudget {
  readonly endsAt: number;
}
export function createCountBudget(): CountBudget {
  return { endsAt: performance.now() + countsTimeoutMs };
}

/** Returns the statement that locks a table before any change; null for an object that LOCK TABLE does not accept. */
export function compileLock(table: TableState, mode: LockMode): string | null {
  if (table.kind === "FOREIGN_TABLE") return null;
  return `lock table ${quoteQualified(table.schema, table.name)} in ${mode.toLowerCase()} mode`;
}

export function strongestLock(modes: readonly LockMode[]): LockMode {
  const rank = Math.max(0, ...modes.map((mode) => lockModes.indexOf(mode)));
  return lockModes[rank] ?? "ACCESS EXCLUSIVE";
}

export function greatestWork(kinds: readonly Work[]): Work {
  const rank = Math.max(0, ...kinds.map((kind) => workKinds.indexOf(kind)));
  return workKinds[rank] ?? "REWRITE";
}

/** Returns the locks of a change: the table's own first, then each other table once. */
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

/** Returns a sentence on how long a table is locked; null if the work does not depend on the size of the table. */
export function describeWork(lock: LockPreview): string | null {
  if (lock.work === "NONE") return null;
  const size = `${lock.rowEstimate === null ? "" : `about ${lock.rowEstimate} rows, `}${lock.bytes ?? 0} bytes`;
  const held =
    lock.blocks === "READS_AND_WRITES"
      ? "and it blocks reads and writes meanwhile"
      : lock.blocks === "WRITES"
        ? "and it blocks writes meanwhile"
        : "without blocking reads or writes";
  return lock.work === "REWRITE"
    ? `This rewrites the whole table and its indexes (${size}), ${held}.`
    : `This scans the whole table (${size}), ${held}.`;
}

/**
 * Counts rows under a time limit, and rolls back the statements that the count needed.
 *
 * @returns null if the count fails, or the time limit of all counts has passed
 */
export async function countWithinBudget(
  transaction: Transaction,
  count: Pick<RowCheck, "sql" | "before">,
  budget: CountBudget,
): Promise<number | null> {
  const rows = await query<{ rows: string }>(transaction, count, budget);
  return rows === null ? null : Number(rows[0]?.rows ?? 0);
}

/** Returns the primary keys of failing rows, under the time limits of `countWithinBudget`; empty if the query fails. */
export async function findKeys(
  transaction: Transaction,
  { keysSql, before }: Pick<RowCheck, "keysSql" | "before">,
  budget: CountBudget,
): Promise<string[][]> {
  if (keysSql === null) return [];
  const rows = await query<{ key: string }>(transaction, { sql: keysSql, before }, budget);
  return (rows ?? []).map(({ key }) => JSON.parse(key) as string[]);
}

async function query<Row extends object>(
  transaction: Transaction,
  count: Pick<RowCheck, "sql" | "before">,
  budget: CountBudget,
): Promise<readonly Row[] | null> {
  const timeoutMs = Math.min(countTimeoutMs, Math.floor(budget.endsAt - performance.now()));
  if (timeoutMs <= 0) return null;
  await transaction.query("savepoint rowhouse_count");
  let rows: readonly Row[] | null = null;
  try {
    await transaction.query(`set local statement_timeout = ${timeoutMs}`);
    for (const statement of count.before) await transaction.asService.query(statement);
    rows = await transaction.asService.query<Row>(count.sql);
  } catch (error) {
    const code = readPostgresFailure(error)?.code ?? "";
    // A timeout, or a row on which the expression of the count fails.
    if (code !== "57014" && !isStatementsFault(code)) throw toAppError(error);
  }
  await rollBackTo(transaction, "rowhouse_count");
  return rows;
}

/** Returns the losses with the number of values that each one loses. */
export async function countLosses(
  transaction: Transaction,
  losses: readonly Loss[],
  budget: CountBudget,
): Promise<Omit<Loss, "valuesSql">[]> {
  const counted: Omit<Loss, "valuesSql">[] = [];
  for (const { valuesSql, ...loss } of losses) {
    if (valuesSql === undefined) {
      counted.push(loss);
      continue;
    }
    const rows = await countWithinBudget(transaction, { sql: valuesSql, before: [] }, budget);
    const note =
      rows === null ? "too many values to count within the time limit" : `values: ${rows}`;
    counted.push({ ...loss, note });
  }
  return counted;
}
