import { z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import type { ApiRouter } from "@rowhouse/http";
import {
  columnsOfDataView,
  createDataView,
  currentDataView,
  dataViewInput,
  dataViewSchema,
  deleteDataView,
  faultsOfRoles,
  listDataViews,
  readDataView,
  requireValidDataView,
  type StoredDataView,
  updateDataView,
  viewOfBody,
  withoutAbsent,
} from "@rowhouse/readings";
import { requireUnchanged, tagOfReading } from "../reading-tag.ts";
import { mountRecords } from "../record-routes.ts";

/** Serves DataViews: saved readings of resources. They grant no rights. */
export function mountDataViewRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRecords(router, {
    path: "/admin/api/data-views",
    noun: "DataView",
    item: dataViewSchema,
    exact: true,
    tagOf: tagOfReading,
    list: {
      summary: "List the DataViews",
      order: "By position and name",
      query: z.object({ resourceId: z.guid().optional() }),
      run: async ({ page, query: { resourceId = null } }) => {
        const request = { ...page, resourceId, roleIds: null };
        const { items, nextCursor } = await listDataViews(database, request);
        return { items: items.map(currentDataView), nextCursor };
      },
    },
    create: {
      summary: "Create a DataView",
      body: dataViewInput,
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: async ({ data, actor }) => {
        const view = viewOfBody(data);
        const snapshot = await snapshots.fresh();
        requireValidDataView(snapshot, view);
        const columns = columnsOfDataView(snapshot, view);
        return currentDataView(await createDataView(database, view, columns, actor));
      },
    },
    read: {
      summary: "Get a DataView",
      run: async ({ at }) => currentDataView(await readDataView(database, at.id)),
    },
    update: {
      summary: "Change a DataView; its resource cannot change",
      body: dataViewInput.omit({ resourceId: true }).partial(),
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: async ({ at, data: changes, actor, ifMatch }) => {
        const snapshot = await snapshots.fresh();
        const { fields, where, orderBy, limit, presentation } = changes;
        const isReadAnew = [fields, where, orderBy, limit, presentation].some(
          (part) => part !== undefined,
        );
        const revise = (stored: StoredDataView) => {
          const current = currentDataView(stored);
          requireUnchanged(current, ifMatch, "DataView");
          const view = { ...current, ...withoutAbsent(changes) };
          if (isReadAnew) requireValidDataView(snapshot, view);
          else throwFaults(faultsOfRoles(view.roleIds, snapshot));
          return { view, columns: columnsOfDataView(snapshot, view) };
        };
        return currentDataView(await updateDataView(database, at.id, changes, revise, actor));
      },
    },
    remove: {
      summary: "Delete a DataView",
      answer: "DataView deleted",
      run: ({ at, actor }) => deleteDataView(database, at.id, actor),
    },
  });
}
