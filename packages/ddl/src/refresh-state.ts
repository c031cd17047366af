import type { Queryable } from "@rowhouse/db";

/** The latest refresh of a materialized view. */
export interface ViewRefresh {
  /** `NONE` before the first refresh starts. */
  readonly state: "NONE" | "RUNNING" | "SUCCEEDED" | "FAILED";
  /** Whether other transactions can read the view during the refresh; null before the first refresh. */
  readonly concurrently: boolean | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** When the present rows were computed; covers only refreshes by this service. */
  readonly refreshedAt: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** First key of the advisory locks that refreshes hold; the second is `system.refresh_lock` of the resource. */
export const refreshLockClass = 772_312;

const none: ViewRefresh = {
  ...{ state: "NONE", concurrently: null, startedAt: null, finishedAt: null, refreshedAt: null },
  error: null,
};

/** Returns the state of the latest refresh, whichever process runs it. */
export async function readRefresh(database: Queryable, resourceId: string): Promise<ViewRefresh> {
  let suspect: string | null = null;
  for (;;) {
    // Check the lock first: once it is released, the row that its transaction committed is visible.
    const locked = await isLocked(database, resourceId);
    const [row] = await database.query<{ refresh: ViewRefresh }>(
      `select pg_catalog.json_build_object('state', state, 'concurrently', beside_readers, 'startedAt', started_at,
         'finishedAt', finished_at, 'refreshedAt', refreshed_at,
         'error', case when error_code is not null then
           pg_catalog.json_build_object('code', error_code, 'message', error_message) end) as refresh
       from system.view_refreshes where resource_id = $1::text::uuid`,
      [resourceId],
    );
    if (row === undefined) return none;
    const { refresh } = row;
    if (refresh.state !== "RUNNING" || locked) return refresh;
    if (refresh.startedAt === suspect) {
      const message = "The process that refreshed the view stopped";
      return { ...refresh, state: "FAILED", error: { code: "SERVICE_UNAVAILABLE", message } };
    }
    // Another refresh may have started between the two queries.
    suspect = refresh.startedAt;
  }
}

async function isLocked(database: Queryable, resourceId: string): Promise<boolean> {
  const [lock] = await database.query(
    `select 1 from pg_catalog.pg_locks
     where locktype = 'advisory' and classid = ${refreshLockClass} and objsubid = 2 and granted
       and objid = system.refresh_lock($1::text::uuid)::oid
       and database = (select oid from pg_catalog.pg_database where datname = current_database())`,
    [resourceId],
  );
  return lock !== undefined;
}
