import {
  type AuditActor,
  appendAuditEntry,
  arrayLiteral,
  type Database,
  type Queryable,
  type Transaction,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { SecretUse } from "../definition/check-trigger.ts";
import { compileDefinition } from "../definition/compile-definition.ts";
import {
  type Definition,
  workflowNameSchema,
  workflowSlugSchema,
} from "../definition/definition.ts";
import { parseDefinition } from "../definition/parse-definition.ts";
import { findWatchFaults, publishWatch, syncWatch } from "../event/watch.ts";
import { toJson } from "../json.ts";
import { refreshSchedule } from "../schedule/refresh-schedule.ts";
import { readVersion } from "./versions.ts";
import { requireWorkflow, type Workflow } from "./workflow.ts";

/** The fields of a workflow as a body sends them, under `/data`. */
export interface WorkflowInput {
  readonly slug?: unknown;
  readonly name?: unknown;
  readonly definition?: unknown;
}

/**
 * Creates a workflow: a draft, neither published nor enabled.
 *
 * @throws AppError BODY_INVALID, UNIQUE_VIOLATION for a slug in use
 */
export async function createWorkflow(
  database: Database,
  input: WorkflowInput,
  actor: AuditActor,
): Promise<Workflow> {
  const fields = parseFields({
    slug: input.slug ?? null,
    name: input.name ?? null,
    definition: input.definition ?? null,
  });
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ id: string }>(
      `insert into system.workflows (slug, name, draft) values ($1::text, $2::text, $3::text::json)
       on conflict (slug) do nothing returning id`,
      [fields.slug ?? null, fields.name ?? null, fields.definition ?? null],
    );
    if (row === undefined) throw slugInUse();
    await audit(transaction, actor, "workflow.create", row.id, ["slug", "name", "definition"]);
    return requireWorkflow(transaction, row.id);
  });
}

/**
 * Changes slug, name or draft. What is published stays as it is until the next publish.
 *
 * @throws AppError NOT_FOUND, BODY_INVALID, UNIQUE_VIOLATION
 */
export async function updateWorkflow(
  database: Database,
  id: string,
  input: WorkflowInput,
  actor: AuditActor,
): Promise<Workflow> {
  const fields = parseFields(input);
  return database.transaction(async (transaction) => {
    const before = await requireWorkflow(transaction, id);
    const [taken] = await transaction.query<{ id: string }>(
      "select id from system.workflows where slug = $1::text and id <> $2::text::uuid",
      [fields.slug ?? before.slug, id],
    );
    if (taken !== undefined) throw slugInUse();
    await transaction.query(
      `update system.workflows set slug = coalesce($2::text, slug), name = coalesce($3::text, name),
         draft = coalesce($4::text::json, draft), updated_at = now()
       where id = $1::text::uuid`,
      [id, fields.slug ?? null, fields.name ?? null, fields.definition ?? null],
    );
    await audit(transaction, actor, "workflow.update", id, Object.keys(fields));
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
    // Waits for those who are accepting a run, and whoever comes later waits for the end of this transaction.
    await transaction.query("select 1 from system.workflows where id = $1::text::uuid for update", [
      id,
    ]);
    await transaction.query(
      "update system.workflows set enabled = false, published_version_id = null where id = $1::text::uuid",
      [id],
    );
    const [open] = await transaction.query<{ id: string }>(
      "select id from system.workflow_runs where workflow_id = $1::text::uuid and finished_at is null limit 1",
      [id],
    );
    if (open !== undefined) {
      throw createError("CONFLICT", { message: "Runs of this workflow are still in progress" });
    }
    await syncWatch(transaction, id);
    await transaction.query("delete from system.workflows where id = $1::text::uuid", [id]);
    await audit(transaction, actor, "workflow.delete", id, []);
  });
}

/**
 * Publishes the draft as a new version, which runs accepted from now on are pinned to.
 *
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID with a JSON pointer into the definition for each fault
 */
