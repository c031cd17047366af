import {
  type AuditActor,
  appendAuditEntry,
  type Catalogue,
  type Database,
  readPostgresFailure,
  requireEntityTag,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { type AppError, createError, createFault, throwFaults } from "@rowhouse/errors";
import type { AlterationDraft } from "./alteration/draft.ts";
import type { AlterationStep } from "./alteration/plan.ts";
import { draftAlteration, findUnconfirmed, planAlteration } from "./alteration/plan-alteration.ts";
import { isStatementsFault, rolledBack } from "./base/attempt.ts";
import { bindToColumn } from "./base/bind-columns.ts";
import { refreshRegistry } from "./base/registry.ts";
import { lockTimeout } from "./base/transaction-settings.ts";
import {
  type ChangePreview,
  type CountBudget,
  compileLock,
  countLosses,
  countWithinBudget,
  createCountBudget,
  describeWork,
  type FailingRows,
  findKeys,
  greatestWork,
  previewLocks,
  strongestLock,
} from "./change-effects.ts";
import { findDependents } from "./dependents.ts";
import { describeTable, type TableDescription } from "./describe-table.ts";
import {
  isSameTable,
  loadAlteredTable,
  loadNewTable,
  loadTableState,
  readTableState,
  type TableState,
  tagOfTable,
} from "./table-state.ts";

/** Rewriting a large table takes minutes. The gateway and the Admin API wait five minutes for a response. */
const statementTimeout = "4min";
/** Maximum number of attempts to plan a change when another transaction alters the table in between. */
const attemptsMax = 3;

export interface AlterTableInput {
  readonly schema: string;
  readonly table: string;
  /** The `data` member of the request body; see `tableAlterationSchema`. */
  readonly alteration: unknown;
  /** The tags of `If-Match`: the table must have one of them, or any with `*`. */
  readonly ifMatch?: readonly string[] | undefined;
}

export interface PreviewOptions {
  /** Tells which relations lose their names to columns. */
  readonly catalogue?: Catalogue | undefined;
  /** OIDs of views that count as dropped. */
  readonly gone?: ReadonlySet<string> | undefined;
}

/** A table after an alteration, with its entity tag. */
export interface AlteredTable {
  readonly table: TableDescription;
  readonly tag: string;
}

/**
 * Reports what an alteration would execute, lock, lose and fail on. It runs the same checks and executes no statement
 * of the change.
 *
 * @throws AppError as `alterTable`, except for missing confirmations and failing rows, which it reports
 */
export async function previewAlterTable(
  database: Database,
  input: AlterTableInput,
  { catalogue, gone }: PreviewOptions = {},
): Promise<ChangePreview> {
  return rolledBack(database, async (transaction) => {
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    const table = await loadTableState(transaction, input.schema, input.table);
    requireTag(table, input);
    const failingRows: FailingRows[] = [];
    const budget = createCountBudget();
    const count = async (step: AlterationStep): Promise<void> => {
      failingRows.push(...(await findFailingRows(transaction, step, budget)));
    };
    const relation = catalogue?.relationByResource(table.resourceId);
    const relations = (relation && catalogue?.edgesOf(relation)) ?? null;
    const plan = await planAlteration(transaction, table, input.alteration, count, {
      relations,
      gone,
    });
    const { draft, steps } = plan;
    const locks = steps.length === 0 ? [] : previewLocks(table, ownLock(steps), draft.otherLocks);
    const work = locks.flatMap((lock) => describeWork(lock) ?? []);
    return {
      sql: compile(table, steps),
      locks,
      failingRows,
      losses: await countLosses(transaction, draft.losses, budget),
      confirmations: draft.confirmations.map(({ path, confirm }) => ({ path, confirm })),
      notes: [...work, ...draft.notes],
    };
  });
}

/**
 * Alters a table and writes the audit entry in one transaction. A failed alteration changes nothing.
 *
 * @throws AppError as `changeTable`
 */
export async function alterTable(
  database: Database,
  input: AlterTableInput & { readonly actor: AuditActor },
): Promise<AlteredTable> {
  const { schema, name } = await changeTable(database, input);
  const state = await readTableState(database, schema, name);
  return { table: await describeTable(database, state), tag: tagOfTable(state) };
}

/**
 * Adds constraints, indexes and comments to a table that the transaction of `database` has created, as `changeTable`. Nobody
 * else sees it, so its statements need no trial on a copy. Only after a failure they are tried, which finds every fault.
 *
 * @throws AppError as `changeTable`
 */
export async function changeNewTable(
  database: Database,
  input: AlterTableInput & { readonly actor: AuditActor },
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      const table = await loadNewTable(transaction, input.schema, input.table);
      const draft = await draftAlteration(transaction, table, input.alteration);
      throwFaults(findUnconfirmed(draft));
      for (const step of draft.steps) await execute(transaction, table, step);
      await finish(transaction, table, draft, input.actor);
    });
  } catch (error) {
    if (!isStatementsFault(readPostgresFailure(error)?.code ?? "")) throw toAppError(error);
    await changeTable(database, input);
  }
}

async function execute(
  transaction: Transaction,
  { resourceId }: TableState,
  { sql, rebinds }: AlterationStep,
): Promise<void> {
  if (rebinds !== undefined) await bindToColumn(transaction, resourceId, rebinds);
  await transaction.asService.query(sql);
}

