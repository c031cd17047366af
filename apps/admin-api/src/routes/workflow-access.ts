import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { addInvokeGrant, listInvokeGrants, removeInvokeGrant } from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import { dataAnswer, dataBody, idParams } from "../route-parts.ts";

const grant = z.object({ roleId: z.string(), roleName: z.string() }).openapi("InvokeGrant");

const list = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/invoke-grants",
  summary: "List the roles whose members may call an authenticated webhook",
  request: { params: idParams },
  responses: { 200: dataAnswer(z.array(grant), "By role"), ...errorAnswers("NOT_FOUND") },
});

const add = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/invoke-grants",
  summary: "Allow a role's members to call the webhook",
  request: { params: idParams, ...dataBody(z.strictObject({ roleId: z.string() })) },
  responses: {
    201: dataAnswer(grant, "The grant"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/admin/api/workflows/{id}/invoke-grants/{roleId}",
  summary: "Revoke a role's right to call the webhook",
  request: { params: idParams.extend({ roleId: z.guid() }) },
  responses: {
    204: { description: "Right revoked" },
    ...errorAnswers("NOT_FOUND"),
  },
});

/**
 * Serves the roles whose members may call a workflow's authenticated webhook. Administrators also require such a role.
 */
export function mountWorkflowAccessRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) =>
    c.json({ data: await listInvokeGrants(database, c.req.valid("param").id) }, 200),
  );
  router.openapi(add, async (c) => {
    const { id } = c.req.valid("param");
    const { roleId } = c.req.valid("json").data;
    return c.json({ data: await addInvokeGrant(database, id, roleId, actorOf(c)) }, 201);
  });
  router.openapi(remove, async (c) => {
    const { id, roleId } = c.req.valid("param");
    await removeInvokeGrant(database, id, roleId, actorOf(c));
    return c.body(null, 204);
  });
}
