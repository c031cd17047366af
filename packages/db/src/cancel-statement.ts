import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type postgres from "postgres";
import { runStatement } from "./client.ts";
import type { Parameter } from "./queryable.ts";
import type { DriverStatement } from "./statement-shares.ts";

interface Cancellation {
  readonly statement: DriverStatement;
  /** Whether the statement has been answered. */
  readonly isSettled: () => boolean;
  /** Runs a statement on a connection that the canceled one does not hold up; null behind a pooler. */
  readonly query: SideQuery | null;
}

type SideQuery = (
  text: string,
  parameters: readonly Parameter[],
) => Promise<readonly { readonly began?: string }[]>;

const pauseMs = 500;

/**
 * Connections take statements one behind the other, so a process id alone may by now run the statement of another caller. Such
 * a statement began when the abandoned one ended, and this process has not read of that end: it is younger than a round
 * trip takes. Nothing that young is canceled.
 */
const currentSql = `select query_start::text as began from pg_catalog.pg_stat_activity
where pid = $1::int and state = 'active' and pg_catalog.clock_timestamp() - query_start > interval '${pauseMs / 2} ms'`;

/**
 * Cancels the statement that `currentSql` found. The start time identifies it: this query may run late, when the process
 * id already executes the statement of another caller.
 */
const cancelSql = `select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
where pid = $1::int and state = 'active' and query_start = $2::text::timestamptz`;

/**
 * Ends a statement whose caller has left: takes it back while it waits to be sent, cancels it in PostgreSQL once it has run for
 * half a second more. Behind a pooler, which has process ids of its own, a statement that was sent ends by its time limit.
 */
async function cancelStatement(cancellation: Cancellation): Promise<void> {
  const { statement, isSettled, query } = cancellation;
  if (statement.state == null) {
    void statement.cancel();
    return;
  }
  while (query !== null && !isSettled()) {
    const wasCurrent = statement.active === true;
    await sleep(pauseMs, undefined, { ref: false });
    // An answer that has arrived is read before the next turn.
    await turn();
    const pid = pidOf(statement);
    if (isSettled() || pid === undefined) return;
    if (!wasCurrent) continue;
    const [found] = await query(currentSql, [String(pid)]).catch(() => []);
    await turn();
    if (isSettled() || found?.began === undefined) continue;
    await query(cancelSql, [String(pid), found.began]).catch(() => undefined);
  }
}

function pidOf({ state }: DriverStatement): number | undefined {
  return typeof state === "object" &&
    state !== null &&
    "pid" in state &&
    typeof state.pid === "number"
    ? state.pid
    : undefined;
}

/**
 * The rows of a statement, unless its caller leaves before they are here.
 *
 * @param side a session that the pool does not hold up; null behind a pooler
 * @throws what the statement throws, and once the signal has aborted the reason or the cancellation
 */
export async function untilAborted<Rows>(
  statement: PromiseLike<Rows>,
  signal: AbortSignal | undefined,
  side: postgres.Sql | null,
): Promise<Rows> {
  if (signal === undefined) return statement;
  signal.throwIfAborted();
  let isSettled = false;
  const onAbort = (): void => {
    void cancelStatement({
      // The driver's types hide the state that its statements have.
      statement: statement as unknown as DriverStatement,
      isSettled: () => isSettled,
      query: side === null ? null : (text, parameters) => runStatement(side, text, parameters),
    });
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await statement;
  } finally {
    isSettled = true;
    signal.removeEventListener("abort", onAbort);
  }
}
