import {
  type AuditActor,
  createRecord,
  type Database,
  deleteRecord,
  givenFields,
  listRecords,
  lockRecord,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordKind,
  readRecord,
  schema,
  type Transaction,
  updateRecord,
} from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";
import type { Dashboard, DashboardInput, Panel } from "../schemas/dashboard-schemas.ts";
import { navigationKey, openableBy, openers, replaceOpeners } from "./openers.ts";
import {
  type ReadingColumn,
  type RenamedColumn,
  renamedColumns,
  replaceReadingColumns,
} from "./reading-columns.ts";

/** A dashboard as it is stored: with the names of the moment at which it was saved. */
export interface StoredDashboard extends Omit<Dashboard, "icon"> {
  readonly icon: string | null;
  /** The columns that it names and that were renamed since then. */
  readonly renamed: readonly RenamedColumn[];
}

export type DashboardChanges = {
  readonly [Key in keyof DashboardInput]?: DashboardInput[Key] | undefined;
};

const { dashboardPanels, dashboards, resources } = schema;

/** The place of a panel that was stored before panels had one: two in a row. */
const placeOfOld =
  "json_build_object('x', (p.position - 1) % 2 * 6, 'y', (p.position - 1) / 2 * 6, 'w', 6, 'h', 6)";

const kind: RecordKind = {
  name: "dashboard",
  table: dashboards,
  from: "system.dashboards d",
  id: "d.id",
  json: `json_build_object('id', d.id, 'name', d.name, 'description', d.description, 'icon', d.icon,
    'position', d.position, 'refreshSeconds', d.refresh_seconds, 'renamed', ${renamedColumns("dashboard", "d.id")},
    'roleIds', ${openers("dashboard", "d.id")}, 'parameters', d.parameters,
    'panels', coalesce((select json_agg(json_build_object('id', p.id,
      'title', p.title, 'kind', p.kind, 'resourceId', p.resource_id, 'layout', coalesce(p.layout, ${placeOfOld}), 'bindings', p.bindings,
      'definition', p.definition, 'presentation', p.presentation) order by p.position)
      from system.dashboard_panels p where p.dashboard_id = d.id), '[]'),
    'createdAt', d.created_at, 'updatedAt', d.updated_at)`,
  sortKey: navigationKey("d"),
  searched: "d.name",
};

/**
 * Lists the dashboards by position and name.
 *
 * @param request `roleIds`: only those that members of one of these roles may open; null for all
 */
export async function listDashboards(
  database: Queryable,
  request: PageRequest & { readonly roleIds: readonly string[] | null },
): Promise<Page<StoredDashboard>> {
  return listRecords(database, kind, request, [openableBy("dashboard", "d.id", request.roleIds)]);
}

/**
 * Returns one dashboard.
 *
 * @throws AppError NOT_FOUND
 */
export async function readDashboard(database: Queryable, id: string): Promise<StoredDashboard> {
  return readRecord(database, kind, id);
}

/**
 * Creates a dashboard.
 *
 * @param columns the columns that it names
 */
export async function createDashboard(
  database: Database,
  input: DashboardInput,
  columns: readonly ReadingColumn[],
  actor: AuditActor,
): Promise<StoredDashboard> {
  const insert = async (transaction: Transaction) => {
    const [row] = await transaction.orm
      .insert(dashboards)
      .values(columnsOf(input))
      .returning({ id: dashboards.id });
    if (row === undefined) return undefined;
    await replacePanels(transaction, row.id, input.panels);
    await replaceReadingColumns(transaction, "dashboard", row.id, columns);
    await replaceOpeners(transaction, "dashboard", row.id, input.roleIds);
    return row.id;
  };
  return createRecord(database, kind, input, insert, actor);
}

/** A changed dashboard, with the columns that it names. */
export interface RevisedDashboard {
  readonly dashboard: DashboardInput;
  readonly columns: readonly ReadingColumn[];
}

/**
 * Changes the given fields of a dashboard; `panels` replaces all panels, and `parameters` all parameters.
 *
 * @param revise makes the changed dashboard of the stored one; it throws if the result is invalid
 * @throws AppError NOT_FOUND
 */
export async function updateDashboard(
  database: Database,
  id: string,
  changes: DashboardChanges,
  revise: (stored: StoredDashboard) => RevisedDashboard,
  actor: AuditActor,
): Promise<StoredDashboard> {
  const update = async (transaction: Transaction) => {
    await lockRecord(transaction, kind, id);
    const { dashboard, columns } = revise(await readDashboard(transaction, id));
    await transaction.orm
      .update(dashboards)
      .set({ ...columnsOf(dashboard), updatedAt: sql`now()` })
      .where(eq(dashboards.id, id));
    // The panels that the body does not give have their current names from now on, as the columns have.
    await replacePanels(transaction, id, dashboard.panels);
    await replaceReadingColumns(transaction, "dashboard", id, columns);
    if (changes.roleIds !== undefined) {
      await replaceOpeners(transaction, "dashboard", id, changes.roleIds);
    }
  };
  return updateRecord(database, kind, id, givenFields(changes), update, actor);
}

/**
 * Deletes a dashboard with its panels.
 *
 * @throws AppError NOT_FOUND
 */
export async function deleteDashboard(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await deleteRecord(database, kind, id, actor);
}

function columnsOf(dashboard: DashboardInput) {
  const { name, description, icon, position, refreshSeconds, parameters } = dashboard;
  return { name, description, icon, position, refreshSeconds, parameters };
}

async function replacePanels(
  { orm }: Transaction,
  dashboardId: string,
  panels: readonly Panel[],
): Promise<void> {
  await orm.delete(dashboardPanels).where(eq(dashboardPanels.dashboardId, dashboardId));
  if (panels.length === 0) return;
  /** Null for a resource that was dropped after the validation. */
  const existing = (id: string) =>
    sql`${orm.select({ id: resources.id }).from(resources).where(eq(resources.id, id))}`;
  await orm.insert(dashboardPanels).values(
    panels.map((panel, index) => ({
      ...panel,
      dashboardId,
      position: index + 1,
      resourceId: panel.resourceId === null ? null : existing(panel.resourceId),
    })),
  );
}
