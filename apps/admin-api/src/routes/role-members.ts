import { createRoute, z } from "@hono/zod-openapi";
import type { AccountMails } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { addRoleMember, listRoleMembers, removeRoleMember } from "@rowhouse/permissions";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const member = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    active: z.boolean(),
    createdAt: moment,
  })
  .openapi("RoleMember");

const list = createRoute({
  method: "get",
  path: "/admin/api/roles/{id}/members",
  summary: "List the members of a role",
  request: { params: idParams, query: pageQuery },
  responses: {
    200: listAnswer(member, "By address"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const add = createRoute({
  method: "post",
  path: "/admin/api/roles/{id}/members",
  summary: "Add a user to a role",
  request: { params: idParams, ...dataBody(z.strictObject({ userId: z.guid() })) },
  responses: {
    201: dataAnswer(member, "The member"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/admin/api/roles/{id}/members/{userId}",
  summary: "Remove a user from a role",
  request: { params: idParams.extend({ userId: z.guid() }) },
  responses: {
    204: { description: "Membership removed" },
    ...errorAnswers("NOT_FOUND", "CONFLICT"),
  },
});

/** Serves the members of roles. */
export function mountRoleMemberRoutes(
  router: ApiRouter,
  { database, mails }: { readonly database: Database; readonly mails: AccountMails },
): void {
  router.openapi(list, async (c) => {
    const { id } = c.req.valid("param");
    const page = await listRoleMembers(database, id, pageRequest(c.req.valid("query")));
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(add, async (c) => {
    const { id } = c.req.valid("param");
    const { userId } = c.req.valid("json").data;
    const member = await addRoleMember(database, id, userId, actorOf(c));
    // Administrators receive a notice about a new administrator.
    mails.wake();
    return c.json({ data: member }, 201);
  });
  router.openapi(remove, async (c) => {
    const { id, userId } = c.req.valid("param");
    await removeRoleMember(database, id, userId, actorOf(c));
    return c.body(null, 204);
  });
}
