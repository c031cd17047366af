import type { Queryable } from "@rowhouse/db";
import type { RunStatus } from "./run.ts";

/**
 * Asks a run to stop after the step in progress; one that nobody has begun is cancelled at once.
 *
 * @returns its status after that, or undefined where it has ended or does not exist
 */
export async function requestCancellation(
  database: Queryable,
  runId: string,
): Promise<RunStatus | undefined> {
  const [row] = await database.query<{ status: RunStatus }>(
    `update system.workflow_runs
     set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
         status = case status when 'QUEUED' then 'CANCELLED' else status end,
         finished_at = case status when 'QUEUED' then clock_timestamp() end
     where id = $1::text::uuid and finished_at is null
     returning status`,
    [runId],
    { prepare: true },
  );
  return row?.status;
}
