import type { Database } from "@rowhouse/db";
import type { WakeUp, WakeUpQueue } from "../queue/wake-up-queue.ts";

export interface ReconcileDeps {
  readonly database: Database;
  readonly queue: Pick<WakeUpQueue, "wakeAll">;
}

// Any constant will do, as long as every worker of every version uses the same.
const leaderLock = "7723118203";
const pageSize = 1000;
const pagesMax = 20;

/**
 * Wakes workers for what waits although nothing will wake it: runs whose wake-up was lost, runs whose worker is gone,
 * and runs whose moment has come. One process at a time does so; the others find the lock taken.
 *
 * @returns how many wake-ups were sent, or undefined where another process was at it
 *
 * @param graceMs how long an accepted run may wait for its own wake-up before it is woken again
 */
export async function reconcileRuns(
  deps: ReconcileDeps,
  graceMs = 2000,
): Promise<number | undefined> {
  return deps.database.transaction(async (transaction) => {
    const [lock] = await transaction.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${leaderLock}) as taken`,
    );
    if (lock?.taken !== true) return undefined;
    let count = 0;
    let after = "-infinity";
    for (let page = 0; page < pagesMax; page += 1) {
      const rows = await transaction.query<{ id: string; fence: string; accepted: string }>(
        `select id, fence::text as fence, accepted_at::text as accepted
         from system.workflow_runs
         where finished_at is null and accepted_at > $1::text::timestamptz
           and case when status = 'QUEUED' then accepted_at <= clock_timestamp() - $2::text::interval
                    else (lease_until is null or lease_until <= clock_timestamp())
                      and (wake_at is null or signalled or wake_at <= system.clock()) end
         order by accepted_at limit ${pageSize}`,
        [after, `${graceMs} milliseconds`],
        { prepare: true },
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      const wakeUps: WakeUp[] = rows.map((row) => ({ runId: row.id, fence: row.fence }));
      await deps.queue.wakeAll(wakeUps);
      count += rows.length;
      if (rows.length < pageSize) break;
      after = last.accepted;
    }
    return count;
  });
}

/** Removes finished runs past their retention, and rate-limit counters that count no longer. */
export async function purgeHistory(database: Database, retentionDays: number): Promise<number> {
  await database.query(
    "delete from system.rate_limits where expire < (extract(epoch from clock_timestamp()) * 1000)::bigint - 3600000",
  );
  await database.query(
    `delete from system.workflow_versions v where v.number is null and v.published_at < clock_timestamp() - $1::text::interval
       and not exists (select 1 from system.workflow_runs r where r.version_id = v.id)`,
    [`${retentionDays} days`],
  );
  let count = 0;
  for (;;) {
    const rows = await database.query<{ id: string }>(
      `delete from system.workflow_runs where id in (
         select id from system.workflow_runs
         where accepted_at < clock_timestamp() - $1::text::interval
           and finished_at < clock_timestamp() - $1::text::interval
         limit ${pageSize})
       returning id`,
      [`${retentionDays} days`],
    );
    count += rows.length;
    if (rows.length < pageSize) return count;
  }
}
