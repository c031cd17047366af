import { createRoute, z } from "@hono/zod-openapi";
import { isVisibleResource } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  readingName,
  readVisibleView,
  savedViewsMax,
  updateSavedView,
} from "@rowhouse/readings";
import { roundNumbers } from "@rowhouse/wire";
import { dataAnswer, exactDataBody, idParams, moment } from "../../route-parts.ts";
import { viewDefinition } from "./view-definition.ts";

const savedView = z
  .object({
    id: z.string(),
    resourceId: z.string(),
    name: z.string(),
    position: z.int(),
    definition: z.record(z.string(), z.unknown()),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("SavedView");

const position = z
  .preprocess(roundNumbers, z.int().min(0).max(1_000_000))
  .openapi({ type: "integer", minimum: 0, maximum: 1_000_000 });

const input = z.strictObject({
  resourceId: z.guid(),
  name: readingName,
  position: position.optional().openapi({ description: "By default after all others" }),
  definition: viewDefinition,
});

const path = "/app/api/saved-views";

const list = createRoute({
  method: "get",
  path,
  operationId: "listSavedViews",
  summary: `List one's saved views, at most ${savedViewsMax}`,
  request: { query: z.strictObject({ resourceId: z.guid().optional() }) },
  responses: {
    200: dataAnswer(z.array(savedView), "By position and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

const create = createRoute({
  method: "post",
  path,
  operationId: "createSavedView",
  summary: "Save a view of a resource for oneself",
  request: exactDataBody(input),
  responses: {
    201: dataAnswer(savedView, "The saved view"),
    ...errorAnswers("BODY_INVALID", "CONFLICT", "NOT_FOUND"),
  },
});

const read = createRoute({
  method: "get",
  path: `${path}/{id}`,
  operationId: "readSavedView",
  summary: "Get a saved view of one's own",
  request: { params: idParams },
  responses: { 200: dataAnswer(savedView, "The saved view"), ...errorAnswers("NOT_FOUND") },
});

const update = createRoute({
  method: "patch",
  path: `${path}/{id}`,
  operationId: "updateSavedView",
  summary: "Change a saved view; its resource cannot change",
  request: { params: idParams, ...exactDataBody(input.omit({ resourceId: true }).partial()) },
  responses: {
    200: dataAnswer(savedView, "The saved view"),
    ...errorAnswers("BODY_INVALID", "CONFLICT", "NOT_FOUND"),
  },
});

const remove = createRoute({
  method: "delete",
  path: `${path}/{id}`,
  operationId: "deleteSavedView",
  summary: "Delete a saved view",
  request: { params: idParams },
  responses: { 204: { description: "Saved view deleted" }, ...errorAnswers("NOT_FOUND") },
});

/** Serves the views that a person saved. They grant nothing: the Data API checks the names that they contain. */
export function mountSavedViewRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const principal = c.get("principal");
    const wanted = c.req.valid("query").resourceId?.toLowerCase();
    const snapshot = await snapshots.fresh();
    const visible = new Map<string, boolean>();
    const data = (await listSavedViews(database, principal.userId)).filter(({ resourceId }) => {
      if (wanted !== undefined && wanted !== resourceId) return false;
      const isKnown = visible.get(resourceId) ?? isVisibleResource(resourceId, snapshot, principal);
      visible.set(resourceId, isKnown);
      return isKnown;
    });
    return c.json({ data }, 200);
  });
  router.openapi(create, async (c) => {
    const principal = c.get("principal");
    const view = c.req.valid("json").data;
    if (!isVisibleResource(view.resourceId, await snapshots.fresh(), principal)) {
      throw createError("BODY_INVALID", { path: "/data/resourceId", message: "Unknown resource" });
    }
    return c.json({ data: await createSavedView(database, principal.userId, view) }, 201);
  });
  router.openapi(read, async (c) => {
    const { id } = c.req.valid("param");
    const snapshot = await snapshots.fresh();
    const data = await readVisibleView(database, snapshot, c.get("principal"), id);
    return c.json({ data }, 200);
  });
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const principal = c.get("principal");
    await readVisibleView(database, await snapshots.fresh(), principal, id);
    const changes = c.req.valid("json").data;
    return c.json({ data: await updateSavedView(database, principal.userId, id, changes) }, 200);
  });
  router.openapi(remove, async (c) => {
    const { id } = c.req.valid("param");
    const principal = c.get("principal");
    await readVisibleView(database, await snapshots.fresh(), principal, id);
    await deleteSavedView(database, principal.userId, id);
    return c.body(null, 204);
  });
}