export async function publishWorkflow(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<Workflow> {
  return database.transaction(async (transaction) => {
    const workflow = await requireWorkflow(transaction, id);
    const [draft] = await transaction.query<{ draft: string }>(
      "select draft::text as draft from system.workflows where id = $1::text::uuid for update",
      [id],
    );
    const definition = await checkDefinition(transaction, workflow.definition);
    await insertPublished(transaction, id, definition, draft?.draft ?? "", actor);
    await publishWatch(transaction, id, definition.trigger);
    await audit(transaction, actor, "workflow.publish", id, []);
    return requireWorkflow(transaction, id);
  });
}

/**
 * Publishes an earlier version again, under the next number. The draft stays.
 *
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID where it could not be published any more
 */
export async function rollBackWorkflow(
  database: Database,
  id: string,
  number: number,
  actor: AuditActor,
): Promise<Workflow> {
  return database.transaction(async (transaction) => {
    await requireWorkflow(transaction, id);
    await transaction.query("select 1 from system.workflows where id = $1::text::uuid for update", [
      id,
    ]);
    const version = await readVersion(transaction, id, number);
    const definition = await checkDefinition(transaction, version.definition);
    const [row] = await transaction.query<{ definition: string }>(
      `select definition::text as definition from system.workflow_versions
       where workflow_id = $1::text::uuid and number = $2::text::integer`,
      [id, String(number)],
    );
    await insertPublished(transaction, id, definition, row?.definition ?? "", actor);
    await publishWatch(transaction, id, definition.trigger);
    await audit(transaction, actor, "workflow.roll_back", id, []);
    return requireWorkflow(transaction, id);
  });
}

/** @throws AppError WORKFLOW_INVALID with every fault that keeps the definition from being run */
export async function checkDefinition(transaction: Queryable, input: unknown): Promise<Definition> {
  const definition = parseDefinition(input, "");
  const compilation = compileDefinition(definition);
  const faults = [
    ...compilation.faults,
    ...(await unknownSecrets(transaction, compilation.secretUses)),
    ...(await findWatchFaults(transaction, definition.trigger)),
  ];
  const { executeAs } = definition.trigger;
  if (executeAs !== null && !(await isActiveUser(transaction, executeAs))) {
    faults.push(
      createFault("WORKFLOW_INVALID", {
        path: "/trigger/executeAs",
        message: "There is no such active user",
      }),
    );
  }
  throwFaults(faults);
  return definition;
}

async function unknownSecrets(
  transaction: Queryable,
  uses: readonly SecretUse[],
): Promise<Fault[]> {
  if (uses.length === 0) return [];
  const rows = await transaction.query<{ name: string }>(
    "select name from system.workflow_secrets where name = any($1::text::text[])",
    [arrayLiteral(uses.map(({ name }) => name))],
  );
  const known = new Set(rows.map(({ name }) => name));
  return uses
    .filter(({ name }) => !known.has(name))
    .map(({ name, path }) =>
      createFault("WORKFLOW_INVALID", { path, message: `There is no secret ${name}` }),
    );
}

async function insertPublished(
  transaction: Transaction,
  id: string,
  { concurrency, priority }: Pick<Definition, "concurrency" | "priority">,
  json: string,
  actor: AuditActor,
): Promise<void> {
  await transaction.query(
    `with version as (
       insert into system.workflow_versions (workflow_id, number, definition, published_by)
       select $1::text::uuid, coalesce(max(number), 0) + 1, $2::text::json, $3::text::uuid
       from system.workflow_versions where workflow_id = $1::text::uuid
       returning id)
     update system.workflows w set published_version_id = version.id, updated_at = now(),
       concurrency = $4::text::integer, priority = $5::text
     from version where w.id = $1::text::uuid`,
    [id, json, actor.userId, concurrency === null ? null : String(concurrency), priority],
  );
  await refreshSchedule(transaction, id);
}

/**
 * Lets a workflow be called, or no longer. Runs that were accepted go on.
 *
 * @throws AppError NOT_FOUND, CONFLICT for enabling what was never published
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
    await transaction.query(
      "update system.workflows set enabled = $2::text::boolean, updated_at = now() where id = $1::text::uuid",
      [id, String(enabled)],
    );
    await syncWatch(transaction, id);
    await refreshSchedule(transaction, id);
    const action = enabled ? "workflow.enable" : "workflow.disable";
    await audit(transaction, actor, action, id, ["enabled"]);
    return requireWorkflow(transaction, id);
  });
}

interface ParsedFields {
  slug?: string;
  name?: string;
  /** JSON. */
  definition?: string;
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
    fields.definition = toJson(parseDefinition(input.definition, "/data/definition"));
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

async function isActiveUser(transaction: Queryable, id: string): Promise<boolean> {
  const rows = await transaction.query(
    "select 1 from system.users where id = $1::text::uuid and active",
    [id],
  );
  return rows.length === 1;
}

function audit(
  transaction: Transaction,
  actor: AuditActor,
  action: string,
  id: string,
  changedFields: readonly string[],
): Promise<void> {
  return appendAuditEntry(transaction, actor, {
    action,
    targetKind: "workflow",
    targetId: id,
    changedFields,
  });
}
