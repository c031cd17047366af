import { type AuditActor, appendAuditEntry, type Database, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { applyStatements, changeViews } from "./change-views.ts";
import { compileDropView } from "./compile-view.ts";
import { type Dependent, findDependents } from "./view-dependents.ts";
import type { ViewTarget } from "./view-record.ts";

/** What dropping a view would execute, and the objects that it affects. */
export interface DropPreview {
  readonly sql: string[];
  /** While any exist, the view cannot be dropped. */
  readonly dependents: Dependent[];
  /** The records that are deleted with the view's record. */
  readonly loses: {
    readonly exposedMethods: string[];
    /** Names of the roles that hold a grant on the view. */
    readonly roles: string[];
    /** Names of the DataViews that are deleted, and of the dashboards with a panel that becomes empty. */
    readonly dataViews: string[];
    readonly dashboards: string[];
  };
}

/**
 * Returns the statement that `dropView` would execute, and the objects that depend on the view.
 *
 * @param gone OIDs of views that count as dropped
 */
export async function previewDropView(
  database: Queryable,
  target: ViewTarget,
  gone: ReadonlySet<string> = new Set(),
): Promise<DropPreview> {
  const dependents = await findDependents(database, target.oid, gone);
  const [record] = await database.query<{ loses: DropPreview["loses"] }>(
    `select pg_catalog.json_build_object('exposedMethods', r.exposed_methods,
       'roles', array(select distinct o.name from system.grants g join system.roles o on o.id = g.role_id
         where g.resource_id = r.id order by 1),
       'dataViews', array(select v.name from system.data_views v where v.resource_id = r.id order by 1),
       'dashboards', array(select distinct d.name from system.dashboard_panels p
         join system.dashboards d on d.id = p.dashboard_id where p.resource_id = r.id order by 1)) as loses
     from system.resources r where r.id = $1::text::uuid`,
    [target.resourceId],
  );
  if (record === undefined) throw createError("NOT_FOUND", { message: "No such view" });
  return {
    sql: [compileDropView(target)],
    dependents,
    loses: record.loses,
  };
}

/**
 * Drops a view with its record, exposure and grants.
 *
 * @param confirm the view's own name, as a protection against a wrong path
 * @throws AppError QUERY_INVALID without the confirmation; CONFLICT while other objects depend on the view
 */
export async function dropView(
  database: Database,
  target: ViewTarget,
  confirm: string | undefined,
  actor: AuditActor,
): Promise<void> {
  if (confirm !== target.name) {
    throw createError("QUERY_INVALID", {
      path: "confirm",
      message: "Confirm with the view's name",
    });
  }
  requireNoDependents(await findDependents(database, target.oid));
  await changeViews(database, async (transaction) => {
    await applyStatements(transaction, [{ sql: compileDropView(target), path: "/data" }]);
    // Without event triggers, only this statement removes the record; with them it is already deleted.
    await transaction.query("delete from system.resources where id = $1::text::uuid", [
      target.resourceId,
    ]);
    await appendAuditEntry(transaction, actor, {
      action: "view.drop",
      targetKind: "resource",
      targetId: target.resourceId,
    });
  });
}

/** @throws AppError CONFLICT that names the objects which depend on a view */
export function requireNoDependents(dependents: readonly Dependent[]): void {
  if (dependents.length === 0) return;
  throw createError("CONFLICT", {
    message: `${dependents.map(({ kind, name }) => `${kind} ${name}`).join(", ")} ${dependents.length === 1 ? "depends" : "depend"} on this view`,
    details: { dependents },
  });
}
