import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createRole,
  deleteRole,
  listRoles,
  readRole,
  tagOfRole,
  updateRole,
} from "@rowhouse/permissions";
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";

const role = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    apiAccess: z.boolean(),
    tokenCreation: z.boolean(),
    isAdministrators: z.boolean(),
    memberCount: z.int(),
    createdAt: moment,
  })
  .openapi("Role");

const input = z.strictObject({
  name: z.string().trim().min(1).max(100),
  description: z.string().max(1000).optional(),
  apiAccess: z.boolean().optional(),
  tokenCreation: z.boolean().optional(),
});

const list = createRoute({
  method: "get",
  path: "/admin/api/roles",
  summary: "List the roles",
  request: { query: pageQuery },
  responses: { 200: listAnswer(role, "By name"), ...errorAnswers("QUERY_INVALID") },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/roles",
  summary: "Create a role",
  request: dataBody(input),
  responses: {
    201: dataAnswer(role, "The role, without members and grants"),
    ...errorAnswers("BODY_INVALID", "CONFLICT"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/roles/{id}",
  summary: "Change a role",
  request: { params: idParams, headers: tagCondition("role"), ...dataBody(input.partial()) },
  responses: {
    200: taggedAnswer(dataAnswer(role, "The role")),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "PRECONDITION_FAILED", "CONFLICT"),
  },
});

/** Serves roles, the sets of grants. */
export function mountRoleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) =>
    c.json(pageEnvelope(await listRoles(database, pageRequest(c.req.valid("query")))), 200),
  );
  router.openapi(create, async (c) =>
    c.json({ data: await createRole(database, c.req.valid("json").data, actorOf(c)) }, 201),
  );
  mountRead(
    router,
    "/admin/api/roles",
    role,
    { summary: "Get a role", description: "The role" },
    (id) => readRole(database, id),
    tagOfRole,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const data = await updateRole(database, id, changes, actorOf(c), ifMatch);
    return c.json({ data }, 200, tagHeaders(tagOfRole(data)));
  });
  mountDelete(
    router,
    "/admin/api/roles",
    { summary: "Delete a role with its memberships and grants", description: "Role deleted" },
    (id, actor) => deleteRole(database, id, actor),
    ["CONFLICT"],
  );
}
