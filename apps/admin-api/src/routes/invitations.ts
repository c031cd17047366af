import { z } from "@hono/zod-openapi";
import {
  type AccountMails,
  createInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    language: z.string().nullable(),
    state: z.enum(["open", "accepted", "revoked", "expired"]),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    invitedBy: z.string().nullable(),
    userId: z.string().nullable(),
    createdAt: moment,
    expiresAt: moment,
  })
  .openapi("Invitation");

/** Serves invitations to an account with roles. */
export function mountInvitationRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly mails: AccountMails },
): void {
  const { database } = dependencies;
  mountRecords(router, {
    path: "/admin/api/invitations",
    noun: "invitation",
    item: invitation,
    list: {
      summary: "List the invitations",
      order: "Newest first",
      run: ({ page }) => listInvitations(database, page),
    },
    create: {
      summary: "Invite a person by mail",
      body: z.strictObject({
        email: z.email().max(320),
        name: z.string().trim().max(200).optional(),
        language: z.string().max(35).nullable().optional(),
        roleIds: z.array(z.guid()).min(1).max(100),
      }),
      answer: "The invitation; only the mail contains its link",
      codes: ["VALUE_INVALID", "CONFLICT"],
      run: ({ data: { name = "", language = null, ...data }, actor }) =>
        createInvitation(dependencies, { ...data, name, language }, actor),
    },
    read: { summary: "Get an invitation", run: ({ at }) => readInvitation(database, at.id) },
    remove: {
      summary: "Revoke an invitation",
      answer: "Invitation revoked; its link is no longer valid",
      codes: ["CONFLICT"],
      run: ({ at, actor }) => revokeInvitation(database, at.id, actor),
    },
  });
}
