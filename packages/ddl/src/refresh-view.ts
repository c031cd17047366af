import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  type OwnTransaction,
  type Queryable,
  quoteQualified,
  readPostgresFailure,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { applyStatements } from "./change-views.ts";
import { definitionPath } from "./guarded-view.ts";
import { readRefresh, refreshLockClass, type ViewRefresh } from "./refresh-state.ts";
import { requireMaterialized, type ViewTarget } from "./view-record.ts";

export interface RefreshOptions {
  readonly actor: AuditActor;
  readonly timeoutMs: number;
}

/** Refreshes materialized views in the background of the requests that start them. */
export interface ViewRefresher {
  /**
   * Starts a refresh and returns without waiting for its end.
   *
   * @throws AppError CONFLICT for a plain view and while a refresh of this view is running, SERVICE_UNAVAILABLE while
   * this process runs its maximum number of refreshes
   */
  start(target: ViewTarget, options: RefreshOptions): Promise<ViewRefresh>;
}

/** Refreshes at once in one process; each occupies a connection of the pool. */
const atOnceMax = 2;
const lockTimeout = "10s";

/**
 * Creates the refresher. A refresh is one transaction that holds an advisory lock, so each view has at most one
 * refresh over all processes, and that records its outcome. A lost connection ends both the lock and the refresh.
 *
 * @param report called with the error of a refresh that failed outside its savepoint, for example by a lost connection
 */
export function createViewRefresher(
  database: Database,
  report: (error: unknown) => void,
): ViewRefresher {
  let running = 0;

  return {
    start: async (target, options) => {
      requireMaterialized(target);
      if (running >= atOnceMax) {
        throw createError("SERVICE_UNAVAILABLE", {
          message: "Other views are being refreshed; try again",
          headers: { "Retry-After": "5" },
        });
      }
      running += 1;
      let onBegin: () => void = () => undefined;
      const begun = new Promise<"BEGUN">((resolve) => {
        onBegin = () => resolve("BEGUN");
      });
      const whole = database
        .transaction((transaction) => refresh(database, transaction, target, options, onBegin))
        .finally(() => {
          running -= 1;
        });
      // The caller receives a failure before the start; a later failure is recorded with the view.
      const failed = whole.then(
        () => undefined,
        (error: unknown) => error,
      );
      const first = await Promise.race([begun, failed]);
      if (first !== "BEGUN" && first !== undefined) throw toAppError(first);
      void failed
        .then((error) => {
          if (error === undefined) return undefined;
          report(error);
          return recordFailure(database, target, error);
        })
        .catch(report);
      return readRefresh(database, target.resourceId);
    },
  };
}

async function refresh(
  database: Database,
  transaction: OwnTransaction,
  target: ViewTarget,
  { actor, timeoutMs }: RefreshOptions,
  onBegin: () => void,
): Promise<void> {
  await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
  const [lock] = await transaction.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${refreshLockClass}, system.refresh_lock($1::text::uuid)) as taken`,
    [target.resourceId],
  );
  if (lock?.taken !== true) {
    throw createError("CONFLICT", { message: "A refresh of this view is running" });
  }
  const concurrently = await canRefreshConcurrently(transaction, target);
  await recordBeginning(database, target, concurrently, actor);
  onBegin();
  // A failure is also recorded under the lock, so that no reader sees a refresh that neither runs nor has ended.
  let failure: unknown;
  await transaction
    .savepoint(async (part) => {
      await part.query(`set local statement_timeout = ${Math.round(timeoutMs)}`);
      // On supported platforms, Postgres checks the client connection and cancels the refresh if it is lost.
      await part.query(
        `do $$ begin set local client_connection_check_interval = '1s';
         exception when others then null; end $$`,
      );
      await part.asService.query(compileRefresh(target, concurrently));
    })
    .catch((error: unknown) => {
      failure = error;
    });
  if (failure === undefined) await recordSuccess(transaction, target);
  else await recordFailure(transaction, target, failure);
}

/**
 * Fills a materialized view that the transaction has created.
 *
 * @throws AppError for a query that fails on the rows
 */
export async function fillView(
  transaction: Transaction,
  view: { readonly schema: string; readonly name: string },
): Promise<void> {
  await applyStatements(transaction, [{ sql: compileRefresh(view, false), path: definitionPath }]);
}

export function compileRefresh(
  view: { readonly schema: string; readonly name: string },
  concurrently: boolean,
): string {
  const word = concurrently ? " concurrently" : "";
  return `refresh materialized view${word} ${quoteQualified(view.schema, view.name)}`;
}

/**
 * Whether the refresh can run CONCURRENTLY. Postgres compares old and new rows by a unique index over plain columns,
 * so the view must be populated and have one.
 */
async function canRefreshConcurrently(
  transaction: Transaction,
  target: ViewTarget,
): Promise<boolean> {
  const [row] = await transaction.query<{ able: boolean }>(
    `select c.relispopulated and exists (
       select 1 from pg_catalog.pg_index x where x.indrelid = c.oid and x.indisunique and x.indisvalid
         and x.indimmediate and x.indexprs is null and x.indpred is null) as able
     from pg_catalog.pg_class c where c.oid = $1::text::oid`,
    [target.oid],
  );
  if (row === undefined) throw createError("NOT_FOUND", { message: "No such view" });
  return row.able;
}

async function recordBeginning(
  database: Database,
  target: ViewTarget,
  concurrently: boolean,
  actor: AuditActor,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(
      `insert into system.view_refreshes (resource_id, state, beside_readers, started_at)
       values ($1::text::uuid, 'RUNNING', $2::text::boolean, clock_timestamp())
       on conflict (resource_id) do update set state = excluded.state, beside_readers = excluded.beside_readers,
         started_at = excluded.started_at, finished_at = null, error_code = null, error_message = null`,
      [target.resourceId, String(concurrently)],
    );
    await appendAuditEntry(transaction, actor, {
      action: "view.refresh",
      targetKind: "resource",
      targetId: target.resourceId,
    });
  });
}

/** Messages by SQLSTATE. Messages of Postgres may contain values and are not passed on. */
const sentences: Readonly<Record<string, string>> = {
  "57014": "It took too long or was canceled",
  "55P03": "The view, or a table that it reads, was locked for too long",
  "23505": "Two rows are equal in the columns of a unique index",
  "21000": "Rows are equal in all columns, so old and new ones cannot be compared",
  "22012": "The definition divides by zero",
  "53100": "The disk is full",
};

async function recordSuccess(transaction: Transaction, target: ViewTarget): Promise<void> {
  await transaction.query(
    `update system.view_refreshes set state = 'SUCCEEDED', finished_at = clock_timestamp(), refreshed_at = started_at
     where resource_id = $1::text::uuid`,
    [target.resourceId],
  );
}

async function recordFailure(
  database: Queryable,
  target: ViewTarget,
  error: unknown,
): Promise<void> {
  const state = readPostgresFailure(error)?.code ?? "";
  const { code } = toAppError(error);
  const message =
    sentences[state] ??
    (state.startsWith("22") ? "The definition fails on a value of a row" : "It failed");
  await database.query(
    `update system.view_refreshes set state = 'FAILED', finished_at = clock_timestamp(), error_code = $2::text,
       error_message = $3::text
     where resource_id = $1::text::uuid and state = 'RUNNING'`,
    [target.resourceId, code, message],
  );
}
