import { createBatch, type Queryable, sqlForEach, valuesSql } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { Priority } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import type { RunToken } from "../model/run-token.ts";
import type { ReservedSlot } from "../queue/hand-off.ts";

export interface AcceptedRun {
  readonly id: string;
  readonly workflowId: string;
  readonly versionId: string;
  /** JSON, redacted. */
  readonly input: string;
  readonly callerUserId: string | null;
  readonly executeAsUserId: string;
  /** The caller's token. */
  readonly token: RunToken | null;
  readonly replyChannel: string | null;
  readonly requestId: string | null;
  /** The parent of the run's trace (W3C `traceparent`). */
  readonly traceParent: string | null;
  readonly priority: Priority;
}

/** How a run was accepted: queued for any worker, or already claimed for a slot of this process. */
export type Acceptance =
  | { readonly kind: "QUEUED" }
  | { readonly kind: "HELD"; readonly claim: Claim };

/** A run to accept, and the slot reserved for it, if any. */
export interface AcceptanceRequest {
  readonly run: AcceptedRun;
  /**
   * Claims the run on acceptance, unless its workflow limits its runs or its user is not active; a normal claim
   * handles those cases.
   */
  readonly slot?: Pick<ReservedSlot, "owner" | "leaseMs"> | undefined;
}

/** Accepts runs. Requests that arrive in the same tick share one statement. */
export type AcceptRun = (request: AcceptanceRequest) => ReturnType<typeof acceptRun>;

export function createAcceptRun(database: Queryable): AcceptRun {
  return createBatch({
    alone: (request) => acceptRun(database, request),
    together: (requests) => acceptRuns(database, requests),
  });
}

/**
 * Writes a run, pinned to the version, in one statement and thus in one transaction.
 *
 * @returns undefined if the workflow is disabled or has published another version
 */
export async function acceptRun(
  database: Queryable,
  request: AcceptanceRequest,
): Promise<Acceptance | undefined> {
  const [acceptance] = await acceptRuns(database, [request]);
  return acceptance;
}

async function acceptRuns(
  database: Queryable,
  requests: readonly AcceptanceRequest[],
): Promise<(Acceptance | undefined)[]> {
  const rows = await database.query<{ id: string; held: boolean }>(
    acceptSql(requests.length),
    requests.flatMap(({ run, slot }) => [
      run.id,
      run.workflowId,
      run.versionId,
      run.input,
      run.callerUserId,
      run.executeAsUserId,
      run.replyChannel,
      run.requestId,
      run.traceParent,
      run.token?.id ?? null,
      run.token?.plane ?? null,
      slot?.owner ?? null,
      slot === undefined ? null : `${slot.leaseMs} milliseconds`,
    ]),
    { prepare: true },
  );
  const held = new Map(rows.map((row) => [row.id, row.held]));
  return requests.map(({ run }) => {
    const isHeld = held.get(run.id);
    if (isHeld === undefined) return undefined;
    return isHeld ? { kind: "HELD", claim: firstClaim(run) } : { kind: "QUEUED" };
  });
}

const acceptedTypes = [
  ...["uuid", "uuid", "uuid", "json", "uuid", "uuid"],
  ...["text", "text", "text", "uuid", "text", "text", "interval"],
];

const acceptSql = sqlForEach(
  (count) => `
insert into system.workflow_runs
  (id, workflow_id, version_id, input, caller_user_id, execute_as_user_id, reply_channel, request_id, trace_parent,
   token_id, token_plane, accepted_at, status, fence, claims, lease_owner, lease_until, started_at)
select a.id, w.id, w.published_version_id, a.input, a.caller, a.executor, a.reply, a.request, a.trace,
  a.token, a.plane, h.moment, case when h.held then 'RUNNING' else 'QUEUED' end, h.held::integer, h.held::integer,
  case when h.held then a.owner end, case when h.held then h.moment + a.lease end, case when h.held then h.moment end
from (${valuesSql(acceptedTypes, count)})
  as a (id, workflow, version, input, caller, executor, reply, request, trace, token, plane, owner, lease)
join system.workflows w on w.id = a.workflow and w.enabled and w.published_version_id = a.version
cross join lateral (
  select clock_timestamp() as moment, a.owner is not null and w.concurrency is null
    -- Locks the user: a concurrent deletion waits for this run and then ends it.
    and coalesce((select u.active from system.users u where u.id = a.executor for key share), false) as held offset 0) h
returning id, status = 'RUNNING' as held`,
);

/** Returns the claim of a run that was claimed on acceptance. */
function firstClaim(run: AcceptedRun): Claim {
  return {
    runId: run.id,
    workflowId: run.workflowId,
    versionId: run.versionId,
    parentRunId: null,
    depth: 0,
    sinceAcceptedMs: 0,
    ageMs: 0,
    claims: 1,
    executeAsUserId: run.executeAsUserId,
    token: run.token,
    executeAs: "ACTIVE",
    lostLeases: 0,
    input: parseExactJson(run.input),
    fence: "1",
    cancelRequested: false,
    replyChannel: run.replyChannel,
    priority: run.priority,
    isLimited: false,
    traceParent: run.traceParent,
    isTest: false,
    testOptions: null,
    journal: new Map(),
  };
}
