import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, idParams, one } from "@rowhouse/http";
import {
  addInvokeGrant,
  addWatcher,
  listInvokeGrants,
  listWatchers,
  removeInvokeGrant,
  removeWatcher,
} from "@rowhouse/workflows";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

/** Serves the roles that may call a workflow's webhook, and the people who watch its runs. */
export function mountWorkflowPeopleRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database },
): void {
  mountInvokeGrants(router, dependencies);
  mountWatchers(router, dependencies);
}

const grant = z.object({ roleId: z.string(), roleName: z.string() }).openapi("InvokeGrant");

/** Administrators also require such a role. */
function mountInvokeGrants(router: ApiRouter, { database }: { readonly database: Database }): void {
  const path = "/admin/api/workflows/{id}/invoke-grants";
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the roles whose members may call an authenticated webhook",
    answer: one(z.array(grant), "By role"),
    run: ({ at }) => listInvokeGrants(database, at.id),
  });
  mountRecords(router, {
    path,
    params: idParams.extend({ roleId: z.guid() }),
    noun: "grant",
    item: grant,
    create: {
      summary: "Allow a role's members to call the webhook",
      body: z.strictObject({ roleId: z.string() }),
      codes: ["CONFLICT"],
      run: ({ at, data, actor }) => addInvokeGrant(database, at.id, data.roleId, actor),
    },
    remove: {
      summary: "Revoke a role's right to call the webhook",
      answer: "Right revoked",
      run: ({ at, actor }) => removeInvokeGrant(database, at.id, at.roleId, actor),
    },
  });
}

const watcher = z
  .object({ userId: z.string(), name: z.string(), email: z.string(), since: moment })
  .openapi("WorkflowWatcher");
const watcherParams = idParams.extend({ userId: z.guid() });

function mountWatchers(router: ApiRouter, { database }: { readonly database: Database }): void {
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
