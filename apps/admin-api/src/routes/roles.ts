import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import {
  createRole,
  deleteRole,
  listRoles,
  readRole,
  tagOfRole,
  updateRole,
} from "@rowhouse/permissions";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

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

/** Serves roles, the sets of grants. */
export function mountRoleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountRecords(router, {
    path: "/admin/api/roles",
    noun: "role",
    item: role,
    tagOf: tagOfRole,
    list: {
      summary: "List the roles",
      order: "By name",
      run: ({ page }) => listRoles(database, page),
    },
    create: {
      summary: "Create a role",
      body: input,
      answer: "The role, without members and grants",
      codes: ["CONFLICT"],
      run: ({ data, actor }) => createRole(database, data, actor),
    },
    read: { summary: "Get a role", run: ({ at }) => readRole(database, at.id) },
    update: {
      summary: "Change a role",
      body: input.partial(),
      codes: ["CONFLICT"],
      run: ({ at, data, actor, ifMatch }) => updateRole(database, at.id, data, actor, ifMatch),
    },
    remove: {
      summary: "Delete a role with its memberships and grants",
      answer: "Role deleted",
      codes: ["CONFLICT"],
      run: ({ at, actor }) => deleteRole(database, at.id, actor),
    },
  });
}
