import type { Queryable } from "@rowhouse/db";

/** A run that waits for a place of its workflow, and its fencing number. */
export interface WaitingRun {
  readonly runId: string;
  readonly fence: string;
}

/** The runs that the free places of a workflow with a limit are for, the longest accepted first. */
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
