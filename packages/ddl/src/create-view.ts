import { type AuditActor, appendAuditEntry, type Database } from "@rowhouse/db";
import { findResource } from "./base/registry.ts";
import { applyStatements, changeViews } from "./change-views.ts";
import { compileCreateView } from "./compile-view.ts";
import type { GuardedView } from "./guarded-view.ts";
import { probeView } from "./probe-view.ts";
import { compileRefresh } from "./refresh-view.ts";
import { requireSchema } from "./require-schema.ts";
import { requireFreeName } from "./verify-table.ts";

export interface CreatedView {
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
}

/**
 * Creates a view, its registry record and the audit entry in one transaction. A materialized view is empty until its
 * first refresh. A failure leaves nothing behind.
 *
 * @throws AppError NOT_FOUND for the schema, CONFLICT for a name in use or a lock timeout, otherwise 400 with a path
 */
export async function createView(
  database: Database,
  view: GuardedView,
  actor: AuditActor,
): Promise<CreatedView> {
  const { schema, name } = view;
  await verifyNewView(database, view);
  const resourceId = await changeViews(database, async (transaction) => {
    await applyStatements(transaction, compileCreateView(view));
    const id = await findResource(transaction, schema, name);
    await appendAuditEntry(transaction, actor, {
      action: "view.create",
      targetKind: "resource",
      targetId: id,
      changedFields: ["name", "definition"],
    });
    return id;
  });
  return { resourceId, schema, name };
}

/**
 * Returns the statements that `createView` would execute, and the first refresh of a materialized view. It runs the
 * same checks.
 *
 * @throws AppError as `createView`
 */
export async function previewCreateView(
  database: Database,
  view: GuardedView,
): Promise<{ sql: string[] }> {
  await verifyNewView(database, view);
  return {
    sql: [
      ...compileCreateView(view).map((statement) => statement.sql),
      ...(view.materialized ? [compileRefresh(view, false)] : []),
    ],
  };
}

async function verifyNewView(database: Database, view: GuardedView): Promise<void> {
  await requireSchema(database, view.schema);
  await requireFreeName(database, view.schema, view.name);
  await probeView(database, view);
}
