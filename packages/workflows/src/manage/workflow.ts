import {
  type AuditAction,
  type AuditActor,
  appendAuditEntry,
  entityTagOf,
  isUuid,
  type Page,
  type PageRequest,
  type Queryable,
  requireEntityTag,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { eq } from "drizzle-orm";
import { isoMoment } from "../base/iso-moment.ts";

const { workflows } = schema;

/** A workflow as an administrator sees it. */
export interface Workflow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The draft, which the next publish uses. */
  readonly definition: unknown;
  readonly published: {
    readonly versionId: string;
    readonly number: number;
    readonly publishedAt: string;
  } | null;
  /** Why the published version cannot run as intended: a missing table, trigger or user. Null if it can. */
  readonly problem: string | null;
  /** When its schedule is due; null without a schedule, and while the workflow is disabled. */
  readonly nextRunAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface WorkflowRow {
  id: string;
  slug: string;
  name: string;
  enabled: boolean;
  draft: unknown;
  version_id: string | null;
  number: number | null;
  published_at: string | null;
  problem: string | null;
  next_at: string | null;
  created_at: string;
  updated_at: string;
}

const selectSql = `
  select w.id, w.slug, w.name, w.enabled, w.draft, v.id as version_id, v.number,
    system.workflow_problem(w.id) as problem,
    ${isoMoment("v.published_at")} as published_at, ${isoMoment("w.created_at")} as created_at,
    ${isoMoment("w.updated_at")} as updated_at, ${isoMoment("s.next_at")} as next_at
  from system.workflows w left join system.workflow_versions v on v.id = w.published_version_id
  left join system.workflow_schedules s on s.workflow_id = w.id`;

/** Returns a workflow. @throws AppError NOT_FOUND */
export async function requireWorkflow(database: Queryable, id: string): Promise<Workflow> {
  const [row] = isUuid(id)
    ? await database.query<WorkflowRow>(`${selectSql} where w.id = $1::text::uuid`, [id])
    : [];
  if (row === undefined) throw createError("NOT_FOUND");
  return toWorkflow(row);
}

/** The entity tag of a workflow, without quotes. It changes with slug, name and draft. */
export function tagOfWorkflow(workflow: Workflow): string {
  const { id, slug, name, definition } = workflow;
  return entityTagOf(JSON.stringify([id, slug, name, definition]));
}

/**
 * Returns a workflow that nobody else changes until the end of the transaction.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED if the workflow has none of the tags
 */
export async function lockWorkflow(
  transaction: Transaction,
  id: string,
  ifMatch: readonly string[] | undefined,
): Promise<Workflow> {
  await requireWorkflow(transaction, id);
  await transaction.orm
    .select({ id: workflows.id })
    .from(workflows)
    .where(eq(workflows.id, id))
    .for("update");
  const workflow = await requireWorkflow(transaction, id);
  const message = "The workflow has changed since it was read";
  requireEntityTag(tagOfWorkflow(workflow), ifMatch, message);
  return workflow;
}

/** Lists workflows by slug, page by page. A search covers slugs and names. */
export async function listWorkflows(
  database: Queryable,
  page: PageRequest,
): Promise<Page<Workflow>> {
  const rows = await database.query<WorkflowRow>(
    `${selectSql}
     where w.slug > coalesce($1::text, '')
       and ($2::text is null or strpos(system.fold(w.slug || ' ' || w.name), system.fold($2::text)) > 0)
     order by w.slug limit $3::text::integer`,
    [page.cursor, page.search, String(page.limit + 1)],
  );
  const items = rows.slice(0, page.limit).map(toWorkflow);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.slug ?? null) : null };
}

function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    enabled: row.enabled,
    definition: row.draft,
    published:
      row.version_id === null || row.number === null || row.published_at === null
        ? null
        : { versionId: row.version_id, number: row.number, publishedAt: row.published_at },
    problem: row.problem,
    nextRunAt: row.next_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Records a change of a workflow in the audit log; `changedFields` holds names only. */
export function auditWorkflow(
  transaction: Transaction,
  actor: AuditActor,
  action: AuditAction,
  id: string,
  changedFields: readonly string[] = [],
): Promise<void> {
  return appendAuditEntry(transaction, actor, {
    action,
    targetKind: "workflow",
    targetId: id,
    changedFields,
  });
}
