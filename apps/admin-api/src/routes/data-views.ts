import { createRoute, z } from "@hono/zod-openapi";
import type { Database, Snapshot, SnapshotStore } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createDataView,
  type DataViewInput,
  type DataViewRecord,
  deleteDataView,
  listDataViews,
  readDataView,
  updateDataView,
} from "@rowhouse/saved-views";
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  exactDataBody,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";
import {
  faultsOf,
  faultsOfRoles,
  fieldNames,
  filter,
  orderTerms,
  presentation,
  readingDescription,
  readingName,
  roleIds,
  rowLimit,
} from "./reading-parts.ts";

const dataView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    resourceId: z.string(),
    fields: z.array(z.string()).nullable(),
    where: z.record(z.string(), z.unknown()).nullable(),
    orderBy: z.array(z.string()),
    limit: z.int().nullable(),
    presentation: z.record(z.string(), z.unknown()),
    roleIds: z.array(z.string()),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("DataView");

const input = z.strictObject({
  name: readingName,
  description: readingDescription.optional(),
  resourceId: z.guid(),
  fields: fieldNames.optional(),
  where: filter.optional(),
  orderBy: orderTerms.optional(),
  limit: rowLimit.optional().openapi({ description: "Maximum number of rows" }),
  presentation: presentation.optional(),
  roleIds: roleIds.optional(),
});

const list = createRoute({
  method: "get",
  path: "/admin/api/data-views",
  summary: "List the DataViews",
  request: { query: pageQuery.extend({ resourceId: z.guid().optional() }) },
  responses: { 200: listAnswer(dataView, "By name"), ...errorAnswers("QUERY_INVALID") },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/data-views",
  summary: "Create a DataView",
  request: exactDataBody(input),
  responses: {
    201: dataAnswer(dataView, "The DataView"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/data-views/{id}",
  summary: "Change a DataView; its resource cannot change",
  request: { params: idParams, ...exactDataBody(input.omit({ resourceId: true }).partial()) },
  responses: {
    200: dataAnswer(dataView, "The DataView"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID", "NOT_FOUND"),
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
    return c.json(pageEnvelope(await listDataViews(database, request)), 200);
  });
  router.openapi(create, async (c) => {
    const { description = "", fields = null, where = null, ...given } = c.req.valid("json").data;
    const { orderBy = [], limit = null, presentation = {}, roleIds = [], ...rest } = given;
    const standard = { description, fields, where, orderBy, limit, presentation, roleIds };
    const view: DataViewInput = { ...rest, ...standard };
    check(await snapshots.fresh(), view);
    return c.json({ data: await createDataView(database, view, actorOf(c)) }, 201);
  });
  mountRead(
    router,
    "/admin/api/data-views",
    dataView,
    { summary: "Get a DataView", description: "The DataView" },
    (id) => readDataView(database, id),
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const snapshot = await snapshots.fresh();
    const { fields, where, orderBy, limit } = changes;
    const isReadAnew = [fields, where, orderBy, limit].some((part) => part !== undefined);
    const checkChanged = (view: DataViewRecord) =>
      isReadAnew ? check(snapshot, view) : throwFaults(faultsOfRoles(view.roleIds, snapshot));
    const view = await updateDataView(database, id, changes, checkChanged, actorOf(c));
    return c.json({ data: view }, 200);
  });
  mountDelete(
    router,
    "/admin/api/data-views",
    { summary: "Delete a DataView", description: "DataView deleted" },
    (id, actor) => deleteDataView(database, id, actor),
  );
}

function check(snapshot: Snapshot, view: DataViewInput): void {
  const reading = { kind: "LIST", ...view } as const;
  throwFaults([
    ...faultsOf(snapshot, view.resourceId, "/data/resourceId", reading, "/data"),
    ...faultsOfRoles(view.roleIds, snapshot),
  ]);
}
