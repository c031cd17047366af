import type { Queryable } from "@rowhouse/db";

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
}

/**
 * Writes a run, pinned to the version, in one statement and so in one transaction.
 *
 * @returns whether that version was still the published one of an enabled workflow
 */
export async function acceptRun(database: Queryable, run: AcceptedRun): Promise<boolean> {
  const rows = await database.query<{ id: string }>(
    `insert into system.workflow_runs
       (id, workflow_id, version_id, input, caller_user_id, execute_as_user_id, reply_channel, request_id, trace_parent)
     select $1::text::uuid, w.id, w.published_version_id, $4::text::json, $5::text::uuid, $6::text::uuid, $7::text, $8::text, $9::text
     from system.workflows w
     where w.id = $2::text::uuid and w.enabled and w.published_version_id = $3::text::uuid
     returning id`,
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
    ],
    { prepare: true },
  );
  return rows.length === 1;
}
