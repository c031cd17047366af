import { randomUUID } from "node:crypto";
import {
  type AuditActor,
  type Database,
  requireFound,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError, createFault, escapePointer, throwFaults } from "@rowhouse/errors";
import { sql } from "drizzle-orm";
import { walkSteps } from "../compile/parse-definition.ts";
import { testedDefinition } from "../compile/stored-definition.ts";
import type { Definition, Priority } from "../definition/definition.ts";
import { triggerSchema } from "../definition/trigger.ts";
import { lockDraft, type PublishDeps } from "../manage/publish-workflow.ts";
import { triggerInput } from "../manage/trigger-input.ts";
import { auditWorkflow, requireWorkflow } from "../manage/workflow.ts";
import { insertRunsSql } from "../model/new-run.ts";
import type { RunOrigin } from "../model/run.ts";
import { type TestOptions, writeTestOptions } from "../model/test-options.ts";

/** A run that was accepted, and its priority for workers. */
export interface StartedRun {
  readonly run: string;
  readonly priority: Priority;
}

/** The administrator who starts a run. */
export interface RunStartedBy extends AuditActor {
  /** The trace of the request; the run's trace continues it. */
  readonly traceParent?: string | undefined;
}

/** The position of `start.data` in the body of a request that starts a run. */
const pointer = "/data";

/** A test, with how it differs from a run. */
export interface TestRequest extends TestOptions {
  /** The `start.data` of the run, in the shape of the draft's trigger. */
  readonly data: unknown;
}

/**
 * Accepts a run of the current draft, published or not (Run › Test). It acts as the user that the draft names,
 * otherwise as the administrator.
 *
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID, BODY_INVALID
 */
export async function testWorkflow(
  { database, vault }: PublishDeps,
  id: string,
  { data: input, ...options }: TestRequest,
  actor: RunStartedBy,
): Promise<StartedRun> {
  return database.transaction(async (transaction) => {
    const { definition, json } = await lockDraft(transaction, id, vault);
    checkTestOptions(definition, options);
    const trial = writeTestOptions(options);
    const { trigger } = definition;
    const executeAsUserId = trigger.executeAs ?? actor.userId;
    if (executeAsUserId === null) throw createError("ACTION_DENIED");
    const data = triggerInput(trigger, input, pointer);
    const { workflowVersions } = schema;
    const [version] = await transaction.orm
      .insert(workflowVersions)
      .values({
        workflowId: id,
        definition: sql`${trial === null ? json : testedDefinition(json)}`,
        publishedBy: actor.userId,
      })
      .returning({ id: workflowVersions.id });
    const run = await insertRun(transaction, {
      workflowId: id,
      versionId: requireFound(version).id,
      input: data,
      callerUserId: null,
      executeAsUserId,
      requestId: actor.requestId,
      traceParent: actor.traceParent,
      tokenId: actor.tokenId,
      origin: "TEST",
      trial,
    });
    await auditWorkflow(transaction, actor, "workflow.test", id);
    return run;
  });
}

/**
 * Accepts a run of the published version (Run › Production). A webhook has no such run.
 *
 * @param input the `start.data` of the run, in the shape of the trigger
 * @throws AppError NOT_FOUND, BODY_INVALID, CONFLICT if the workflow is not published and enabled, or is a webhook
 */
export async function startRun(
  database: Database,
  id: string,
  input: unknown,
  actor: RunStartedBy,
): Promise<StartedRun> {
  return database.transaction(async (transaction) => {
    await requireWorkflow(transaction, id);
    const [version] = await transaction.query<{ id: string; trigger: unknown }>(
      `select v.id, v.definition -> 'trigger'::text as trigger
       from system.workflows w join system.workflow_versions v on v.id = w.published_version_id
       where w.id = $1::text::uuid and w.enabled`,
      [id],
    );
    if (version === undefined) {
      throw createError("CONFLICT", { message: "The workflow is not published and enabled" });
    }
    const trigger = triggerSchema.parse(version.trigger);
    if (trigger.kind === "webhook") {
      throw createError("CONFLICT", { message: "A webhook starts on a call, or by a test" });
    }
    const run = await insertRun(transaction, {
      workflowId: id,
      versionId: version.id,
      input: triggerInput(trigger, input, pointer),
      callerUserId: actor.userId,
      executeAsUserId: trigger.executeAs,
      requestId: actor.requestId,
      traceParent: actor.traceParent,
      tokenId: actor.tokenId,
      origin: "MANUAL",
      trial: null,
    });
    await auditWorkflow(transaction, actor, "workflow.run", id);
    return run;
  });
}

interface NewRun {
  readonly workflowId: string;
  readonly versionId: string;
  /** JSON, redacted. */
  readonly input: string;
  readonly callerUserId: string | null;
  readonly executeAsUserId: string;
  readonly requestId: string | null;
  readonly traceParent: string | undefined;
  readonly tokenId: string | null;
  readonly origin: RunOrigin;
  /** The stored `TestOptions`. */
  readonly trial: string | null;
}

export function planeSql(tokenId: string): string {
  return `(select t.plane from system.tokens t where t.id = ${tokenId})`;
}

/** The columns that an insert of a run returns. */
export const startedColumns =
  "id as run, (select w.priority from system.workflows w where w.id = workflow_id) as priority";

const startSql = `${insertRunsSql({
  id: "$1::text::uuid",
  workflow_id: "$2::text::uuid",
  version_id: "$3::text::uuid",
  input: "$4::text::json",
  caller_user_id: "$5::text::uuid",
  execute_as_user_id: "$6::text::uuid",
  request_id: "$7::text",
  origin: "$8::text",
  trace_parent: "$9::text",
  token_id: "$10::text::uuid",
  token_plane: planeSql("$10::text::uuid"),
  trial: "$11::text::json",
})}returning ${startedColumns}`;

async function insertRun(transaction: Transaction, run: NewRun): Promise<StartedRun> {
  const [started] = await transaction.query<StartedRun>(startSql, [
    randomUUID(),
    run.workflowId,
    run.versionId,
    run.input,
    run.callerUserId,
    run.executeAsUserId,
    run.requestId,
    run.origin,
    run.traceParent ?? null,
    run.tokenId,
    run.trial,
  ]);
  if (started === undefined) throw new Error("a run was not written");
  return started;
}

/** Steps without effects outside the run: their outputs follow from the definition, and cannot be mocked. */
const computed: ReadonlySet<string> = new Set([
  ...["setValues", "condition", "switch", "forEach", "delay", "fail", "finish"],
]);

/**
 * Checks that a definition has the steps that the options of a test name.
 *
 * @throws AppError BODY_INVALID with a fault for each mock and for `until`
 */
function checkTestOptions(
  { steps }: Definition,
  { mocks, until }: Pick<TestOptions, "mocks" | "until">,
): void {
  const kinds = new Map(Array.from(walkSteps(steps), ({ step }) => [step.id, step.kind]));
  const faults = Object.keys(mocks).flatMap((id) => {
    const kind = kinds.get(id);
    const path = `/mocks/${escapePointer(id)}`;
    if (kind === undefined) return [fault(path, "The draft has no step with this id")];
    if (!computed.has(kind)) return [];
    return [fault(path, `A mock needs a step with effects; a step of kind ${kind} only computes`)];
  });
  if (until !== null && !kinds.has(until)) {
    faults.push(fault("/until", "The draft has no step with this id"));
  }
  throwFaults(faults);
}

function fault(path: string, message: string) {
  return createFault("BODY_INVALID", { path, message });
}
