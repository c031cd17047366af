import type { Queryable } from "@rowhouse/db";

/** The changes of rows that no worker has taken yet. */
export interface PendingEvents {
  readonly count: number;
  /** Age of the oldest one, in seconds; 0 without any. */
  readonly oldestSeconds: number;
}

/** Counts pending changes, by the database's clock. */
export async function countPendingEvents(database: Queryable): Promise<PendingEvents> {
  const [row] = await database.query<{ count: number; oldestSeconds: number }>(
    `select pg_catalog.count(*)::integer as count,
       coalesce(extract(epoch from clock_timestamp() - pg_catalog.min(occurred_at)), 0)::double precision as "oldestSeconds"
     from system.workflow_events`,
    [],
    { prepare: true },
  );
  if (row === undefined) throw new Error("counting gave no row");
  return row;
}
