import type { Queryable } from "@rowhouse/db";
import type { Backend } from "./runs-under-way.ts";

/** Why a run was ended to protect others. */
export type LockFault = "BLOCKS" | "TOO_MANY";

const everyMs = 1000;
/**
 * How long others may wait for a lock of a run. A request waits at most for its statement timeout, 10 s by default.
 */
export const blockedMsMax = 3000;

/**
 * Checks every second the locks that a run holds. A run may take table locks and advisory locks, also in functions and
 * blocks. But it must neither block the requests of others nor fill the server's lock table.
 *
 * @param onFault called at most once
 * @returns a function that stops the guard
 */
export function guardLocks(
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
  ((select count(*) from locks l where l.pid = $1::text::integer) >
    current_setting('max_locks_per_transaction')::integer
      * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer) / 4)::text as too_many`;
