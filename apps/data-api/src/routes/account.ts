import { createRoute, z } from "@hono/zod-openapi";
import { type Authenticator, requireSession } from "@rowhouse/access";
import {
  type AccountMails,
  actorOf,
  changeEmail,
  changePassword,
  endSession,
  listSessions,
  readOwnAccount,
  updateOwnAccount,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, envelope, errorAnswers } from "@rowhouse/http";
import { requireCredential, requireSignIn } from "../principal.ts";
import { dataAnswer, email, fields, language, password, personName, user } from "./auth-parts.ts";
import { originOf } from "./request-origin.ts";

const account = user
  .extend({
    timeZone: z.string().nullable(),
    language: z.string().nullable(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .openapi("OwnAccount");
const session = z
  .object({
    id: z.string(),
    method: z.string(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: z.string().openapi({ format: "date-time" }),
    expiresAt: z.string().openapi({ format: "date-time" }),
    current: z.boolean(),
  })
  .openapi("Session");
const refusals = ["AUTHENTICATION_REQUIRED", "SESSION_REQUIRED"] as const;

const me = createRoute({
  method: "get",
  path: "/api/auth/me",
  summary: "The signed-in user",
  responses: { 200: dataAnswer(account, "The user"), ...errorAnswers("AUTHENTICATION_REQUIRED") },
});
const updateMe = createRoute({
  method: "patch",
  path: "/api/auth/me",
  summary: "Change your name, time zone or language",
  request: fields({
    name: personName.optional(),
    timeZone: z.string().max(100).nullable().optional(),
    language: language.nullable().optional(),
  }),
  responses: {
    200: dataAnswer(account, "The user"),
    ...errorAnswers(...refusals, "BODY_INVALID"),
  },
});
const sessions = createRoute({
  method: "get",
  path: "/api/auth/sessions",
  summary: "List your sessions",
  responses: {
    200: dataAnswer(z.array(session), "Newest first"),
    ...errorAnswers(...refusals),
  },
});
const deleteSession = createRoute({
  method: "delete",
  path: "/api/auth/sessions/{id}",
  summary: "End one of your sessions",
  request: { params: z.object({ id: z.guid() }) },
  responses: {
    204: { description: "The session has ended" },
    ...errorAnswers(...refusals, "NOT_FOUND"),
  },
});
const change = createRoute({
  method: "post",
  path: "/api/auth/password/change",
  summary: "Change your password and end your other sessions",
  request: fields({ currentPassword: password, newPassword: password }),
  responses: {
    204: { description: "The password is changed" },
    ...errorAnswers(...refusals, "BODY_INVALID", "RATE_LIMIT_EXCEEDED"),
  },
});
const changeAddress = createRoute({
  method: "post",
  path: "/api/auth/email/change",
  summary: "Send a confirmation link to a new email address",
  request: fields({ currentPassword: password, newEmail: email }),
  responses: {
    204: { description: "A mail was sent to the address" },
    ...errorAnswers(...refusals, "BODY_INVALID", "RATE_LIMIT_EXCEEDED"),
  },
});

/** Routes of users for their own account. They require a session, but a token may request its owner. */
export function mountAccountRoutes(
  router: ApiRouter,
  dependencies: {
    readonly database: Database;
    readonly authenticator: Authenticator;
    readonly mails: AccountMails;
  },
): void {
  const { database, authenticator } = dependencies;
  router.on("GET", "/api/auth/me", requireCredential(authenticator));
  router.on("PATCH", "/api/auth/me", requireSignIn(authenticator));
  router.use("/api/auth/sessions/*", requireSignIn(authenticator));
  router.use("/api/auth/password/change", requireSignIn(authenticator));
  router.use("/api/auth/email/change", requireSignIn(authenticator));

  router.openapi(me, async (c) =>
    c.json(envelope(await readOwnAccount(database, c.get("principal"))), 200),
  );
  router.openapi(updateMe, async (c) => {
    const principal = c.get("principal");
    const changes = c.req.valid("json");
    return c.json(envelope(await updateOwnAccount(database, principal, changes, originOf(c))), 200);
  });
  router.openapi(sessions, async (c) => {
    const principal = c.get("principal");
    const { id } = requireSession(principal);
    return c.json(envelope(await listSessions(database, principal.userId, id)), 200);
  });
  router.openapi(deleteSession, async (c) => {
    const { userId } = c.get("principal");
    await endSession(database, userId, c.req.valid("param").id, actorOf(userId, originOf(c)));
    return c.body(null, 204);
  });
  router.openapi(change, async (c) => {
    await changePassword(database, c.get("principal"), c.req.valid("json"), originOf(c));
    return c.body(null, 204);
  });
  router.openapi(changeAddress, async (c) => {
    await changeEmail(dependencies, c.get("principal"), c.req.valid("json"), originOf(c));
    return c.body(null, 204);
  });
}
