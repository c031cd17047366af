import { advisoryLocks, type Database, deletePiecewise, type Queryable } from "@rowhouse/db";
import type { Priority } from "../definition/definition.ts";
import type { WakeUp, WakeUpQueue } from "../queue/wake-up-queue.ts";

export interface ReconcileDeps {
  readonly database: Database;
  readonly queue: Pick<WakeUpQueue, "wakeAll">;
  /** Ends a run that is over its time limit and that no worker holds, without waiting for a free slot. */
  readonly endOverdue: (runId: string, priority: Priority) => Promise<void>;
}

type WakeDeps = Pick<ReconcileDeps, "database" | "queue">;

/** The limit of wake-ups of one priority in one turn. */
const wakeUpsMax = 20_000;
const priorities: readonly Priority[] = ["HIGH", "NORMAL", "LOW"];

/** Time beyond its limit after which a run is taken from its worker, which ends it within seconds, in seconds. */
const overdueSeconds = 15;

/**
 * Ends runs that are over their time limit although a worker holds them: whatever it waits for, it does not end. The new
 * fencing number makes the worker lose the run, this process's own worker included.
 *
 * @returns the number of runs
 */
export async function endOverdueRuns(
  { database, endOverdue }: Pick<ReconcileDeps, "database" | "endOverdue">,
  graceSeconds = overdueSeconds,
): Promise<number> {
  const rows = await database.query<{ id: string; priority: Priority }>(
    `update system.workflow_runs r set fence = r.fence + 1, lease_until = null, lease_owner = null
     from system.workflow_versions v, system.workflows w
     where r.finished_at is null and r.lease_until is not null
       and v.id = r.version_id and w.id = r.workflow_id
       and r.started_at + make_interval(secs => (v.definition ->> 'timeLimitSeconds'::text)::double precision + $1::text::double precision)
         < system.clock()
     returning r.id, w.priority`,
    [String(graceSeconds)],
  );
  for (const { id, priority } of rows) await endOverdue(id, priority);
  return rows.length;
}

/**
 * Wakes workers for runs that nothing else wakes: runs whose wake-up was lost, runs whose worker is gone, and parked
 * runs that are due. A lock lets one process at a time do so.
 *
 * @returns the number of wake-ups sent; undefined if another process holds the lock
 *
 * @param graceMs how long an accepted run may wait for its own wake-up, in milliseconds
 */
export async function reconcileRuns(deps: WakeDeps, graceMs = 2000): Promise<number | undefined> {
  const woken = await wakeOverdue(deps, graceMs);
  return woken === undefined ? undefined : woken + (await wakeWaiting(deps));
}

async function wakeOverdue(deps: WakeDeps, graceMs: number): Promise<number | undefined> {
  return deps.database.transaction(async (transaction) => {
    const [lock] = await transaction.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${advisoryLocks.reconciler}) as taken`,
    );
    if (lock?.taken !== true) return undefined;
    await transaction.query(
      `delete from system.workflow_places p using system.workflow_runs r, system.workflows w
       where r.id = p.run_id and w.id = p.workflow_id and not p.taken
         and (r.finished_at is not null or w.concurrency is null)`,
    );
    const inUse = await transaction.query<{ priority: Priority }>(
      "select distinct priority from system.workflows",
    );
    let count = 0;
    for (const priority of priorities.filter((one) => inUse.some((row) => row.priority === one))) {
      count += await wakePriority(deps, transaction, priority, graceMs);
    }
    return count;
  });
}

/** @returns the number of wake-ups */
async function wakePriority(
  { queue }: WakeDeps,
  transaction: Queryable,
  priority: Priority,
  graceMs: number,
): Promise<number> {
  // Runs that wait for a slot of their workflow are excluded: they can outnumber the slots for a long time.
  const rows = await transaction.query<{ id: string; fence: string }>(
    `select r.id, r.fence::text as fence
     from system.workflow_runs r join system.workflows w on w.id = r.workflow_id
     where r.finished_at is null and w.priority = $2::text
       and case when r.status = 'QUEUED' then r.accepted_at <= clock_timestamp() - $1::text::interval
                else (r.lease_until is null or r.lease_until <= clock_timestamp())
                  and (r.wake_at is null or r.signalled or r.wake_at <= system.clock()) end
       and not exists (select from system.workflow_places p where p.run_id = r.id and not p.taken)
     order by r.accepted_at limit ${wakeUpsMax}`,
    [`${graceMs} milliseconds`, priority],
  );
  await queue.wakeAll(rows.map(({ id, fence }): WakeUp => ({ runId: id, fence, priority })));
  return rows.length;
}

/**
 * Wakes the first waiting runs of every workflow with a free slot: the worker that should have woken them may have
 * been killed. Outside the transaction above, because a claim of such a workflow waits for this statement.
 */
async function wakeWaiting({ database, queue }: WakeDeps): Promise<number> {
  const rows = await database.query<{ id: string; fence: string; priority: Priority }>(
    `select n.run_id as id, n.fence::text as fence, w.priority
     from system.workflows w cross join lateral system.next_in_line(w.id) n
     where exists (select from system.workflow_places p where p.workflow_id = w.id and not p.taken)`,
  );
  await queue.wakeAll(
    rows.map(({ id, fence, priority }) => ({ runId: id, fence: `${fence}-line`, priority })),
  );
  return rows.length;
}

/**
 * Deletes finished runs past their retention and the names of deleted users that only they mention, and
 * expired counters of the rate limit.
 */
export async function purgeHistory(database: Database, retentionDays: number): Promise<number> {
  await database.query(
    "delete from system.rate_limits where expire < (extract(epoch from clock_timestamp()) * 1000)::bigint - 3600000",
  );
  // Of people who are administrators no longer, and of an installation without a public URL.
  await database.query(
    "delete from system.workflow_failures where failed_at < system.clock() - interval '2 days'",
  );
  await database.query(
    `delete from system.workflow_versions v where v.number is null and v.published_at < clock_timestamp() - $1::text::interval
       and not exists (select 1 from system.workflow_runs r where r.version_id = v.id)`,
    [`${retentionDays} days`],
  );
  const count = await deletePiecewise(database, {
    table: "system.workflow_runs",
    key: "id",
    where: `accepted_at < clock_timestamp() - $1::text::interval
      and finished_at < clock_timestamp() - $1::text::interval`,
    parameters: [`${retentionDays} days`],
  });
  // Names of deleted users that no remaining run mentions.
  await database.query(
    `delete from system.former_users f
     where not exists (select from system.workflow_runs r where r.execute_as_user_id = f.id)
       and not exists (select from system.workflow_runs r where r.caller_user_id = f.id)`,
  );
  return count;
}
