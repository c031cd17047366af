import { arrayLiteral, type Queryable } from "@rowhouse/db";
import { inOrder } from "./run-batch.ts";

export interface Holding {
  readonly runId: string;
  readonly fence: string;
}

/**
 * Renews leases by one statement.
 *
 * @param lease duration from now, in milliseconds
 * @returns the ids of the runs that are still held
 */
export async function keepLeases(
  database: Queryable,
  holdings: readonly Holding[],
  lease: number,
): Promise<Set<string>> {
  const ordered = inOrder(holdings);
  const rows = await database.query<{ id: string }>(
    `update system.workflow_runs r set lease_until = clock_timestamp() + $3::text::interval
     from unnest($1::text::uuid[], $2::text::bigint[]) as h (id, fence)
     where r.id = h.id and r.fence = h.fence and r.status = 'RUNNING'
     returning r.id`,
    [
      arrayLiteral(ordered.map((holding) => holding.runId)),
      arrayLiteral(ordered.map((holding) => holding.fence)),
      `${lease} milliseconds`,
    ],
    { prepare: true },
  );
  return new Set(rows.map((row) => row.id));
}

/** Releases a run, so that any worker may claim it at once. */
export async function releaseRun(database: Queryable, holding: Holding): Promise<void> {
  await database.query(
    `update system.workflow_runs set lease_until = null, lease_owner = null
     where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING'`,
    [holding.runId, holding.fence],
    { prepare: true },
  );
}

/**
 * Releases a run until a moment, or until it is signaled.
 *
 * @param dueInMs from now, in milliseconds
 * @returns whether it is parked; otherwise it was signaled or canceled meanwhile, and any worker may claim it at once
 */
export async function parkRun(
  database: Queryable,
  holding: Holding,
  dueInMs: number,
): Promise<boolean> {
  const [row] = await database.query<{ parked: boolean }>(
    `update system.workflow_runs set lease_until = null, lease_owner = null, claims = 0,
       wake_at = case when signalled or cancel_requested_at is not null then null
         else system.clock() + $3::text::interval end
     where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING'
     returning wake_at is not null as parked`,
    [holding.runId, holding.fence, `${dueInMs} milliseconds`],
    { prepare: true },
  );
  return row?.parked === true;
}

/** A worker's hold on a run that it has claimed. */
export interface Hold {
  /** Aborts when another worker holds the run. */
  readonly lost: AbortSignal;
  /** Whether this worker stops: the run is handed back after the steps in progress. */
  readonly isStopping: () => boolean;
  /** Aborts when this worker stops and waits no longer for the steps in progress. */
  readonly handBack: AbortSignal;
  /** Call it when the run begins or records something. */
  readonly moved: () => void;
  /**
   * Whether the lease may have expired since a moment: this process was frozen, or could not reach the database.
   *
   * @param since on the clock of `performance`
   */
  readonly isLate: (since: number) => boolean;
}
