import type { Queryable } from "@rowhouse/db";

/** The runs that have not ended. */
export interface OpenRuns {
  /** Accepted and not started. */
  readonly queued: number;
  readonly running: number;
  /** Parked until a moment, or until another run ends. */
  readonly waiting: number;
  /** Age of the oldest queued run since its acceptance, in seconds; 0 if none is queued. */
  readonly oldestQueuedSeconds: number;
}

/** Counts open runs, by the database's clock. */
export async function countOpenRuns(database: Queryable): Promise<OpenRuns> {
  const [row] = await database.query<{ [Key in keyof OpenRuns]: number }>(
    `select count(*) filter (where status = 'QUEUED')::integer as queued,
       count(*) filter (where status = 'RUNNING' and wake_at is null)::integer as running,
       count(*) filter (where wake_at is not null)::integer as waiting,
       coalesce(extract(epoch from clock_timestamp() - min(accepted_at) filter (where status = 'QUEUED')), 0)::double precision
         as "oldestQueuedSeconds"
     from system.workflow_runs where finished_at is null`,
    [],
    { prepare: true },
  );
  if (row === undefined) throw new Error("counting gave no row");
  return row;
}
