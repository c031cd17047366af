import {
  callKeys,
  type KeyedRequest,
  type Queryable,
  releaseExpiredKey,
  requireRepetition,
} from "@rowhouse/db";
import { insertRunsSql } from "../model/new-run.ts";
import {
  type AcceptedRun,
  acceptedColumns,
  acceptedSql,
  acceptedValues,
} from "../run/accept-run.ts";

const publicCaller = "";

/**
 * Writes a run and its key in one statement, unless the key has a run. Of two concurrent calls with one key, the
 * second waits for the first.
 *
 * @returns the run of the key, new or not; undefined if the workflow is disabled or has published another version
 * @throws AppError IDEMPOTENCY_CONFLICT if the key was used for a different call
 */
export async function acceptOnce(
  database: Queryable,
  call: KeyedRequest,
  run: AcceptedRun,
): Promise<{ readonly id: string; readonly isNew: boolean } | undefined> {
  const owner = [run.workflowId, run.callerUserId ?? publicCaller, call.key];
  await releaseExpiredKey(database, callKeys, owner);
  const [accepted] = await database.query<{ id: string }>(
    acceptOnceSql,
    [...acceptedValues(run), call.key, call.fingerprint],
    { prepare: true },
  );
  if (accepted !== undefined) return { id: accepted.id, isNew: true };
  const [first] = await database.query<{ run_id: string; fingerprint: string }>(
    `select c.run_id, c.fingerprint from system.webhook_calls c join system.workflows w on w.id = c.workflow_id
     where c.workflow_id = $1::text::uuid and c.caller = $2::text and c.key = $3::text and w.enabled`,
    owner,
    { prepare: true },
  );
  if (first === undefined) return undefined;
  requireRepetition(first.fingerprint, call);
  return { id: first.run_id, isNew: false };
}

const acceptOnceSql = `
with a as (select a.* ${acceptedSql(1, { key: "text", fingerprint: "text" })}),
call as (
  insert into system.webhook_calls (workflow_id, caller, key, fingerprint, run_id)
  select a.workflow_id, coalesce(a.caller_user_id::text, '${publicCaller}'), a.key, a.fingerprint, a.id from a
  on conflict do nothing returning run_id)
${insertRunsSql(acceptedColumns, "from a join call on call.run_id = a.id")}
returning id`;
