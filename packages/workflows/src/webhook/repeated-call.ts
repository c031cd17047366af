import { createHash } from "node:crypto";
import { deletePiecewise, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { insertRunsSql } from "../model/new-run.ts";
import {
  type AcceptedRun,
  acceptedColumns,
  acceptedSql,
  acceptedValues,
} from "../run/accept-run.ts";

export interface KeyedCall {
  readonly key: string;
  readonly fingerprint: string;
}

/** How long a key is stored. */
const lifetime = "24 hours";
/** Expired keys that each call deletes; a call adds one. */
const purgedAtOnce = 5;
const publicCaller = "";

/** Returns a digest that distinguishes calls with the same key. */
export function fingerprintOf(method: string, search: string, body: Uint8Array): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([method, search]))
    .update(body);
  return hash.digest("hex");
}

/**
 * Writes a run and its key in one statement, unless the key has a run. Of two concurrent calls with one key, the
 * second waits for the first.
 *
 * @returns the run of the key, new or not; undefined if the workflow is disabled or has published another version
 * @throws AppError IDEMPOTENCY_CONFLICT if the key was used for a different call
 */
export async function acceptOnce(
  database: Queryable,
  call: KeyedCall,
  run: AcceptedRun,
): Promise<{ readonly id: string; readonly isNew: boolean } | undefined> {
  const owner = [run.workflowId, run.callerUserId ?? publicCaller, call.key];
  await forgetOld(database, owner);
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
  if (first.fingerprint !== call.fingerprint) throw createError("IDEMPOTENCY_CONFLICT");
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

async function forgetOld(database: Queryable, owner: readonly string[]): Promise<void> {
  await database.query(
    `delete from system.webhook_calls where (workflow_id, caller, key) in (
       select workflow_id, caller, key from system.webhook_calls
       where created_at < system.clock() - interval '${lifetime}'
       order by created_at limit ${purgedAtOnce} for update skip locked)
     or (workflow_id = $1::text::uuid and caller = $2::text and key = $3::text
         and created_at < system.clock() - interval '${lifetime}')`,
    owner,
  );
}

/** Deletes all expired keys. */
export async function forgetCalls(database: Queryable): Promise<void> {
  await deletePiecewise(database, {
    table: "system.webhook_calls",
    key: "workflow_id, caller, key",
    where: `created_at < system.clock() - interval '${lifetime}'`,
  });
}
