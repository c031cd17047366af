import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { addInvokeGrant, listInvokeGrants, removeInvokeGrant } from "@rowhouse/workflows";
import { mountRoute, one } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { idParams } from "../route-parts.ts";

const grant = z.object({ roleId: z.string(), roleName: z.string() }).openapi("InvokeGrant");

/**
 * Serves the roles whose members may call a workflow's authenticated webhook. Administrators also require such a role.
 */
export function mountWorkflowAccessRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
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