/** Registers an alteration that has run. */
async function finish(
  transaction: Transaction,
  table: TableState,
  draft: AlterationDraft,
  actor: AuditActor,
): Promise<void> {
  await refreshRegistry(transaction);
  await appendAuditEntry(transaction, actor, {
    action: "table.update",
    targetKind: "resource",
    targetId: table.resourceId,
    changedFields: [...draft.changedFields],
  });
}

/**
 * Alters a table as `alterTable`, and does not describe it.
 *
 * @returns the names of the table, which the alteration may have changed
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED if the table has none of the tags of `ifMatch`; CONFLICT for a name in
 * use, for dependent objects and for a lock timeout; otherwise every fault with its path
 */
export async function changeTable(
  database: Database,
  input: AlterTableInput & { readonly actor: AuditActor },
): Promise<{ readonly schema: string; readonly name: string }> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const { table, draft, steps } = await rolledBack(database, async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      const state = await loadAlteredTable(transaction, input.schema, input.table);
      requireTag(state, input);
      return { table: state, ...(await planAlteration(transaction, state, input.alteration)) };
    });
    throwFaults(findUnconfirmed(draft));
    if (steps.length === 0) return table;
    if (await run(database, table, draft, steps, input)) return draft;
  }
  throw createError("CONFLICT", {
    message: "Another transaction keeps changing this table; try again",
  });
}

function requireTag(table: TableState, { ifMatch }: AlterTableInput): void {
  requireEntityTag(tagOfTable(table), ifMatch, "The table has changed since it was read");
}

/** @returns false, without any change, if the table differs from the state that was planned for */
async function run(
  database: Database,
  table: TableState,
  draft: AlterationDraft,
  steps: readonly AlterationStep[],
  input: AlterTableInput & { readonly actor: AuditActor },
): Promise<boolean> {
  let current: AlterationStep | undefined;
  try {
    return await database.transaction(async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      await transaction.query(`set local statement_timeout = '${statementTimeout}'`);
      const lock = compileLock(table, ownLock(steps).mode);
      if (lock !== null) await transaction.asService.query(lock);
      if (!(await isAsPlanned(transaction, table, draft))) return false;
      for (const step of steps) {
        current = step;
        await execute(transaction, table, step);
      }
      current = undefined;
      await finish(transaction, table, draft, input.actor);
      return true;
    });
  } catch (error) {
    const code = readPostgresFailure(error)?.code ?? "";
    // The table was dropped or renamed before this transaction got its lock. The next attempt to plan reports it.
    if (current === undefined && (code === "42P01" || code === "3F000")) return false;
    if (current !== undefined && /^2[23]/.test(code)) await refuseFailingRows(database, input);
    throw toChangeError(error, current?.path);
  }
}

async function isAsPlanned(
  transaction: Transaction,
  table: TableState,
  draft: AlterationDraft,
): Promise<boolean> {
  const now = await loadAlteredTable(transaction, table.schema, table.name);
  if (!isSameTable(table, now)) return false;
  for (const { root, found } of draft.roots) {
    if (JSON.stringify(await findDependents(transaction, root)) !== found) return false;
  }
  return true;
}

function compile(table: TableState, steps: readonly AlterationStep[]): string[] {
  if (steps.length === 0) return [];
  const lock = compileLock(table, ownLock(steps).mode);
  return [...(lock === null ? [] : [lock]), ...steps.map((step) => step.sql)];
}

function ownLock(steps: readonly AlterationStep[]) {
  return {
    mode: strongestLock(steps.map((step) => step.lock)),
    work: greatestWork(steps.map((step) => step.work)),
  };
}

async function findFailingRows(
  transaction: Transaction,
  step: AlterationStep,
  budget: CountBudget,
): Promise<FailingRows[]> {
  const failing: FailingRows[] = [];
  for (const { path, code, message, sql, keysSql, before } of step.counts) {
    const rows = await countWithinBudget(transaction, { sql, before }, budget);
    if (rows === 0) continue;
    const keys = rows === null ? [] : await findKeys(transaction, { keysSql, before }, budget);
    failing.push({ path, code, message, rows, keys });
  }
  return failing;
}

/**
 * Throws a fault for each statement that existing rows fail, with the number of rows; returns if a new count finds
 * none.
 */
async function refuseFailingRows(database: Database, input: AlterTableInput): Promise<void> {
  const { failingRows } = await previewAlterTable(database, input);
  throwFaults(
    failingRows.map(({ path, code, message, rows }) =>
      createFault(code, { path, message, details: { rows } }),
    ),
  );
}

/** Converts an error of a planned statement to the error that the caller receives. */
export function toChangeError(error: unknown, path: string | undefined): AppError {
  const failure = readPostgresFailure(error);
  const code = failure?.code ?? "";
  if (code === "55P03") {
    const message = "A table that this change needs is locked; try again";
    return createError("CONFLICT", { message, cause: error });
  }
  if (code === "42501") {
    const message = "The service's database login lacks the privilege for this";
    return createError("ACTION_DENIED", { message, cause: error });
  }
  const isCatalogue = code === "23505" && failure?.table?.startsWith("pg_") === true;
  if (code === "42P07" || code === "42710" || isCatalogue) {
    const message = "The schema already contains an object with this name";
    return createError("CONFLICT", { path, message, cause: error });
  }
  if (code === "2BP01") {
    const message = "Other objects depend on this";
    return createError("CONFLICT", { path, message, cause: error });
  }
  if (path === undefined || !isStatementsFault(code)) return toAppError(error);
  const message = "The database does not accept this change";
  return createError("VALUE_INVALID", { path, message, cause: error });
}
