import { createRoute } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
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
  path: "/admin/api/dashboards",
  summary: "List the dashboards",
  request: { query: pageQuery },
  responses: {
    200: listAnswer(dashboardSchema, "By position and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/dashboards",
  summary: "Create a dashboard",
  request: exactDataBody(dashboardInput),
  responses: {
    201: dataAnswer(dashboardSchema, "The dashboard"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/dashboards/{id}",
  summary: "Change a dashboard; panels replaces all panels, parameters all parameters",
  request: {
    params: idParams,
    headers: tagCondition("dashboard"),
    ...exactDataBody(dashboardInput.partial()),
  },
  responses: {
    200: taggedAnswer(dataAnswer(dashboardSchema, "The dashboard")),
    ...errorAnswers(
      "BODY_INVALID",
      "FIELD_UNKNOWN",
      "VALUE_INVALID",
      "NOT_FOUND",
      "PRECONDITION_FAILED",
    ),
  },
});

/** Serves dashboards: several readings shown together. They grant no rights. */
export function mountDashboardRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const request = { ...pageRequest(c.req.valid("query")), roleIds: null };
    const { items, nextCursor } = await listDashboards(database, request);
    return c.json(pageEnvelope({ items: items.map(currentDashboard), nextCursor }), 200);
  });
  router.openapi(create, async (c) => {
    const dashboard = dashboardOfBody(c.req.valid("json").data);
    const snapshot = await snapshots.fresh();
    requireValidDashboard(snapshot, dashboard);
    const columns = columnsOfDashboard(snapshot, dashboard);
    const created = await createDashboard(database, dashboard, columns, actorOf(c));
    return c.json({ data: currentDashboard(created) }, 201);
  });
  mountRead(
    router,
    "/admin/api/dashboards",
    dashboardSchema,
    { summary: "Get a dashboard", description: "The dashboard" },
    async (id) => currentDashboard(await readDashboard(database, id)),
    tagOfReading,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const given = c.req.valid("json").data;
    const changes = partsOfBody(given);
    const ifMatch = ifMatchOf(c.req.valid("header"));
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
    const updated = currentDashboard(
      await updateDashboard(database, id, changes, revise, actorOf(c)),
    );
    return c.json({ data: updated }, 200, tagHeaders(tagOfReading(updated)));
  });
  mountDelete(
    router,
    "/admin/api/dashboards",
    { summary: "Delete a dashboard with its panels", description: "Dashboard deleted" },
    (id, actor) => deleteDashboard(database, id, actor),
  );
}
