import {
  type AuditActor,
  type Database,
  type Queryable,
  requireLegibleName,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import { and, eq, ne, sql } from "drizzle-orm";
import { toJson } from "../base/json.ts";
import { parseDefinition } from "../compile/parse-definition.ts";
import {
  type Definition,
  workflowNameSchema,
  workflowSlugSchema,
} from "../definition/definition.ts";
import { syncWatch } from "../event/watch.ts";
import { refreshSchedule } from "../schedule/refresh-schedule.ts";
import { findTriggerFaults } from "./publish-faults.ts";
import { auditWorkflow, lockWorkflow, requireWorkflow, type Workflow } from "./workflow.ts";

const { workflows } = schema;

/** The fields of a workflow in a request body, under `/data`. */
export interface WorkflowInput {
  readonly slug?: unknown;
  readonly name?: unknown;
  readonly definition?: unknown;
}

/**
 * Creates a workflow: a draft, neither published nor enabled.
 *
 * @throws AppError BODY_INVALID, WORKFLOW_INVALID as `requireDraft`, UNIQUE_VIOLATION for a slug in use
 */
export async function createWorkflow(
  database: Database,
  input: WorkflowInput,
  actor: AuditActor,
): Promise<Workflow> {
  const {
    slug = "",
    name = "",
    definition,
  } = parseFields({
    slug: input.slug ?? null,
    name: input.name ?? null,
    definition: input.definition ?? null,
  });
  await requireLegibleName(name);
  return database.transaction(async (transaction) => {
    const draft = await draftOf(transaction, definition);
    const [row] = await transaction.orm
      .insert(workflows)
      .values({ slug, name, draft })
      .onConflictDoNothing({ target: workflows.slug })
      .returning({ id: workflows.id });
    if (row === undefined) throw slugInUse();
    await auditWorkflow(transaction, actor, "workflow.create", row.id, [
      "slug",
      "name",
      "definition",
    ]);
    return requireWorkflow(transaction, row.id);
  });
}

/**
 * Changes slug, name or draft. The published version stays until the next publish.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND, BODY_INVALID, WORKFLOW_INVALID, UNIQUE_VIOLATION; PRECONDITION_FAILED if the workflow has none of the tags
 */
export async function updateWorkflow(
  database: Database,
  id: string,
  input: WorkflowInput,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<Workflow> {
  const fields = parseFields(input);
  return database.transaction(async (transaction) => {
    const before = await lockWorkflow(transaction, id, ifMatch);
    const { slug, name, definition } = fields;
    await requireLegibleName(name, undefined, async () => before.name);
    const { orm } = transaction;
    const [taken] = await orm
      .select({ id: workflows.id })
      .from(workflows)
      .where(and(eq(workflows.slug, slug ?? before.slug), ne(workflows.id, id)));
    if (taken !== undefined) throw slugInUse();
    const draft = await draftOf(transaction, definition);
    await orm
      .update(workflows)
      .set({ slug, name, draft, updatedAt: sql`now()` })
      .where(eq(workflows.id, id));
    await auditWorkflow(transaction, actor, "workflow.update", id, Object.keys(fields));
    return requireWorkflow(transaction, id);
  });
}

/**
 * Deletes a workflow with its versions, grants and history.
 *
 * @throws AppError NOT_FOUND, CONFLICT while a run of it is open
 */
export async function deleteWorkflow(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await requireWorkflow(transaction, id);
    const { orm } = transaction;
    // Waits for calls that are accepting a run; later calls wait for the end of this transaction.
    await orm
      .select({ id: workflows.id })
      .from(workflows)
      .where(eq(workflows.id, id))
      .for("update");
    await orm
      .update(workflows)
      .set({ enabled: false, publishedVersionId: null })
      .where(eq(workflows.id, id));
    const [open] = await transaction.query<{ id: string }>(
      "select id from system.workflow_runs where workflow_id = $1::text::uuid and finished_at is null limit 1",
      [id],
    );
    if (open !== undefined) {
      throw createError("CONFLICT", { message: "Runs of this workflow are still in progress" });
    }
    await syncWatch(transaction, id);
    await orm.delete(workflows).where(eq(workflows.id, id));
    await auditWorkflow(transaction, actor, "workflow.delete", id);
  });
}

/**
 * Enables or disables calls of a workflow. Accepted runs continue.
 *
 * @throws AppError NOT_FOUND, CONFLICT for enabling a workflow that was never published
 */
export async function setWorkflowEnabled(
  database: Database,
  id: string,
  enabled: boolean,
  actor: AuditActor,
): Promise<Workflow> {
  return database.transaction(async (transaction) => {
    const workflow = await requireWorkflow(transaction, id);
    if (enabled && workflow.published === null) {
      throw createError("CONFLICT", { message: "The workflow has not been published yet" });
    }
    await transaction.orm
      .update(workflows)
      .set({ enabled, updatedAt: sql`now()` })
      .where(eq(workflows.id, id));
    await syncWatch(transaction, id);
    await refreshSchedule(transaction, id);
    const action = enabled ? "workflow.enable" : "workflow.disable";
    await auditWorkflow(transaction, actor, action, id, ["enabled"]);
    return requireWorkflow(transaction, id);
  });
}

/** Returns the column of a draft. @throws as `requireDraft` */
async function draftOf(transaction: Transaction, definition: Definition | undefined) {
  if (definition === undefined) return undefined;
  await requireDraft(transaction, definition);
  return sql`${toJson(definition)}`;
}

/** @throws AppError WORKFLOW_INVALID for settings of a draft's trigger that no call can honor */
export async function requireDraft(queryable: Queryable, { trigger }: Definition): Promise<void> {
  throwFaults(await findTriggerFaults(queryable, trigger, definitionPointer));
}

const definitionPointer = "/data/definition";

interface ParsedFields {
  slug?: string;
  name?: string;
  definition?: Definition;
}

function parseFields(input: WorkflowInput): ParsedFields {
  const fields: ParsedFields = {};
  const faults = [];
  if (input.slug !== undefined) {
    const slug = workflowSlugSchema.safeParse(input.slug);
    if (slug.success) fields.slug = slug.data;
    else faults.push(bodyFault("/data/slug", slug.error.issues[0]?.message));
  }
  if (input.name !== undefined) {
    const name = workflowNameSchema.safeParse(input.name);
    if (name.success) fields.name = name.data;
    else faults.push(bodyFault("/data/name", name.error.issues[0]?.message));
  }
  throwFaults(faults);
  if (input.definition !== undefined) {
    fields.definition = parseDefinition(input.definition, definitionPointer);
  }
  return fields;
}

function bodyFault(path: string, message: string | undefined) {
  return createFault("BODY_INVALID", { path, ...(message === undefined ? {} : { message }) });
}

function slugInUse() {
  return createError("UNIQUE_VIOLATION", {
    path: "/data/slug",
    message: "Another workflow has this slug",
  });
}
