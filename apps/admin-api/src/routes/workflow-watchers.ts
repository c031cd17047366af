import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { addWatcher, listWatchers, removeWatcher } from "@rowhouse/workflows";
import { mountRoute, one } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { idParams, moment } from "../route-parts.ts";

const watcher = z
  .object({ userId: z.string(), name: z.string(), email: z.string(), since: moment })
  .openapi("WorkflowWatcher");
const watcherParams = idParams.extend({ userId: z.guid() });

/** Serves the watchers of a workflow. */
export function mountWorkflowWatcherRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/admin/api/workflows/{id}/watchers";
  mountRecords(router, {
    path,
    params: watcherParams,
    noun: "watcher",
    item: watcher,
    list: {
      summary: "List the administrators who get a mail when a run of the workflow fails",
      order: "By address",
      run: ({ at, page }) => listWatchers(database, at.id, page),
    },
    remove: {
      summary: "End the watch of a person",
      answer: "Watch ended",
      run: ({ at, actor }) => removeWatcher(database, at.id, at.userId, actor),
    },
  });
  mountRoute(router, {
    method: "put",
    path: `${path}/{userId}`,
    params: watcherParams,
    summary: "Let an administrator watch the workflow",
    codes: ["CONFLICT"],
    answer: one(watcher, "The watcher"),
    run: ({ at, actor }) => addWatcher(database, at.id, at.userId, actor),
  });
}
