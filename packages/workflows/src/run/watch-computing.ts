import type { Queryable } from "@rowhouse/db";
import type { Mutex } from "@rowhouse/limits";
import { LeaseLost } from "../model/run.ts";
import type { Holding } from "./keep-lease.ts";

/**
 * Computes the next steps of a run, and marks the run in the database as computing meanwhile. If the process freezes
 * or exits, the next claim finds the mark on this run and on no other run of the process.
 *
 * @param mutex one for each process, so that only one run at a time has the mark
 * @throws LeaseLost, and AppError SERVICE_UNAVAILABLE
 */
export async function watchComputing(
  database: Queryable,
  mutex: Mutex,
  holding: Holding,
  compute: () => Promise<void>,
): Promise<void> {
  const release = await mutex.acquire();
  try {
    await markComputing(database, holding, true);
    try {
      await compute();
    } finally {
      await markComputing(database, holding, false);
    }
  } finally {
    release();
  }
}

async function markComputing(
  database: Queryable,
  { runId, fence }: Holding,
  computing: boolean,
): Promise<void> {
  const rows = await database.query(
    `update system.workflow_runs set computing = $3::text::boolean
     where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING' returning id`,
    [runId, fence, String(computing)],
    { prepare: true },
  );
  if (rows.length === 0) throw new LeaseLost("Another worker holds the run");
}
