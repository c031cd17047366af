import { z } from "@hono/zod-openapi";
import {
  type AccountMails,
  createInvitation,
  linkInvitation,
  listInvitations,
  readInvitation,
  resendInvitation,
  revokeInvitation,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, one } from "@rowhouse/http";
import { mountRoute } from "../mount-route.ts";
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
    inviter: z.string().nullable().openapi({
      description: "The name of the inviter, or the address of one without a name",
    }),
    userId: z.string().nullable(),
    createdAt: moment,
    expiresAt: moment,
  })
  .openapi("Invitation");

const returnTo = z.string().max(2000).optional().openapi({
  description:
    "A page of another front end to which the link leads, with `#token=…&kind=invitation`; one of `auth.return_addresses`",
});

/** Serves invitations to an account with roles. */
export function mountInvitationRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly mails: AccountMails },
): void {
  const { database } = dependencies;
  const path = "/admin/api/invitations";
  mountRecords(router, {
    path,
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
        returnTo,
      }),
      answer: "The invitation; its mail contains the link",
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
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/mail`,
    summary: "Send the mail of an invitation again, with a new link",
    query: z.object({ returnTo }),
    codes: ["CONFLICT"],
    answer: one(invitation, "The invitation, whose time begins anew; earlier links stop working"),
    run: ({ at, query, actor }) => resendInvitation(dependencies, at.id, query, actor),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/link`,
    summary: "Create a link to an invitation, to hand it over in place of a mail",
    description:
      "The link is in this response alone. A person who opens it can accept the invitation.",
    query: z.object({ returnTo }),
    codes: ["CONFLICT"],
    answer: one(
      z.object({ url: z.string(), expiresAt: moment }),
      "The link; earlier ones stop working, and a mail that waits is not sent",
    ),
    run: ({ at, query, actor }) => linkInvitation(dependencies, at.id, query, actor),
  });
}
