import { type AuditEntry, appendAuditEntry, type Queryable, type SqlSession } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  type ConsoleLogin,
  type ConsoleSession,
  endBackend,
  openConsoleSession,
} from "./console-session.ts";
import { describeFailure } from "./describe-failure.ts";
import {
  readLoginSettings,
  requireOnlyRows,
  runStatements,
  touchedRelations,
} from "./run-statements.ts";
import { type Backend, placeRun } from "./runs-under-way.ts";
import type { SqlPart } from "./split-statements.ts";
import type { SqlCaller, SqlRequest } from "./sql-request.ts";

/** Why a run was ended to protect others. */
type LockFault = "BLOCKS" | "TOO_MANY";

const everyMs = 1000;
/**
 * How long others may wait for a lock of a run. A request waits at most for its statement timeout, 10 s by default.
 */
const blockedMsMax = 3000;

/**
 * Checks every second the locks that a run holds. A run may take table locks and advisory locks, also in functions and
 * blocks. But it must neither block the requests of others nor fill the server's lock table.
 *
 * @param onFault called at most once
 * @returns a function that stops the guard
 */
function guardLocks(
  database: Queryable,
  backend: Backend,
  onFault: (fault: LockFault) => void,
): () => void {
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    findFault(database, backend)
      .then((fault) => {
        if (fault === undefined) return;
        clearInterval(timer);
        onFault(fault);
      })
      // The next check is a second away.
      .catch(() => undefined)
      .finally(() => {
        isAsking = false;
      });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function findFault(database: Queryable, backend: Backend): Promise<LockFault | undefined> {
  const [row] = await database.query<{ blocks: string; too_many: string }>(faultSql, [
    backend.pid,
    String(blockedMsMax),
  ]);
  if (row?.blocks === "true") return "BLOCKS";
  return row?.too_many === "true" ? "TOO_MANY" : undefined;
}

/**
 * Excludes row locks and the table locks of writes: a run that changes many rows may take its time. A quarter of the
 * server's lock table is more than any run needs.
 */
const faultSql = `
with locks as materialized (select * from pg_catalog.pg_locks),
held as (
  select l.locktype, l.database, l.relation, l.classid, l.objid, l.objsubid from locks l
  where l.pid = $1::text::integer and l.granted and l.locktype in ('relation', 'advisory')
    and l.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
)
select exists (
    select 1 from locks w
    join held h on (h.locktype, h.database) = (w.locktype, w.database)
      and (h.relation, h.classid, h.objid, h.objsubid) is not distinct from (w.relation, w.classid, w.objid, w.objsubid)
    where not w.granted and w.waitstart < pg_catalog.clock_timestamp() - $2::text::integer * interval '1 millisecond'
  )::text as blocks,
  ((select pg_catalog.count(*) from locks l where l.pid = $1::text::integer) >
    current_setting('max_locks_per_transaction')::integer
      * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer) / 4)::text as too_many`;

/** A request that was admitted. */
export interface ConsoleRun {
  readonly id: string;
  readonly request: SqlRequest;
  readonly parts: readonly SqlPart[];
  readonly limits: {
    readonly rowsMax: number;
    readonly bytesMax: number;
    readonly timeoutMs: number;
  };
  readonly caller: SqlCaller;
}

/** Allowance for the size of a result beyond its values: a batch of rows is received before it is counted. */
const overheadBytes = 16_777_216;

/**
 * Executes an admitted run in its own session.
 *
 * @returns the JSON of id, results and notices
 * @throws AppError; SQL_FAILED, SQL_CANCELLED, QUERY_TIMEOUT
 */
export async function executeConsoleRun(login: ConsoleLogin, run: ConsoleRun): Promise<string> {
  const { timeoutMs, bytesMax } = run.limits;
  const deadline = Date.now() + timeoutMs;
  const console = await openConsoleSession(login, {
    timeoutMs,
    statementBytesMax: bytesMax + overheadBytes,
  });
  const watch = new RunWatch(login, console, { deadline, signal: run.caller.signal });
  try {
    if (!(await placeRun(login.database, run.id, console.backend))) {
      throw createError("SQL_CANCELLED");
    }
    return await transact(login, run, console);
  } catch (error) {
    throw watch.explain(error);
  } finally {
    await watch.close();
    await console.session.close();
  }
}

async function transact(
  { database }: ConsoleLogin,
  run: ConsoleRun,
  { session, notices }: ConsoleSession,
): Promise<string> {
  const { id, request, parts, limits, caller } = run;
  const readOnly = request.readOnly ?? true;
  await session.query(`begin ${readOnly ? "read only" : "read write"}`);
  // A transaction that has a snapshot cannot change from read-only to read-write.
  const loginSettings = await readLoginSettings(session);
  const startedAt = performance.now();
  const results = await runStatements(session, parts, request.parameters ?? [], limits);
  if (!readOnly) {
    await requireOnlyRows(session, loginSettings);
    await checkDeferred(session, parts);
  }
  const touched = await touchedRelations(session);
  // Written before the commit: an entry in the log may belong to a run that failed, but no run is missing from it.
  await database.transaction((transaction) =>
    appendAuditEntry(transaction, caller.actor, entryOf(run, touched)),
  );
  await session.query(readOnly ? "rollback" : "commit");
  const durationMs = Math.round(performance.now() - startedAt);
  const head = JSON.stringify({ id, durationMs, notices });
  return `${head.slice(0, -1)},"results":[${results.join(",")}]}`;
}

/** Deferred constraints fail here, with PostgreSQL's message. */
async function checkDeferred(session: SqlSession, parts: readonly SqlPart[]): Promise<void> {
  const last = parts.length - 1;
  const part = parts[last];
  try {
    await session.query("set constraints all immediate");
  } catch (error) {
    throw part === undefined ? error : describeFailure(error, part, last);
  }
}

/** Returns the audit entry of a run. It never contains the text: a statement contains values. */
export function entryOf(
  { id, request, parts }: Pick<ConsoleRun, "id" | "request" | "parts">,
  touched: readonly string[],
): AuditEntry {
  const commands = [...new Set(parts.map(({ words }) => words[0] ?? ""))].sort();
  return {
    action: request.readOnly === false ? "sql.write" : "sql.read",
    targetKind: "sql",
    targetId: id,
    changedFields: [...commands, ...touched],
  };
}

/** Why a run was terminated from outside. */
type Ending = "TIMEOUT" | "GONE" | LockFault;

const lockSentences: Readonly<Record<LockFault, string>> = {
  BLOCKS: `Others waited longer than ${blockedMsMax / 1000} seconds for a lock of the run; it was rolled back`,
  TOO_MANY: "The run held too many locks at once; it was rolled back",
};

export interface RunWatchOptions {
  /** A moment on the clock of `Date.now`. */
  readonly deadline: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Terminates a run that exceeds its time, whose caller disconnects, or that blocks others.
 *
 * | state | event | next state |
 * |---|---|---|
 * | WATCHING | time limit, disconnect, fault of the lock guard | ENDING, with that reason |
 * | ENDING | a further event | ENDING, with the first reason |
 * | WATCHING, ENDING | `close` | CLOSED, once the backend is terminated |
 */
class RunWatch {
  readonly #login: ConsoleLogin;
  readonly #console: ConsoleSession;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #endGuard: () => void;
  readonly #onAbort = () => this.#end("GONE");
  /** Undefined while WATCHING. */
  #ending: { readonly reason: Ending; readonly ended: Promise<void> } | undefined;

  constructor(login: ConsoleLogin, console: ConsoleSession, options: RunWatchOptions) {
    this.#login = login;
    this.#console = console;
    this.#signal = options.signal;
    const leftMs = Math.max(0, options.deadline - Date.now());
    this.#timer = setTimeout(() => this.#end("TIMEOUT"), leftMs);
    this.#endGuard = guardLocks(login.database, console.backend, (fault) => this.#end(fault));
    this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    if (this.#signal.aborted) this.#onAbort();
  }

  /** Returns the error of the reason why the run was terminated; otherwise the error itself. */
  explain(error: unknown): unknown {
    const reason = this.#ending?.reason;
    if (reason === undefined || reason === "GONE") return error;
    if (reason === "TIMEOUT") return createError("QUERY_TIMEOUT", { cause: error });
    return createError("SQL_CANCELLED", { message: lockSentences[reason], cause: error });
  }

  /** Stops watching; waits for a termination in progress. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#endGuard();
    this.#signal.removeEventListener("abort", this.#onAbort);
    await this.#ending?.ended;
  }

  #end(reason: Ending): void {
    const { session, backend } = this.#console;
    this.#ending ??= {
      reason,
      ended: endBackend(this.#login, backend).catch(() => session.close()),
    };
  }
}
