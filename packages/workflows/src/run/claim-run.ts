import type { Database } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { Claim, JournalRecord } from "./run.ts";
import type { RunError } from "./run-fault.ts";

/** How long a worker holds a run without a sign of life; with the reconciler's pace, a killed worker's run goes on within 20 s. */
export const leaseMs = 10_000;

interface ClaimRow {
  version_id: string;
  execute_as_user_id: string;
  active: boolean;
  input: string;
  fence: string;
  cancelled: boolean;
  reply_channel: string | null;
}

const claimSql = `
update system.workflow_runs r
set status = 'RUNNING', fence = r.fence + 1, lease_owner = $2::text,
    lease_until = clock_timestamp() + $3::text::interval,
    started_at = coalesce(r.started_at, clock_timestamp())
from system.users u
where r.id = $1::text::uuid and u.id = r.execute_as_user_id
  and r.finished_at is null
  and (r.lease_until is null or r.lease_until <= clock_timestamp())
returning r.version_id, r.execute_as_user_id, u.active, r.input::text as input, r.fence::text as fence,
  r.cancel_requested_at is not null as cancelled, r.reply_channel`;

/**
 * Takes a run, by the database's clock, unless it has ended or another worker holds it. Each claim has a higher fencing
 * number than every one before.
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
    versionId: row.version_id,
    executeAsUserId: row.execute_as_user_id,
    executeAsActive: row.active,
    input: parseExactJson(row.input),
    fence: row.fence,
    cancelRequested: row.cancelled,
    replyChannel: row.reply_channel,
    // A statement of its own, after the claim has committed: from then on no earlier holder can add to the journal.
    journal: row.fence === "1" ? new Map() : await loadJournal(database, runId),
  };
}

async function loadJournal(database: Database, runId: string): Promise<Map<string, JournalRecord>> {
  const rows = await database.query<{
    path: string;
    status: JournalRecord["status"];
    output: string | null;
    error: RunError | null;
  }>(
    `select path, status, output::text as output, error
     from system.workflow_run_steps where run_id = $1::text::uuid`,
    [runId],
    { prepare: true },
  );
  return new Map(
    rows.map((row) => [
      row.path,
      {
        status: row.status,
        output: row.output === null ? null : parseExactJson(row.output),
        error: row.error,
      },
    ]),
  );
}
