import {
  type AuditActor,
  arrayLiteral,
  type Database,
  requireFound,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { eq, sql } from "drizzle-orm";
import { signatureSecrets } from "../compile/check-trigger.ts";
import { compileDefinition } from "../compile/compile-definition.ts";
import { parseDefinition } from "../compile/parse-definition.ts";
import type { Definition } from "../definition/definition.ts";
import { publishWatch } from "../event/watch.ts";
import { refreshSchedule } from "../schedule/refresh-schedule.ts";
import { findPublishFaults, type SecretOpener } from "./publish-faults.ts";
import { readVersion } from "./versions.ts";
import { auditWorkflow, lockWorkflow, requireWorkflow, type Workflow } from "./workflow.ts";

const { workflows, workflowVersions } = schema;

export interface PublishDeps {
  readonly database: Database;
  readonly vault: SecretOpener;
}

/**
 * Publishes the draft as a new version. Runs that are accepted from now on are pinned to it.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID with a JSON pointer into the definition for each fault;
 * PRECONDITION_FAILED if the workflow has none of the tags
 */
export async function publishWorkflow(
  { database, vault }: PublishDeps,
  id: string,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<Workflow> {
  return database.transaction(async (transaction) => {
    await lockWorkflow(transaction, id, ifMatch);
    const { definition, json } = await lockDraft(transaction, id, vault);
    await insertPublished(transaction, id, definition, json, actor);
    await publishWatch(transaction, id, definition.trigger);
    await auditWorkflow(transaction, actor, "workflow.publish", id);
    return requireWorkflow(transaction, id);
  });
}

/**
 * Publishes an earlier version again, under the next number. The draft stays.
 *
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID if that version cannot be published now
 */
export async function rollBackWorkflow(
  { database, vault }: PublishDeps,
  id: string,
  number: number,
  actor: AuditActor,
): Promise<Workflow> {
  return database.transaction(async (transaction) => {
    await lockWorkflow(transaction, id, undefined);
    const version = await readVersion(transaction, id, number);
    const definition = await requirePublishable(transaction, version.definition, vault);
    const [row] = await transaction.orm
      .select({ json: sql<string>`${workflowVersions.definition}::text` })
      .from(workflowVersions)
      .where(eq(workflowVersions.id, version.id));
    await insertPublished(transaction, id, definition, requireFound(row).json, actor);
    await publishWatch(transaction, id, definition.trigger);
    await auditWorkflow(transaction, actor, "workflow.roll_back", id);
    return requireWorkflow(transaction, id);
  });
}

/**
 * Locks the draft until the end of the transaction and checks it.
 *
 * @returns the definition, and its JSON with every digit
 * @throws AppError NOT_FOUND, WORKFLOW_INVALID
 */
export async function lockDraft(
  transaction: Transaction,
  id: string,
  vault: SecretOpener,
): Promise<{ readonly definition: Definition; readonly json: string }> {
  await requireWorkflow(transaction, id);
  const [locked] = await transaction.orm
    .select({ draft: workflows.draft, json: sql<string>`${workflows.draft}::text` })
    .from(workflows)
    .where(eq(workflows.id, id))
    .for("update");
  const { draft, json } = requireFound(locked);
  return { definition: await requirePublishable(transaction, draft, vault), json };
}

/**
 * Checks a definition as a publish does.
 *
 * @throws AppError WORKFLOW_INVALID with every fault that prevents the definition from running
 */
export async function requirePublishable(
  transaction: Transaction,
  input: unknown,
  vault: SecretOpener,
): Promise<Definition> {
  const definition = parseDefinition(input, "");
  const compilation = compileDefinition(definition);
  const secrets = signatureSecrets(definition.trigger).map(({ name }) => name);
  if (secrets.length > 0) {
    // A concurrent change of a value waits, and then finds the published signature.
    await transaction.query(
      "select from system.workflow_secrets where name = any ($1::text::text[]) order by name for share",
      [arrayLiteral(secrets)],
    );
  }
  throwFaults(await findPublishFaults(transaction, definition, compilation, vault));
  return definition;
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
       select $1::text::uuid, coalesce(pg_catalog.max(number), 0) + 1, $2::text::json, $3::text::uuid
       from system.workflow_versions where workflow_id = $1::text::uuid
       returning id)
     update system.workflows w set published_version_id = version.id, updated_at = now(),
       concurrency = $4::text::integer, priority = $5::text
     from version where w.id = $1::text::uuid`,
    [id, json, actor.userId, concurrency === null ? null : String(concurrency), priority],
  );
  await refreshSchedule(transaction, id);
}
