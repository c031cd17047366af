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
import { navigationKey, openableBy, openers, replaceOpeners } from "./openers.ts";
import type { ReadingIcon } from "./presentation/icons.ts";

/** A dashboard: several readings shown together. */
export interface Dashboard {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon: ReadingIcon | null;
  /** The order in the navigation, before the name. */
  readonly position: number;
  /** The roles whose members may open it; Administrators always may. */
  readonly roleIds: string[];
  readonly panels: Panel[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One reading of a dashboard: rows, a single figure, or the groups of a chart. */
export interface Panel {
  /** Its id, unique within the dashboard. */
  readonly id: string;
  readonly title: string;
  readonly kind: "LIST" | "FIGURE" | "CHART";
  /** Null after the resource was dropped. */
  readonly resourceId: string | null;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly presentation: Readonly<Record<string, unknown>>;
}

/** The input of an administrator. The caller validates it. */
export type DashboardInput = Pick<Dashboard, "name" | "description" | "roleIds" | "panels">;

export type DashboardChanges = {
  readonly [Key in keyof DashboardInput]?: DashboardInput[Key] | undefined;
};

const { dashboardPanels, dashboards, resources } = schema;

const kind: RecordKind = {
  name: "dashboard",
  table: dashboards,
  from: "system.dashboards d",
  id: "d.id",
  json: `json_build_object('id', d.id, 'name', d.name, 'description', d.description,
    'icon', d.icon, 'position', d.position, 'roleIds', ${openers("dashboard", "d.id")}, 'panels', coalesce((select json_agg(json_build_object('id', p.id,
      'title', p.title, 'kind', p.kind, 'resourceId', p.resource_id, 'definition', p.definition,
      'presentation', p.presentation) order by p.position)
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
): Promise<Page<Dashboard>> {
  return listRecords(database, kind, request, [openableBy("dashboard", "d.id", request.roleIds)]);
}

/**
 * Returns one dashboard.
 *
 * @throws AppError NOT_FOUND
 */
export async function readDashboard(database: Queryable, id: string): Promise<Dashboard> {
  return readRecord(database, kind, id);
}

/** Creates a dashboard. */
export async function createDashboard(
  database: Database,
  input: DashboardInput,
  actor: AuditActor,
): Promise<Dashboard> {
  const insert = async (transaction: Transaction) => {
    const [row] = await transaction.orm
      .insert(dashboards)
      .values({ name: input.name, description: input.description })
      .returning({ id: dashboards.id });
    if (row === undefined) return undefined;
    await replacePanels(transaction, row.id, input.panels);
    await replaceOpeners(transaction, "dashboard", row.id, input.roleIds);
    return row.id;
  };
  return createRecord(database, kind, input, insert, actor);
}

/**
 * Changes the given fields of a dashboard; `panels` replaces all panels.
 *
 * @throws AppError NOT_FOUND
 */
export async function updateDashboard(
  database: Database,
  id: string,
  changes: DashboardChanges,
  actor: AuditActor,
): Promise<Dashboard> {
  const update = async (transaction: Transaction) => {
    await lockRecord(transaction, kind, id);
    const { name, description } = changes;
    await transaction.orm
      .update(dashboards)
      .set({ name, description, updatedAt: sql`now()` })
      .where(eq(dashboards.id, id));
    if (changes.panels !== undefined) await replacePanels(transaction, id, changes.panels);
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
