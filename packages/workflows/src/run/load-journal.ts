import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import type { RunError, StepError } from "../base/run-fault.ts";
import type { JournalRecord } from "../model/run.ts";

/** Reads the journal of a run, by the paths of its steps. */
export async function loadJournal(
  database: Queryable,
  runId: string,
): Promise<Map<string, JournalRecord>> {
  const rows = await database.query<{
    path: string;
    position: number;
    status: JournalRecord["status"];
    output: string | null;
    error: StepError | null;
    attempt: number;
    due: number | null;
    child: string | null;
    child_status: "SUCCEEDED" | "FAILED" | "CANCELLED" | null;
    child_result: string | null;
    child_error: RunError | null;
  }>(
    `select s.path, s.position, s.status, s.output::text as output, s.error, s.attempt,
       (extract(epoch from s.resume_at - system.clock()) * 1000)::double precision as due,
       s.child_run_id as child, c.status as child_status, c.result::text as child_result, c.error as child_error
     from system.workflow_run_steps s
     left join system.workflow_runs c on s.status = 'WAITING' and c.id = s.child_run_id and c.finished_at is not null
     where s.run_id = $1::text::uuid`,
    [runId],
    { prepare: true },
  );
  return new Map(
    rows.map((row) => [
      row.path,
      {
        status: row.status,
        position: row.position,
        output: row.output === null ? null : parseExactJson(row.output),
        error: row.error,
        attempt: row.attempt,
        dueInMs: row.due,
        childRunId: row.child,
        childEnd:
          row.child_status === null
            ? null
            : {
                status: row.child_status,
                result: row.child_result === null ? null : parseExactJson(row.child_result),
                error: row.child_error,
              },
      },
    ]),
  );
}
