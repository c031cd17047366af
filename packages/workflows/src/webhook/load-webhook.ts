import type { Queryable } from "@rowhouse/db";
import type { Priority, WebhookTrigger } from "../definition/definition.ts";
import type { VersionCache } from "../run/version-cache.ts";

/** A workflow that can be called, as of this moment. */
export interface Webhook {
  readonly workflowId: string;
  readonly versionId: string;
  readonly trigger: WebhookTrigger;
  readonly priority: Priority;
  /** Roles whose members may call it. */
  readonly invokeRoleIds: readonly string[];
}

/** The published version and the invoke grants of an enabled workflow, read at this moment. */
export async function loadWebhook(
  database: Queryable,
  versions: VersionCache,
  slug: string,
): Promise<Webhook | undefined> {
  const [row] = await database.query<{ id: string; version_id: string; role_ids: string }>(
    `select w.id, w.published_version_id as version_id,
       coalesce((select string_agg(g.role_id::text, ',') from system.workflow_invoke_grants g
                 where g.workflow_id = w.id), '') as role_ids
     from system.workflows w
     where w.slug = $1::text and w.enabled and w.published_version_id is not null`,
    [slug],
    { prepare: true },
  );
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
