import { schema, type Transaction } from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";
import { navigationKey, openers } from "../presentation/openers.ts";
import type { Dashboard, DashboardInput, Panel } from "../schemas/dashboard-schemas.ts";
import { type MentionedName, mentionedNamesSql } from "./reading-columns.ts";
import { ReadingRecords } from "./reading-records.ts";

/** A dashboard as it is stored: with the names of the moment at which it was saved. */
export interface StoredDashboard extends Omit<Dashboard, "icon" | "lost"> {
  readonly icon: string | null;
  /** The columns that it names. */
  readonly columns: readonly MentionedName[];
}

const { dashboardPanels, dashboards, resources } = schema;

/** The place of a panel that was stored before panels had one: two in a row. */
const placeOfOld =
  "json_build_object('x', (p.position - 1) % 2 * 6, 'y', (p.position - 1) / 2 * 6, 'w', 6, 'h', 6)";

/** The dashboards. A change of `panels` replaces all panels, and one of `parameters` all parameters. */
export const dashboardRecords = new ReadingRecords<DashboardInput, StoredDashboard>({
  name: "dashboard",
  table: dashboards,
  from: "system.dashboards d",
  id: "d.id",
  json: `pg_catalog.json_build_object('id', d.id, 'name', d.name, 'description', d.description, 'icon', d.icon,
    'position', d.position, 'refreshSeconds', d.refresh_seconds, 'columns', ${mentionedNamesSql("dashboard", "d.id")},
    'roleIds', ${openers("dashboard", "d.id")}, 'parameters', d.parameters,
    'panels', coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object('id', p.id,
      'title', p.title, 'kind', p.kind, 'resourceId', p.resource_id, 'layout', coalesce(p.layout, ${placeOfOld}), 'bindings', p.bindings,
      'definition', p.definition, 'presentation', p.presentation) order by p.position)
      from system.dashboard_panels p where p.dashboard_id = d.id), '[]'),
    'createdAt', d.created_at, 'updatedAt', d.updated_at)`,
  sortKey: navigationKey("d"),
  searched: "d.name",
  filters: "panels",
  insert: async (transaction, input) => {
    const [row] = await transaction.orm
      .insert(dashboards)
      .values(columnsOf(input))
      .returning({ id: dashboards.id });
    if (row !== undefined) await replacePanels(transaction, row.id, input.panels);
    return row?.id;
  },
  update: async (transaction, id, input) => {
    await transaction.orm
      .update(dashboards)
      .set({ ...columnsOf(input), updatedAt: sql`now()` })
      .where(eq(dashboards.id, id));
    // The panels that the body does not give have their current names from now on, as the columns have.
    await replacePanels(transaction, id, input.panels);
  },
});

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
