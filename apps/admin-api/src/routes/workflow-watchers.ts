import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { addWatcher, listWatchers, removeWatcher } from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const watcher = z
  .object({ userId: z.string(), name: z.string(), email: z.string(), since: moment })
  .openapi("WorkflowWatcher");
const watcherParams = idParams.extend({ userId: z.guid() });

const list = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/watchers",
  summary: "List the administrators who get a mail when a run of the workflow fails",
  request: { params: idParams, query: pageQuery },
  responses: {
    200: listAnswer(watcher, "By address"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const add = createRoute({
  method: "put",
  path: "/admin/api/workflows/{id}/watchers/{userId}",
  summary: "Let an administrator watch the workflow",
  request: { params: watcherParams },
  responses: {
    200: dataAnswer(watcher, "The watcher"),
    ...errorAnswers("NOT_FOUND", "CONFLICT"),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/admin/api/workflows/{id}/watchers/{userId}",
  summary: "End the watch of a person",
  request: { params: watcherParams },
  responses: { 204: { description: "Watch ended" }, ...errorAnswers("NOT_FOUND") },
});

/** Serves the watchers of a workflow. */
export function mountWorkflowWatcherRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const page = pageRequest(c.req.valid("query"));
    const found = await listWatchers(database, c.req.valid("param").id, page);
    return c.json(pageEnvelope(found), 200);
  });
  router.openapi(add, async (c) => {
    const { id, userId } = c.req.valid("param");
    return c.json({ data: await addWatcher(database, id, userId, actorOf(c)) }, 200);
  });
  router.openapi(remove, async (c) => {
    const { id, userId } = c.req.valid("param");
    await removeWatcher(database, id, userId, actorOf(c));
    return c.body(null, 204);
  });
}
