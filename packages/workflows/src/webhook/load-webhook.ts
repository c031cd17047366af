import { createBatch, type Queryable, sqlForEach, valuesSql } from "@rowhouse/db";
import type { Priority, WebhookTrigger } from "../definition/definition.ts";
import type { VersionCache } from "../run/version-cache.ts";

/** A workflow that can be called now. */
export interface Webhook {
  readonly workflowId: string;
  readonly versionId: string;
  readonly trigger: WebhookTrigger;
  readonly priority: Priority;
  /** Roles whose members may call it. */
  readonly invokeRoleIds: readonly string[];
}

/**
 * Returns the published version and the invoke grants of an enabled workflow, read after the call. Requests that
 * arrive in the same tick share one statement.
 */
export type LoadWebhook = (slug: string) => Promise<Webhook | undefined>;

export function createLoadWebhook(database: Queryable, versions: VersionCache): LoadWebhook {
  const load = async (slugs: readonly string[]) => {
    const named = [...new Set(slugs)];
    const rows = await database.query<WebhookRow>(loadSql(named.length), named, { prepare: true });
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    return slugs.map((slug) => toWebhook(versions, bySlug.get(slug)));
  };
  return createBatch({
    alone: async (slug) => {
      const [webhook] = await load([slug]);
      return webhook;
    },
    together: load,
  });
}

interface WebhookRow {
  readonly slug: string;
  readonly id: string;
  readonly version_id: string;
  readonly role_ids: string;
}

const loadSql = sqlForEach(
  (count) => `
select w.slug, w.id, w.published_version_id as version_id,
  coalesce((select string_agg(g.role_id::text, ',') from system.workflow_invoke_grants g
            where g.workflow_id = w.id), '') as role_ids
from (${valuesSql(["text"], count)}) as a (slug) join system.workflows w on w.slug = a.slug
where w.enabled and w.published_version_id is not null`,
);

async function toWebhook(
  versions: VersionCache,
  row: WebhookRow | undefined,
): Promise<Webhook | undefined> {
  if (row === undefined) return undefined;
  const { trigger, priority } = await versions.load(row.version_id);
  if (trigger.kind !== "webhook") return undefined;
  return {
    workflowId: row.id,
    versionId: row.version_id,
    trigger,
    priority,
    invokeRoleIds: row.role_ids === "" ? [] : row.role_ids.split(","),
  };
}
