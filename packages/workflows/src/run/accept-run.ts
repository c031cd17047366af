import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { Priority } from "../definition/definition.ts";
import type { Place } from "../queue/hand-off.ts";
import type { Claim } from "./run.ts";

export interface AcceptedRun {
  readonly id: string;
  readonly workflowId: string;
  readonly versionId: string;
  /** JSON, redacted. */
  readonly input: string;
  readonly callerUserId: string | null;
  readonly executeAsUserId: string;
  readonly replyChannel: string | null;
  readonly requestId: string | null;
  /** Where its trace goes on from (W3C `traceparent`). */
  readonly traceParent: string | null;
  readonly priority: Priority;
}

/** How a run was accepted: to be claimed by any worker, or claimed for a place of this process already. */
export type Acceptance =
  | { readonly kind: "QUEUED" }
  | { readonly kind: "HELD"; readonly claim: Claim };

/**
 * Writes a run, pinned to the version, in one statement and so in one transaction.
 *
 * @param place holds the run from the first, unless its workflow limits its runs or its user is not active: what claims such
 * a run decides what becomes of it
 * @returns undefined where that version is no longer the published one of an enabled workflow
 */
export async function acceptRun(
  database: Queryable,
  run: AcceptedRun,
  place: Pick<Place, "owner" | "leaseMs"> | undefined,
): Promise<Acceptance | undefined> {
  const [row] = await database.query<{ held: boolean }>(
    `insert into system.workflow_runs
       (id, workflow_id, version_id, input, caller_user_id, execute_as_user_id, reply_channel, request_id, trace_parent,
        accepted_at, status, fence, claims, lease_owner, lease_until, started_at)
     select $1::text::uuid, w.id, w.published_version_id, $4::text::json, $5::text::uuid, $6::text::uuid, $7::text, $8::text, $9::text,
       h.moment, case when h.held then 'RUNNING' else 'QUEUED' end, h.held::integer, h.held::integer,
       case when h.held then $10::text end, case when h.held then h.moment + $11::text::interval end,
       case when h.held then h.moment end
     from system.workflows w cross join lateral (
       select clock_timestamp() as moment, $10::text is not null and w.concurrency is null
         and coalesce((select u.active from system.users u where u.id = $6::text::uuid), false) as held offset 0) h
     where w.id = $2::text::uuid and w.enabled and w.published_version_id = $3::text::uuid
     returning status = 'RUNNING' as held`,
    [
      run.id,
      run.workflowId,
      run.versionId,
      run.input,
      run.callerUserId,
      run.executeAsUserId,
      run.replyChannel,
      run.requestId,
      run.traceParent,
      place?.owner ?? null,
      place === undefined ? null : `${place.leaseMs} milliseconds`,
    ],
    { prepare: true },
  );
  if (row === undefined) return undefined;
  return row.held ? { kind: "HELD", claim: firstClaim(run) } : { kind: "QUEUED" };
}

/** The claim that a run has begun with. */
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
    executeAsActive: true,
    input: parseExactJson(run.input),
    fence: "1",
    cancelRequested: false,
    replyChannel: run.replyChannel,
    priority: run.priority,
    isLimited: false,
    traceParent: run.traceParent,
    journal: new Map(),
  };
}
