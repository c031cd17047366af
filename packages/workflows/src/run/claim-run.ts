import { createBatch, type Database, sqlForEach, valuesSql } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import type { Priority } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import { type RunToken, toRunToken } from "../model/run-token.ts";
import { readTestOptions } from "../model/test-options.ts";
import { loadJournal } from "./load-journal.ts";
import { foundSql, isOpenSql } from "./run-batch.ts";

/**
 * The duration of a lease in milliseconds. With the interval of the reconciler, the run of a killed worker continues
 * within 20 s.
 */
export const leaseMs = 10_000;

interface ClaimRow {
  id: string;
  workflow_id: string;
  version_id: string;
  parent_run_id: string | null;
  depth: number;
  age_ms: number;
  accepted_ms: number;
  claims: number;
  execute_as_user_id: string;
  /** Null if the user was deleted. */
  active: boolean | null;
  lost_leases: number;
  token_id: string | null;
  token_plane: RunToken["plane"] | null;
  input: string;
  fence: string;
  cancelled: boolean;
  reply_channel: string | null;
  priority: Priority;
  limited: boolean;
  trace_parent: string | null;
  test: boolean;
  trial: string | null;
}

/** `$1` is the lease owner, `$2` the duration. */
const takeSql = `
set status = 'RUNNING', fence = r.fence + 1, lease_owner = $1::text,
    lease_until = clock_timestamp() + $2::text::interval,
    lost_leases = case when r.lease_until is null then 0
                       when r.lost_leases = 0 then 1
                       else r.lost_leases + r.computing::integer end,
    computing = false,
    wake_at = null, signalled = false, claims = r.claims + 1,
    started_at = coalesce(r.started_at, clock_timestamp())`;

const isFreeSql = `
  w.id = r.workflow_id
  and ${isOpenSql}
  and (r.lease_until is null or r.lease_until <= clock_timestamp())
  and (r.wake_at is null or r.signalled or r.wake_at <= system.clock())`;

const takenSql = `r.id, r.workflow_id, r.version_id, r.parent_run_id, r.depth, r.claims,
  greatest(0, extract(epoch from clock_timestamp() - r.accepted_at) * 1000)::double precision as accepted_ms,
  greatest(0, extract(epoch from system.clock() - r.started_at) * 1000)::double precision as age_ms, r.execute_as_user_id, r.lost_leases, r.token_id, r.token_plane,
  (select u.active from system.users u where u.id = r.execute_as_user_id) as active, r.input::text as input, r.fence::text as fence,
  r.cancel_requested_at is not null as cancelled, r.reply_channel, r.trace_parent, r.origin = 'TEST' as test,
  r.trial::text as trial,
  w.priority, w.concurrency is not null as limited`;

const claimSql = `
update system.workflow_runs r ${takeSql}
from system.workflows w
where r.id = $3::text::uuid and ${isFreeSql}
  and case when w.concurrency is null then true
           else system.take_place(r.id, r.workflow_id, r.accepted_at, w.concurrency) end
returning ${takenSql}`;

// Runs of a workflow with a limit take its slots one at a time, in a statement of their own.
const claimSeveralSql = sqlForEach(
  (count) => `
update system.workflow_runs r ${takeSql}
from (${valuesSql(["uuid"], count, 3)}) as k (id)
  ${foundSql("k")},
  system.workflows w
where r.ctid = found.tid and w.concurrency is null and ${isFreeSql}
returning ${takenSql}`,
);

/** Claims a run for a worker. Requests that arrive in the same tick share one statement. */
export type ClaimRun = (runId: string) => Promise<Claim | undefined>;

/** @param lease duration in milliseconds */
export function createClaimRun(database: Database, owner: string, lease: number): ClaimRun {
  const alone = (runId: string) => claimRun(database, runId, owner, lease);
  return createBatch({
    alone,
    together: async (runIds) => {
      const rows = await database.query<ClaimRow>(
        claimSeveralSql(runIds.length),
        [owner, `${lease} milliseconds`, ...runIds.toSorted()],
        { prepare: true },
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return runIds.map((runId) => {
        const row = byId.get(runId);
        byId.delete(runId);
        return row === undefined ? alone(runId) : toClaim(database, row);
      });
    },
  });
}

/**
 * Claims a run, by the database's clock. Returns undefined if it has ended, another worker holds it, it is parked
 * until later, or its workflow is at its limit. Each claim has a higher fencing number than all before.
 *
 * @param lease duration in milliseconds
 */
export async function claimRun(
  database: Database,
  runId: string,
  owner: string,
  lease: number = leaseMs,
): Promise<Claim | undefined> {
  const [row] = await database.query<ClaimRow>(claimSql, [owner, `${lease} milliseconds`, runId], {
    prepare: true,
  });
  return row === undefined ? undefined : toClaim(database, row);
}

async function toClaim(database: Database, row: ClaimRow): Promise<Claim> {
  return {
    runId: row.id,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    parentRunId: row.parent_run_id,
    depth: row.depth,
    sinceAcceptedMs: row.accepted_ms,
    ageMs: row.age_ms,
    claims: row.claims,
    executeAsUserId: row.execute_as_user_id,
    token: toRunToken(row.token_id, row.token_plane),
    executeAs: row.active === null ? "GONE" : row.active ? "ACTIVE" : "INACTIVE",
    lostLeases: row.lost_leases,
    input: parseExactJson(row.input),
    fence: row.fence,
    cancelRequested: row.cancelled,
    replyChannel: row.reply_channel,
    priority: row.priority,
    isLimited: row.limited,
    traceParent: row.trace_parent,
    isTest: row.test,
    testOptions: readTestOptions(row.trial),
    // A separate statement after the claim has committed: no earlier holder can add to the journal from then on.
    journal: row.fence === "1" ? new Map() : await loadJournal(database, row.id),
  };
}
