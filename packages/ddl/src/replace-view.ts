import { type AuditActor, appendAuditEntry, type Database, type Queryable } from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { bindAgain } from "./base/bind-columns.ts";
import { applyStatements, changeViews } from "./change-views.ts";
import type { TableStatement } from "./compile-create-table.ts";
import { compileReplaceMaterialized, compileReplaceView } from "./compile-view.ts";
import { definitionPath, type GuardedView } from "./guarded-view.ts";
import { columnsSql, type ProbedColumn, probeView } from "./probe-view.ts";
import { compileRefresh } from "./refresh-view.ts";
import { findDependents } from "./view-dependents.ts";
import { readViewRecord, type ViewTarget } from "./view-record.ts";

/** The statements of a replacement; `after` runs once the record refers to the new materialized view. */
interface Acts {
  readonly before: readonly TableStatement[];
  readonly after: readonly TableStatement[];
}

/**
 * Replaces the definition of a view. The view keeps its record, and with it its exposure, grants and every other
 * reference.
 *
 * Postgres allows a view only to gain columns at its end. Grants and filters refer to columns, so the same rule
 * applies to a materialized view, for which Postgres has no replacement: a new one takes its place in one transaction.
 *
 * @throws AppError CONFLICT with a fault for each column that would be lost or changed, or for dependents of a
 * materialized view; nothing is changed then
 */
export async function replaceView(
  database: Database,
  target: ViewTarget,
  view: GuardedView,
  actor: AuditActor,
): Promise<void> {
  const acts = await planReplacement(database, target, view);
  await changeViews(database, async (transaction) => {
    await applyStatements(transaction, acts.before);
    if (target.materialized) await bindAgain(transaction, target.resourceId, target);
    await applyStatements(transaction, acts.after);
    await appendAuditEntry(transaction, actor, {
      action: "view.replace",
      targetKind: "resource",
      targetId: target.resourceId,
      changedFields: [
        "definition",
        ...(view.comment === undefined ? [] : ["comment"]),
        ...(view.indexes === undefined ? [] : ["indexes"]),
      ],
    });
  });
}

/**
 * Returns the statements that `replaceView` would execute, and the first refresh of a materialized view. It runs the
 * same checks.
 *
 * @throws AppError as `replaceView`
 */
export async function previewReplaceView(
  database: Database,
  target: ViewTarget,
  view: GuardedView,
): Promise<{ sql: string[] }> {
  const { before, after } = await planReplacement(database, target, view);
  return {
    sql: [
      ...[...before, ...after].map((statement) => statement.sql),
      ...(target.materialized ? [compileRefresh(target, false)] : []),
    ],
  };
}

async function planReplacement(
  database: Database,
  target: ViewTarget,
  view: GuardedView,
): Promise<Acts> {
  await requireNoCycle(database, target, view);
  const columns = await probeView(database, view);
  const present = await database.query<ProbedColumn>(columnsSql, [target.oid]);
  throwFaults(findLostColumns(present, columns));
  const record = await readViewRecord(database, target.oid);
  if (!target.materialized) return { before: compileReplaceView(view, record), after: [] };
  const dependents = await findDependents(database, target.oid);
  if (dependents.length > 0) {
    throw createError("CONFLICT", {
      message: "Other objects read this materialized view, so it cannot be replaced",
      details: { dependents },
    });
  }
  return compileReplaceMaterialized(view, record, `rowhouse_replaced_${target.oid}`);
}

/**
 * Refuses a view that reads itself through other views. Postgres accepts its definition, and then no query on any of
 * them works.
 */
export async function requireNoCycle(
  database: Queryable,
  target: ViewTarget,
  view: GuardedView,
): Promise<void> {
  const [cycle] = await database.query(
    `with recursive readers (oid) as (
       select $1::text::oid
       union
       select w.ev_class from readers r
       join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = r.oid
         and d.classid = 'pg_rewrite'::regclass
       join pg_catalog.pg_rewrite w on w.oid = d.objid
     )
     select 1 from readers r
     join pg_catalog.pg_class c on c.oid = r.oid
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join jsonb_to_recordset($2::text::jsonb) m (schema text, name text)
       on m.schema = n.nspname and m.name = c.relname limit 1`,
    [target.oid, JSON.stringify(view.references.relations)],
  );
  if (cycle === undefined) return;
  const message = "A view cannot read itself, directly or through another view";
  throw createError("EXPRESSION_INVALID", { path: definitionPath, message });
}

/** Returns one fault for each column that changes its position, name, type or collation. */
export function findLostColumns(
  present: readonly ProbedColumn[],
  next: readonly ProbedColumn[],
): Fault[] {
  const faults: Fault[] = [];
  for (const [index, column] of present.entries()) {
    const other = next[index];
    const at = next.findIndex(({ name }) => name === column.name);
    const refuse = (change: string, message: string): void => {
      faults.push(
        createFault("CONFLICT", {
          path: definitionPath,
          message,
          details: { column: column.name, change },
        }),
      );
    };
    if (at === -1) {
      refuse("DROPPED", `The view would lose its column ${column.name}`);
    } else if (other?.name !== column.name) {
      refuse("MOVED", `The column ${column.name} would no longer be number ${index + 1}`);
    } else if (other.type !== column.type) {
      refuse("RETYPED", `${column.name} would change from ${column.type} to ${other.type}`);
    } else if (other.collation !== column.collation) {
      refuse("RETYPED", `The column ${column.name} would have another collation`);
    }
  }
  return faults;
}
