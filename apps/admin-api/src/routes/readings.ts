import { z } from "@hono/zod-openapi";
import {
  type Database,
  entityTagOf,
  type RecordFilter,
  requireEntityTag,
  type Snapshot,
  type SnapshotStore,
} from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import type { ApiRouter } from "@rowhouse/http";
import {
  columnsOfDashboard,
  columnsOfDataView,
  currentDashboard,
  currentDataView,
  type DashboardInput,
  type DataViewInput,
  dashboardInput,
  dashboardOfBody,
  dashboardRecords,
  dashboardSchema,
  dataViewInput,
  dataViewRecords,
  dataViewSchema,
  faultsOfDashboard,
  faultsOfRoles,
  namedDashboard,
  namedDataView,
  ofResource,
  partsOfBody,
  type ReadingRecords,
  requireValidDashboard,
  requireValidDataView,
  viewOfBody,
  withoutAbsent,
} from "@rowhouse/readings";
import { writeExactJson } from "@rowhouse/wire";
import { mountRecords } from "../record-routes.ts";

interface ReadingDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
}

/** Serves dashboards: several readings shown together. They grant no rights. */
export function mountDashboardRoutes(router: ApiRouter, dependencies: ReadingDependencies): void {
  mountReadings(router, dependencies, {
    path: "/admin/api/dashboards",
    noun: "dashboard",
    item: dashboardSchema,
    query: z.object({}),
    filterOf: () => [],
    records: dashboardRecords,
    current: currentDashboard,
    named: namedDashboard,
    body: dashboardInput,
    inputOf: dashboardOfBody,
    changes: dashboardInput.partial(),
    changesOf: partsOfBody,
    columnsOf: columnsOfDashboard,
    requireValid: requireValidDashboard,
    requireValidChange: (snapshot, dashboard, { parameters, panels }) => {
      const changed = { parameters: parameters !== undefined, panels: panels !== undefined };
      throwFaults(faultsOfDashboard(snapshot, dashboard, changed));
    },
    words: {
      list: "List the dashboards",
      create: "Create a dashboard",
      read: "Get a dashboard",
      update: "Change a dashboard; panels replaces all panels, parameters all parameters",
      remove: "Delete a dashboard with its panels",
      removed: "Dashboard deleted",
    },
  });
}

/** Serves DataViews: saved readings of resources. They grant no rights. */
export function mountDataViewRoutes(router: ApiRouter, dependencies: ReadingDependencies): void {
  mountReadings(router, dependencies, {
    path: "/admin/api/data-views",
    noun: "DataView",
    item: dataViewSchema,
    query: z.object({ resourceId: z.guid().optional() }),
    filterOf: ({ resourceId = null }) => [ofResource(resourceId)],
    records: dataViewRecords,
    current: currentDataView,
    named: namedDataView,
    body: dataViewInput,
    inputOf: viewOfBody,
    changes: dataViewInput.omit({ resourceId: true }).partial(),
    changesOf: withoutAbsent,
    columnsOf: columnsOfDataView,
    requireValid: requireValidDataView,
    // A view that names a dropped column can still get another name or other roles.
    requireValidChange: (snapshot, view, { fields, where, orderBy, limit, presentation }) => {
      const isReadAnew = [fields, where, orderBy, limit, presentation].some(
        (part) => part !== undefined,
      );
      if (isReadAnew) requireValidDataView(snapshot, view);
      else throwFaults(faultsOfRoles(view.roleIds, snapshot));
    },
    words: {
      list: "List the DataViews",
      create: "Create a DataView",
      read: "Get a DataView",
      update: "Change a DataView; its resource cannot change",
      remove: "Delete a DataView",
      removed: "DataView deleted",
    },
  });
}

interface ReadingRoutes<
  Input extends DashboardInput | DataViewInput,
  Stored extends { readonly id: string; readonly name: string },
  Item extends z.ZodType,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Changes extends z.ZodType,
> {
  readonly path: `/${string}`;
  readonly noun: string;
  readonly item: Item;
  readonly query: Query;
  readonly filterOf: (query: z.output<Query>) => readonly RecordFilter[];
  readonly records: ReadingRecords<Input, Stored>;
  /** Returns a stored record with the current names of its columns, and of the labels in its filters. */
  readonly current: (stored: Stored, snapshot: Snapshot) => z.input<Item> & Input;
  /** Returns a stored record with the current names of its columns. */
  readonly named: (stored: Stored) => Input;
  readonly body: Body;
  readonly inputOf: (body: z.output<Body>) => Input;
  readonly changes: Changes;
  readonly changesOf: (body: z.output<Changes>) => Partial<Input>;
  readonly columnsOf: (
    snapshot: Snapshot,
    input: Input,
  ) => Parameters<ReadingRecords<Input, Stored>["create"]>[2];
  readonly requireValid: (snapshot: Snapshot, input: Input) => void;
  readonly requireValidChange: (snapshot: Snapshot, input: Input, changes: Partial<Input>) => void;
  readonly words: Readonly<
    Record<"list" | "create" | "read" | "update" | "remove" | "removed", string>
  >;
}

/** Mounts the routes of dashboards, or those of DataViews. */
function mountReadings<
  Input extends DashboardInput | DataViewInput,
  Stored extends { readonly id: string; readonly name: string },
  Item extends z.ZodType<object>,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Changes extends z.ZodType,
>(
  router: ApiRouter,
  { database, snapshots }: ReadingDependencies,
  kind: ReadingRoutes<Input, Stored, Item, Query, Body, Changes>,
): void {
  const { records, current, named, columnsOf, noun, words } = kind;
  const tagOf = (record: object) => entityTagOf(writeExactJson(record));
  mountRecords(router, {
    path: kind.path,
    noun,
    item: kind.item,
    exact: true,
    tagOf: (record) => tagOf(record as object),
    list: {
      summary: words.list,
      order: "By position and name",
      query: kind.query,
      run: async ({ page, query }) => {
        const request = { ...page, roleIds: null };
        const { items, nextCursor } = await records.list(
          database,
          request,
          ...kind.filterOf(query),
        );
        const snapshot = await snapshots.fresh();
        return { items: items.map((stored) => current(stored, snapshot)), nextCursor };
      },
    },
    create: {
      summary: words.create,
      body: kind.body,
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: async ({ data, actor }) => {
        const input = kind.inputOf(data);
        const snapshot = await snapshots.fresh();
        kind.requireValid(snapshot, input);
        const columns = columnsOf(snapshot, input);
        return current(await records.create(database, input, columns, actor), snapshot);
      },
    },
    read: {
      summary: words.read,
      run: async ({ at }) => current(await records.read(database, at.id), await snapshots.fresh()),
    },
    update: {
      summary: words.update,
      body: kind.changes,
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: async ({ at, data, actor, ifMatch }) => {
        const changes = kind.changesOf(data);
        const snapshot = await snapshots.fresh();
        const revise = (stored: Stored) => {
          if (ifMatch !== undefined) {
            const message = `The ${noun} has changed since it was read`;
            requireEntityTag(tagOf(current(stored, snapshot)), ifMatch, message);
          }
          const input: Input = { ...named(stored), ...changes };
          kind.requireValidChange(snapshot, input, changes);
          return { input, columns: columnsOf(snapshot, input) };
        };
        return current(await records.update(database, at.id, changes, revise, actor), snapshot);
      },
    },
    remove: {
      summary: words.remove,
      answer: words.removed,
      run: ({ at, actor }) => records.remove(database, at.id, actor),
    },
  });
}
