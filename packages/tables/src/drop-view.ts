import { type AuditActor, appendAuditEntry, type Database, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { compileDropView } from "./compile-view.ts";
import { changeViews, runStatements } from "./create-view.ts";
import { type Dependent, findDependents } from "./view-dependents.ts";
import type { ViewTarget } from "./view-record.ts";

/** What dropping a view would run, and what hangs on it. */
export interface DropPreview {
  readonly sql: string[];
  /** While there are any, the view is not dropped. */
  readonly dependents: Dependent[];
  /** What goes with its record. */
  readonly loses: {
    readonly exposedMethods: string[];
    /** Names of roles that hold a grant on it. */
    readonly roles: string[];
  };
}

/** The statement that `dropView` would run, and a statement of what depends on the view. */
export async function previewDropView(
  database: Queryable,
  target: ViewTarget,
): Promise<DropPreview> {
  const dependents = await findDependents(database, target.oid);
  const [record] = await database.query<{ methods: string[]; roles: string[] }>(
    `select to_json(r.exposed_methods) as methods,
       (select coalesce(json_agg(distinct o.name), '[]') from system.grants g join system.roles o on o.id = g.role_id
        where g.resource_id = r.id) as roles
     from system.resources r where r.id = $1::text::uuid`,
    [target.resourceId],
  );
  if (record === undefined) throw createError("NOT_FOUND", { message: "No such view" });
  return {
    sql: [compileDropView(target)],
    dependents,
    loses: { exposedMethods: record.methods, roles: record.roles },
  };
}

/**
 * Drops a view, and with it its record, exposure and grants.
 *
 * @param confirm the view's own name, so that no slip of a path drops one
 * @throws AppError QUERY_INVALID without the confirmation; CONFLICT while something depends on the view
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
  const dependents = await findDependents(database, target.oid);
  if (dependents.length > 0) {
    throw createError("CONFLICT", {
      message: `${dependents.map(({ kind, name }) => `${kind} ${name}`).join(", ")} ${dependents.length === 1 ? "depends" : "depend"} on this view`,
      details: { dependents },
    });
  }
  await changeViews(database, async (transaction) => {
    await runStatements(transaction, [{ sql: compileDropView(target), path: "/data" }]);
    // Without event triggers nobody else removes the record; with them it is gone already.
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
