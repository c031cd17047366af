import { createRoute, z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
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
import { actorOf } from "../administrator.ts";
import { requireUnchanged, tagOfReading } from "../reading-tag.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  exactDataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";

const list = createRoute({
  method: "get",
  path: "/admin/api/data-views",
  summary: "List the DataViews",
  request: { query: pageQuery.extend({ resourceId: z.guid().optional() }) },
  responses: {
    200: listAnswer(dataViewSchema, "By position and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/data-views",
  summary: "Create a DataView",
  request: exactDataBody(dataViewInput),
  responses: {
    201: dataAnswer(dataViewSchema, "The DataView"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/data-views/{id}",
  summary: "Change a DataView; its resource cannot change",
  request: {
    params: idParams,
    headers: tagCondition("DataView"),
    ...exactDataBody(dataViewInput.omit({ resourceId: true }).partial()),
  },
  responses: {
    200: taggedAnswer(dataAnswer(dataViewSchema, "The DataView")),
    ...errorAnswers(
      "BODY_INVALID",
      "FIELD_UNKNOWN",
      "VALUE_INVALID",
      "NOT_FOUND",
      "PRECONDITION_FAILED",
    ),
  },
});

/** Serves DataViews: saved readings of resources. They grant no rights. */
export function mountDataViewRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const { resourceId = null, ...query } = c.req.valid("query");
    const request = { ...pageRequest(query), resourceId, roleIds: null };
    const { items, nextCursor } = await listDataViews(database, request);
    return c.json(pageEnvelope({ items: items.map(currentDataView), nextCursor }), 200);
  });
  router.openapi(create, async (c) => {
    const view = viewOfBody(c.req.valid("json").data);
    const snapshot = await snapshots.fresh();
    requireValidDataView(snapshot, view);
    const columns = columnsOfDataView(snapshot, view);
    const created = await createDataView(database, view, columns, actorOf(c));
    return c.json({ data: currentDataView(created) }, 201);
  });
  mountRead(
    router,
    "/admin/api/data-views",
    dataViewSchema,
    { summary: "Get a DataView", description: "The DataView" },
    async (id) => currentDataView(await readDataView(database, id)),
    tagOfReading,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
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
    const view = currentDataView(await updateDataView(database, id, changes, revise, actorOf(c)));
    return c.json({ data: view }, 200, tagHeaders(tagOfReading(view)));
  });
  mountDelete(
    router,
    "/admin/api/data-views",
    { summary: "Delete a DataView", description: "DataView deleted" },
    (id, actor) => deleteDataView(database, id, actor),
  );
}
