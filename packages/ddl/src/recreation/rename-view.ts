import { type AuditActor, appendAuditEntry, type Database } from "@rowhouse/db";
import { refreshRegistry } from "../base/registry.ts";
import { applyStatements, changeViews } from "../change-views.ts";
import { renameSql } from "../names/rename-sql.ts";
import type { ViewTarget } from "../view-record.ts";

type ViewName = Pick<ViewTarget, "schema" | "name">;

/** Returns the statements that give a view another schema and name. */
export function compileRenameView(
  target: Omit<ViewTarget, "oid" | "resourceId">,
  to: ViewName,
): string[] {
  return renameSql(target.materialized ? "materialized view" : "view", target, to);
}

/**
 * Gives a view another schema and name. It keeps its record, and what reads it follows.
 *
 * @throws AppError CONFLICT for a name in use or a lock timeout
 */
export async function renameView(
  database: Database,
  target: ViewTarget,
  to: ViewName,
  actor: AuditActor,
): Promise<void> {
  await changeViews(database, async (transaction) => {
    const statements = compileRenameView(target, to).map((sql) => ({ sql, path: "/data" }));
    await applyStatements(transaction, statements);
    await refreshRegistry(transaction);
    await appendAuditEntry(transaction, actor, {
      action: "view.replace",
      targetKind: "resource",
      targetId: target.resourceId,
      changedFields: ["name"],
    });
  });
}
