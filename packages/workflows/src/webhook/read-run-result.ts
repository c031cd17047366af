import type { Database } from "@rowhouse/db";
import { arrayLiteral } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { renderEndedRun } from "./accept-webhook.ts";
import type { WebhookCaller } from "./webhook-call.ts";

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns the result of a run that the caller started, until 24 hours after its end, while the caller has the invoke
 * grant.
 *
 * @returns the response body as JSON text
 * @throws AppError WORKFLOW_RUN_NOT_FOUND in every other case
 */
export async function readRunResult(
  database: Pick<Database, "query">,
  runId: string,
  caller: WebhookCaller,
): Promise<string> {
  if (!uuidForm.test(runId)) throw createError("WORKFLOW_RUN_NOT_FOUND");
  const [run] = await database.query<{
    id: string;
    status: string;
    result: string | null;
    error: string | null;
  }>(
    `select r.id, r.status, r.result::text as result, r.error::text as error
     from system.workflow_runs r
     where r.id = $1::text::uuid and r.caller_user_id = $2::text::uuid
       and (r.finished_at is null or r.finished_at > clock_timestamp() - interval '24 hours')
       and exists (
         select 1 from system.workflow_invoke_grants g
         where g.workflow_id = r.workflow_id and g.role_id = any ($3::text::uuid[]))`,
    [runId, caller.userId, arrayLiteral(caller.roleIds)],
    { prepare: true },
  );
  if (run === undefined) throw createError("WORKFLOW_RUN_NOT_FOUND");
  return renderEndedRun(run);
}
