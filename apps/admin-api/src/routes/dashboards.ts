import type { Database, SnapshotStore } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import type { ApiRouter } from "@rowhouse/http";
import {
  columnsOfDashboard,
  createDashboard,
  currentDashboard,
  dashboardInput,
  dashboardOfBody,
  dashboardSchema,
  deleteDashboard,
  faultsOfDashboard,
  listDashboards,
  partsOfBody,
  readDashboard,
  requireValidDashboard,
  type StoredDashboard,
  updateDashboard,
} from "@rowhouse/readings";
import { requireUnchanged, tagOfReading } from "../reading-tag.ts";
import { mountRecords } from "../record-routes.ts";

/** Serves dashboards: several readings shown together. They grant no rights. */
export function mountDashboardRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRecords(router, {
    path: "/admin/api/dashboards",
    noun: "dashboard",
    item: dashboardSchema,
    exact: true,
    tagOf: tagOfReading,
    list: {
      summary: "List the dashboards",
      order: "By position and name",
      run: async ({ page }) => {
        const { items, nextCursor } = await listDashboards(database, { ...page, roleIds: null });
        return { items: items.map(currentDashboard), nextCursor };
      },
    },
    create: {
      summary: "Create a dashboard",
      body: dashboardInput,
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: async ({ data, actor }) => {
        const dashboard = dashboardOfBody(data);
        const snapshot = await snapshots.fresh();
        requireValidDashboard(snapshot, dashboard);
        const columns = columnsOfDashboard(snapshot, dashboard);
        return currentDashboard(await createDashboard(database, dashboard, columns, actor));
      },
    },
    read: {
      summary: "Get a dashboard",
      run: async ({ at }) => currentDashboard(await readDashboard(database, at.id)),
    },
    update: {
      summary: "Change a dashboard; panels replaces all panels, parameters all parameters",
      body: dashboardInput.partial(),
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: async ({ at, data, actor, ifMatch }) => {
        const changes = partsOfBody(data);
        const snapshot = await snapshots.fresh();
        const changed = {
          parameters: changes.parameters !== undefined,
          panels: changes.panels !== undefined,
        };
        const revise = (stored: StoredDashboard) => {
          requireUnchanged(currentDashboard(stored), ifMatch, "dashboard");
          const dashboard = { ...currentDashboard(stored), ...changes };
          throwFaults(faultsOfDashboard(snapshot, dashboard, changed));
          return { dashboard, columns: columnsOfDashboard(snapshot, dashboard) };
        };
        return currentDashboard(await updateDashboard(database, at.id, changes, revise, actor));
      },
    },
    remove: {
      summary: "Delete a dashboard with its panels",
      answer: "Dashboard deleted",
      run: ({ at, actor }) => deleteDashboard(database, at.id, actor),
    },
  });
}
