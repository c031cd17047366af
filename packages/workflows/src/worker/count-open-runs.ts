import type { Queryable } from "@rowhouse/db";

export interface OpenRuns {
  /** Accepted and not started: they wait for a worker. */
  readonly queued: number;
  /** Accepted and not started, because their workflow is at its limit of runs in progress. A worker would not help. */
  readonly limited: number;
  readonly running: number;
  /** Parked until a moment, or until another run ends. */
  readonly waiting: number;
  /** Age of the oldest queued run since its acceptance, in seconds; 0 if none is queued. */
  readonly oldestQueuedSeconds: number;
}

// The oldest runs of a workflow get its free places.
const openRunsSql = `
with limits as materialized (
  select id, system.free_places(id, concurrency) as free from system.workflows where concurrency is not null
), open as (
  select r.accepted_at, r.wake_at,
    case when r.status <> 'QUEUED' then r.status
         when row_number() over (partition by r.workflow_id, r.status order by r.accepted_at, r.id) > l.free
         then 'LIMITED' else 'QUEUED' end as state
  from system.workflow_runs r left join limits l on l.id = r.workflow_id
  where r.finished_at is null
)
select pg_catalog.count(*) filter (where state = 'QUEUED')::integer as queued,
  pg_catalog.count(*) filter (where state = 'LIMITED')::integer as limited,
  pg_catalog.count(*) filter (where state = 'RUNNING' and wake_at is null)::integer as running,
  pg_catalog.count(*) filter (where wake_at is not null)::integer as waiting,
  coalesce(extract(epoch from clock_timestamp() - pg_catalog.min(accepted_at) filter (where state = 'QUEUED')), 0)::double precision
    as "oldestQueuedSeconds"
from open`;

/** Counts open runs, by the database's clock. */
export async function countOpenRuns(database: Queryable): Promise<OpenRuns> {
  const [row] = await database.query<{ [Key in keyof OpenRuns]: number }>(openRunsSql, [], {
    prepare: true,
  });
  if (row === undefined) throw new Error("counting gave no row");
  return row;
}
