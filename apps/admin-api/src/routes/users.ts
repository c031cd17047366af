import { createRoute, z } from "@hono/zod-openapi";
import { type AccountMails, checkPassword, resendVerification } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { createUser, listUsers, readUser, tagOfUser, updateUser } from "@rowhouse/permissions";
import { actorOf } from "../administrator.ts";
import { mountRead } from "../record-routes.ts";
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

const user = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    active: z.boolean(),
    isSystem: z.boolean(),
    emailVerified: z.boolean(),
    timeZone: z.string().nullable(),
    language: z.string().nullable(),
    lastSignInAt: moment.nullable(),
    createdAt: moment,
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .openapi("User");

const name = z.string().max(200);
const timeZone = z.string().max(100).nullable();
const language = z.string().max(35).nullable();

const list = createRoute({
  method: "get",
  path: "/admin/api/users",
  summary: "List the users, including system accounts",
  request: { query: pageQuery.extend({ active: z.enum(["true", "false"]).optional() }) },
  responses: { 200: listAnswer(user, "By address"), ...errorAnswers("QUERY_INVALID") },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/users",
  summary: "Create a user with a verified address",
  request: dataBody(
    z.strictObject({
      email: z.email().max(320),
      name: name.optional(),
      password: z.string().max(1024).optional(),
      timeZone: timeZone.optional(),
      language: language.optional(),
    }),
  ),
  responses: {
    201: dataAnswer(user, "The user, without roles"),
    ...errorAnswers("BODY_INVALID", "CONFLICT"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/users/{id}",
  summary: "Change a user",
  request: {
    params: idParams,
    headers: tagCondition("user"),
    ...dataBody(
      z.strictObject({
        email: z.email().max(320).optional().openapi({
          description:
            "Unverified unless `emailVerified` is true: the new address receives a link. The old address receives a notice, and links sent to it become invalid",
        }),
        emailVerified: z
          .boolean()
          .optional()
          .openapi({ description: "Whether the administrator vouches for the address" }),
        name: name.optional(),
        timeZone: timeZone.optional(),
        language: language.optional(),
        active: z.boolean().optional(),
      }),
    ),
  },
  responses: {
    200: taggedAnswer(dataAnswer(user, "The user")),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "PRECONDITION_FAILED", "CONFLICT"),
  },
});

const deactivate = createRoute({
  method: "post",
  path: "/admin/api/users/{id}/deactivate",
  summary: "Deactivate a user and revoke their sessions",
  request: { params: idParams },
  responses: { 200: dataAnswer(user, "The user"), ...errorAnswers("NOT_FOUND", "CONFLICT") },
});

const activate = createRoute({
  method: "post",
  path: "/admin/api/users/{id}/activate",
  summary: "Activate a user",
  request: { params: idParams },
  responses: { 200: dataAnswer(user, "The user"), ...errorAnswers("NOT_FOUND", "CONFLICT") },
});

/** Serves users and system accounts. */
export function mountUserRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly mails: AccountMails },
): void {
  const { database, mails } = dependencies;
  router.openapi(list, async (c) => {
    const query = c.req.valid("query");
    const active = query.active === undefined ? null : query.active === "true";
    const page = await listUsers(database, { ...pageRequest(query), active });
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(create, async (c) => {
    const { data } = c.req.valid("json");
    return c.json({ data: await createUser(database, data, actorOf(c), checkPassword) }, 201);
  });
  mountRead(
    router,
    "/admin/api/users",
    user,
    { summary: "Get a user with their roles", description: "The user" },
    (id) => readUser(database, id),
    tagOfUser,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const { data } = c.req.valid("json");
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const changed = await updateUser(database, id, data, actorOf(c), ifMatch);
    if (data.email !== undefined && !changed.emailVerified) {
      resendVerification(dependencies, changed.email);
    }
    // The old address receives a notice.
    mails.wake();
    return c.json({ data: changed }, 200, tagHeaders(tagOfUser(changed)));
  });
  router.openapi(deactivate, async (c) => {
    const { id } = c.req.valid("param");
    return c.json({ data: await updateUser(database, id, { active: false }, actorOf(c)) }, 200);
  });
  router.openapi(activate, async (c) => {
    const { id } = c.req.valid("param");
    const activated = await updateUser(database, id, { active: true }, actorOf(c));
    // Administrators receive a notice about a reactivated administrator.
    mails.wake();
    return c.json({ data: activated }, 200);
  });
}
