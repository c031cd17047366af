import { createRoute, z } from "@hono/zod-openapi";
import {
  type AccountMails,
  createInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  dataBody,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

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

const list = createRoute({
  method: "get",
  path: "/admin/api/invitations",
  summary: "List the invitations",
  request: { query: pageQuery },
  responses: { 200: listAnswer(invitation, "Newest first"), ...errorAnswers("QUERY_INVALID") },
});
const create = createRoute({
  method: "post",
  path: "/admin/api/invitations",
  summary: "Invite a person by mail",
  request: dataBody(
    z.strictObject({
      email: z.email().max(320),
      name: z.string().trim().max(200).optional(),
      language: z.string().max(35).nullable().optional(),
      roleIds: z.array(z.guid()).min(1).max(100),
    }),
  ),
  responses: {
    201: dataAnswer(invitation, "The invitation; only the mail contains its link"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "CONFLICT"),
  },
});

/** Serves invitations to an account with roles. */
export function mountInvitationRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly mails: AccountMails },
): void {
  const { database } = dependencies;
  router.openapi(list, async (c) =>
    c.json(pageEnvelope(await listInvitations(database, pageRequest(c.req.valid("query")))), 200),
  );
  router.openapi(create, async (c) => {
    const { data } = c.req.valid("json");
    const input = { ...data, name: data.name ?? "", language: data.language ?? null };
    return c.json({ data: await createInvitation(dependencies, input, actorOf(c)) }, 201);
  });
  mountRead(
    router,
    "/admin/api/invitations",
    invitation,
    { summary: "Get an invitation", description: "The invitation" },
    (id) => readInvitation(database, id),
  );
  mountDelete(
    router,
    "/admin/api/invitations",
    {
      summary: "Revoke an invitation",
      description: "Invitation revoked; its link is no longer valid",
    },
    (id, actor) => revokeInvitation(database, id, actor),
    ["CONFLICT"],
  );
}
