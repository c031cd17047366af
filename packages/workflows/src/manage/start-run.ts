import { randomUUID } from "node:crypto";
import { type AuditActor, appendAuditEntry, type Database, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { toJson } from "../json.ts";
import { checkDefinition } from "./change-workflow.ts";
import { readRun } from "./run-history.ts";
import { requireWorkflow } from "./workflow.ts";

/** What a test hands to the run as `start.data`. */
export interface TestInput {
  readonly query: unknown;
  readonly body: unknown;
  readonly meta: unknown;
}

/**
 * Accepts a run of the draft as it is now, published or not: Run › Test (spec §4.4). It acts as the user that the draft
 * names, or as the administrator.
 *
 * @returns the run's id
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID
 */
export async function testWorkflow(
  database: Database,
  id: string,
  input: TestInput,
  actor: AuditActor,
): Promise<string> {
  return database.transaction(async (transaction) => {
    const workflow = await requireWorkflow(transaction, id);
    const definition = await checkDefinition(transaction, workflow.definition);
    const executeAs = definition.trigger.executeAs ?? actor.userId;
    if (executeAs === null) throw createError("ACTION_DENIED");
    const [version] = await transaction.query<{ id: string }>(
      `insert into system.workflow_versions (workflow_id, number, definition, published_by)
       select id, null, draft, $2::text::uuid from system.workflows where id = $1::text::uuid
       returning id`,
      [id, actor.userId],
    );
    const { query, body, meta } = input;
    const run = randomUUID();
    await transaction.query(
      `insert into system.workflow_runs (id, workflow_id, version_id, input, execute_as_user_id, request_id, origin)
       values ($1::text::uuid, $2::text::uuid, $3::text::uuid, $4::text::json, $5::text::uuid, $6::text, 'TEST')`,
      [run, id, version?.id ?? null, toJson({ query, body, meta }), executeAs, actor.requestId],
    );
    await audit(transaction, actor, "workflow.test", id);
    return run;
  });
}

/**
 * Accepts a run with the version, the input and the user of one that has ended. What was redacted in its input is
 * redacted for the new run too.
 *
 * @returns the new run's id
 * @throws AppError NOT_FOUND, CONFLICT while it has not ended
 */
export async function runAgain(
  database: Database,
  workflowId: string,
  runId: string,
  actor: AuditActor,
): Promise<string> {
  return database.transaction(async (transaction) => {
    const before = await readRun(transaction, workflowId, runId);
    if (before.finishedAt === null) {
      throw createError("CONFLICT", { message: "The run has not ended yet" });
    }
    const run = randomUUID();
    await transaction.query(
      `insert into system.workflow_runs (id, workflow_id, version_id, input, execute_as_user_id, request_id, origin)
       select $1::text::uuid, workflow_id, version_id, input, execute_as_user_id, $3::text, 'AGAIN'
       from system.workflow_runs where id = $2::text::uuid`,
      [run, runId, actor.requestId],
    );
    await audit(transaction, actor, "workflow.run_again", workflowId);
    return run;
  });
}

function audit(
  transaction: Transaction,
  actor: AuditActor,
  action: string,
  id: string,
): Promise<void> {
  return appendAuditEntry(transaction, actor, {
    action,
    targetKind: "workflow",
    targetId: id,
    changedFields: [],
  });
}
