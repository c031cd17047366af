import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type postgres from "#postgres";
import { runStatement } from "./client.ts";
import type { DriverStatement } from "./statement-shares.ts";

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
 *
 * @param isSettled whether the statement has been answered
 * @param side a session that the canceled statement does not hold up; null behind a pooler
 */
async function cancelStatement(
  statement: DriverStatement,
  isSettled: () => boolean,
  side: postgres.Sql | null,
): Promise<void> {
  if (statement.state == null) {
    void statement.cancel();
    return;
  }
  while (side !== null && !isSettled()) {
    const wasCurrent = statement.active === true;
    await sleep(pauseMs, undefined, { ref: false });
    // An answer that has arrived is read before the next turn.
    await turn();
    const pid = pidOf(statement);
    if (isSettled() || pid === undefined) return;
    if (!wasCurrent) continue;
    const [found] = await find(side, pid);
    await turn();
    if (isSettled() || found === undefined) continue;
    await runStatement(side, cancelSql, [String(pid), found.began]).catch(() => undefined);
  }
}

function find(side: postgres.Sql, pid: number): Promise<readonly { readonly began: string }[]> {
  return runStatement<{ began: string }>(side, currentSql, [String(pid)]).catch(() => []);
}

function pidOf({ state }: DriverStatement): number | undefined {
  return typeof state === "object" &&
    state !== null &&
    "pid" in state &&
    typeof state.pid === "number"
    ? state.pid
    : undefined;
}

/** A statement in progress whose caller may leave. */
export interface WatchedStatement {
  readonly statement: DriverStatement;
  readonly isAbandoned: () => boolean;
  /** Whether the statement has been answered. */
  isSettled: boolean;
  /** Whether the statement was in progress at the last check. */
  isSlow: boolean;
}

const periodMs = 250;

/**
 * Ends statements whose callers have left. It asks for a statement only after one whole period: most statements are faster,
 * and an event handler on each request would cost more than the request's own parsing.
 */
export class AbandonedStatements {
  /** Null behind a pooler. */
  readonly #side: postgres.Sql | null;
  readonly #watched = new Set<WatchedStatement>();
  #check: NodeJS.Timeout | undefined;

  /** @param side a session that the statements of the pool do not hold up; null behind a pooler */
  constructor(side: postgres.Sql | null) {
    this.#side = side;
  }

  watch(statement: DriverStatement, isAbandoned: () => boolean): WatchedStatement {
    const watched = { statement, isAbandoned, isSettled: false, isSlow: false };
    this.#watched.add(watched);
    this.#check ??= setInterval(() => this.#cancelAbandoned(), periodMs).unref();
    return watched;
  }

  settle(watched: WatchedStatement): void {
    watched.isSettled = true;
    this.#watched.delete(watched);
  }

  #cancelAbandoned(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#check);
      this.#check = undefined;
    }
    for (const watched of this.#watched) {
      if (watched.isSlow && watched.isAbandoned()) {
        this.#watched.delete(watched);
        void cancelStatement(watched.statement, () => watched.isSettled, this.#side);
      }
      watched.isSlow = true;
    }
  }
}
