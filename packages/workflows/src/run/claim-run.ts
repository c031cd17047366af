import type { Database } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { Priority } from "../definition/definition.ts";
import type { Claim, JournalRecord } from "./run.ts";
import type { RunError } from "./run-fault.ts";

/** How long a worker holds a run without a sign of life; with the reconciler's pace, a killed worker's run goes on within 20 s. */
export const leaseMs = 10_000;

interface ClaimRow {
  workflow_id: string;
  version_id: string;
  parent_run_id: string | null;
  depth: number;
  age_ms: number;
  accepted_ms: number;
  claims: number;
  execute_as_user_id: string;
  active: boolean;
  input: string;
  fence: string;
  cancelled: boolean;
  reply_channel: string | null;
  priority: Priority;
  limited: boolean;
  trace_parent: string | null;
}

const claimSql = `
update system.workflow_runs r
set status = 'RUNNING', fence = r.fence + 1, lease_owner = $2::text,
    lease_until = clock_timestamp() + $3::text::interval,
    wake_at = null, signalled = false, claims = r.claims + 1,
    started_at = coalesce(r.started_at, clock_timestamp())
from system.users u, system.workflows w
where r.id = $1::text::uuid and u.id = r.execute_as_user_id and w.id = r.workflow_id
  and r.finished_at is null
  and (r.lease_until is null or r.lease_until <= clock_timestamp())
  and (r.wake_at is null or r.signalled or r.wake_at <= system.clock())
  and case when w.concurrency is null then true
           else system.take_place(r.id, r.workflow_id, r.accepted_at, w.concurrency) end
returning r.workflow_id, r.version_id, r.parent_run_id, r.depth, r.claims,
  greatest(0, extract(epoch from clock_timestamp() - r.accepted_at) * 1000)::double precision as accepted_ms,
  greatest(0, extract(epoch from system.clock() - r.started_at) * 1000)::double precision as age_ms, r.execute_as_user_id, u.active, r.input::text as input, r.fence::text as fence,
  r.cancel_requested_at is not null as cancelled, r.reply_channel, r.trace_parent,
  w.priority, w.concurrency is not null as limited`;

/**
 * Takes a run, by the database's clock, unless it has ended, another worker holds it, it is parked for longer, or as many
 * runs of its workflow are in progress as may be. Each claim has a higher fencing number than every one before.
 *
 * @param lease how long to hold it, in milliseconds
 */
export async function claimRun(
  database: Database,
  runId: string,
  owner: string,
  lease: number = leaseMs,
): Promise<Claim | undefined> {
  const [row] = await database.query<ClaimRow>(claimSql, [runId, owner, `${lease} milliseconds`], {
    prepare: true,
  });
  if (row === undefined) return undefined;
  return {
    runId,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    parentRunId: row.parent_run_id,
    depth: row.depth,
    sinceAcceptedMs: row.accepted_ms,
    ageMs: row.age_ms,
    claims: row.claims,
    executeAsUserId: row.execute_as_user_id,
    executeAsActive: row.active,
    input: parseExactJson(row.input),
    fence: row.fence,
    cancelRequested: row.cancelled,
    replyChannel: row.reply_channel,
    priority: row.priority,
    isLimited: row.limited,
    traceParent: row.trace_parent,
    // A statement of its own, after the claim has committed: from then on no earlier holder can add to the journal.
    journal: row.fence === "1" ? new Map() : await loadJournal(database, runId),
  };
}

async function loadJournal(database: Database, runId: string): Promise<Map<string, JournalRecord>> {
  const rows = await database.query<{
    path: string;
    position: number;
    status: JournalRecord["status"];
    output: string | null;
    error: RunError | null;
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
