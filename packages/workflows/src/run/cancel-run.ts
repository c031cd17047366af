import type { Queryable } from "@rowhouse/db";
import type { RunStatus } from "../model/run.ts";
import { isOpenSql } from "./run-batch.ts";

/**
 * Asks a run, and the runs that it waits for, to stop after the step in progress. A run that no worker holds is
 * canceled at once.
 *
 * @returns its status after that; undefined if it has ended or does not exist
 */
export async function requestCancellation(
  database: Queryable,
  runId: string,
): Promise<RunStatus | undefined> {
  const status = await cancelOne(database, runId);
  if (status !== undefined) await cancelWaitedFor(database, runId);
  return status;
}

/**
 * Requests the cancellation of the runs that a run waits for, in separate statements: a run that ends locks its parent
 * after itself.
 */
export async function cancelWaitedFor(database: Queryable, runId: string): Promise<void> {
  const waitedFor = await database.query<{ id: string }>(
    `select r.id from system.workflow_run_steps s join system.workflow_runs r on r.id = s.child_run_id
     where s.run_id = $1::text::uuid and s.status = 'WAITING' and ${isOpenSql}`,
    [runId],
    { prepare: true },
  );
  for (const { id } of waitedFor) await requestCancellation(database, id);
}

export async function cancelOne(
  database: Queryable,
  runId: string,
): Promise<RunStatus | undefined> {
  const [row] = await database.query<{ status: RunStatus }>(
    `with left_queue as (delete from system.workflow_places where run_id = $1::text::uuid and not taken)
     update system.workflow_runs r
     set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
         status = case when lease_until is null then 'CANCELLED' else status end,
         finished_at = case when lease_until is null then clock_timestamp() end
     where id = $1::text::uuid and ${isOpenSql}
     returning status`,
    [runId],
  );
  return row?.status;
}
