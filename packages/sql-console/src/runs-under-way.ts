import type { Database } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

/** A connection's backend. The process id alone may be reused by another backend. */
export interface Backend {
  readonly pid: string;
  readonly start: string;
}

/**
 * How long the console waits for a lock before it responds with 503: other clients of the database may hold any lock.
 */
export const boundWaitSql = "set local lock_timeout = '3s'";
/** After this time, a run without a live process counts as abandoned. */
const graceMs = 30_000;

/**
 * Registers the start of a run.
 *
 * @param runningMax maximum number of concurrent runs, over all processes
 * @returns the backends of abandoned runs that exceeded their time
 * @throws AppError RATE_LIMIT_EXCEEDED if the maximum is reached, CONFLICT for an id that is in use
 */
export async function beginRun(
  database: Database,
  run: { readonly id: string; readonly userId: string; readonly timeoutMs: number },
  runningMax: number,
): Promise<Backend[]> {
  return database.transaction(async (transaction) => {
    await transaction.query(boundWaitSql);
    // Not an advisory lock: any login may take one, the console's own included.
    await transaction.query("lock table system.sql_console_runs in share row exclusive mode");
    const left = await transaction.query<Partial<Backend>>(
      `delete from system.sql_console_runs where ends_at < now() - interval '${graceMs} milliseconds'
       returning backend_pid::text as pid, backend_start as start`,
    );
    const [state] = await transaction.query<{ running: string; taken: string }>(
      `select pg_catalog.count(*)::text as running, (pg_catalog.count(*) filter (where id = $1::text::uuid))::text as taken from system.sql_console_runs`,
      [run.id],
    );
    if (state === undefined || state.taken !== "0") {
      throw createError("CONFLICT", {
        path: "/data/id",
        message: "A run with this id is in progress",
      });
    }
    if (Number(state.running) >= runningMax) {
      throw tooManyRuns(runningMax);
    }
    await transaction.query(
      "insert into system.sql_console_runs (id, user_id, ends_at) values ($1::text::uuid, $2::text::uuid, now() + $3::text::integer * interval '1 millisecond')",
      [run.id, run.userId, String(run.timeoutMs)],
    );
    return left.flatMap(({ pid, start }) => (pid == null || start == null ? [] : [{ pid, start }]));
  });
}

export function tooManyRuns(runningMax: number): Error {
  return createError("RATE_LIMIT_EXCEEDED", {
    message: `At most ${runningMax} runs can be in progress`,
    headers: { "Retry-After": "5" },
  });
}

/**
 * Records the backend that runs the statements.
 *
 * @returns whether the run was not canceled meanwhile
 */
export async function placeRun(database: Database, id: string, backend: Backend): Promise<boolean> {
  const rows = await database.query(
    "update system.sql_console_runs set backend_pid = $2::text::integer, backend_start = $3::text where id = $1::text::uuid and cancelled_at is null returning 1 as placed",
    [id, backend.pid, backend.start],
  );
  return rows.length > 0;
}

/** @returns whether the run was canceled */
export async function endRun(database: Database, id: string): Promise<boolean> {
  const [row] = await database.query<{ cancelled: string }>(
    "delete from system.sql_console_runs where id = $1::text::uuid returning (cancelled_at is not null)::text as cancelled",
    [id],
  );
  return row?.cancelled === "true";
}

/**
 * Marks a run as canceled.
 *
 * @returns its backend, or null if it has none yet
 * @throws AppError NOT_FOUND
 */
export async function markCancelled(
  database: Pick<Database, "query">,
  id: string,
): Promise<Backend | null> {
  const [row] = await database.query<{ pid: string | null; start: string | null }>(
    "update system.sql_console_runs set cancelled_at = coalesce(cancelled_at, now()) where id = $1::text::uuid returning backend_pid::text as pid, backend_start as start",
    [id],
  );
  if (row === undefined) throw createError("NOT_FOUND");
  return row.pid === null || row.start === null ? null : { pid: row.pid, start: row.start };
}
