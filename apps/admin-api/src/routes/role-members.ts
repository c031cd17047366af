import { z } from "@hono/zod-openapi";
import type { AccountMails } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, idParams } from "@rowhouse/http";
import { addRoleMember, listRoleMembers, removeRoleMember } from "@rowhouse/permissions";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

const member = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    active: z.boolean(),
    createdAt: moment,
  })
  .openapi("RoleMember");

/** Serves the members of roles. */
export function mountRoleMemberRoutes(
  router: ApiRouter,
  { database, mails }: { readonly database: Database; readonly mails: AccountMails },
): void {
  mountRecords(router, {
    path: "/admin/api/roles/{id}/members",
    params: idParams.extend({ userId: z.guid() }),
    noun: "member",
    item: member,
    list: {
      summary: "List the members of a role",
      order: "By address",
      run: ({ at, page }) => listRoleMembers(database, at.id, page),
    },
    create: {
      summary: "Add a user to a role",
      body: z.strictObject({ userId: z.guid() }),
      codes: ["VALUE_INVALID", "CONFLICT"],
      run: async ({ at, data, actor }) => {
        const added = await addRoleMember(database, at.id, data.userId, actor);
        // Administrators receive a notice about a new administrator.
        mails.wake();
        return added;
      },
    },
    remove: {
      summary: "Remove a user from a role",
      answer: "Membership removed",
      codes: ["CONFLICT"],
      run: ({ at, actor }) => removeRoleMember(database, at.id, at.userId, actor),
    },
  });
}
