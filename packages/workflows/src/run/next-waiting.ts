import type { Queryable } from "@rowhouse/db";

/** A run that waits for a slot of its workflow, and its fencing number. */
export interface WaitingRun {
  readonly runId: string;
  readonly fence: string;
}

/** Returns the runs that get the free slots of a workflow with a limit, in order of acceptance. */
export async function loadNextWaiting(
  database: Queryable,
  workflowId: string,
): Promise<WaitingRun[]> {
  return database.query<WaitingRun & object>(
    `select run_id as "runId", fence::text as fence from system.next_in_line($1::text::uuid)`,
    [workflowId],
    { prepare: true },
  );
}
