import { createRoute, z } from "@hono/zod-openapi";
import {
  type AccountMails,
  acceptInvitation,
  forgotPassword,
  register,
  resendVerification,
  resetPassword,
  verifyEmail,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, envelope, errorAnswers } from "@rowhouse/http";
import {
  anyEmail,
  dataAnswer,
  email,
  fields,
  language,
  linkToken,
  password,
  personName,
  signInResult,
} from "./auth-parts.ts";
import { originOf } from "./request-origin.ts";

const done = { 204: { description: "Done" } } as const;
/** The same response whether or not the account exists. */
const accepted = {
  204: { description: "If the account exists, a mail was sent to its address" },
} as const;

const registerRoute = createRoute({
  method: "post",
  path: "/api/auth/register",
  summary: "Create an account, while registration is enabled",
  security: [],
  request: fields({ email, password, name: personName, language: language.optional() }),
  responses: {
    201: dataAnswer(
      z.object({ email: z.string() }),
      "The same response whether or not the address is taken",
    ),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "RATE_LIMIT_EXCEEDED"),
  },
});
const forgot = createRoute({
  method: "post",
  path: "/api/auth/password/forgot",
  summary: "Send a mail with a link to set a new password",
  security: [],
  request: fields({ email: anyEmail }),
  responses: { ...accepted, ...errorAnswers("BODY_INVALID", "RATE_LIMIT_EXCEEDED") },
});
const reset = createRoute({
  method: "post",
  path: "/api/auth/password/reset",
  summary: "Set a new password with the token of a link, and end every session",
  security: [],
  request: fields({ token: linkToken, password }),
  responses: { ...done, ...errorAnswers("BODY_INVALID", "RATE_LIMIT_EXCEEDED") },
});
const verify = createRoute({
  method: "post",
  path: "/api/auth/email/verify",
  summary: "Confirm an email address with the token of a link",
  security: [],
  request: fields({ token: linkToken }),
  responses: { ...done, ...errorAnswers("BODY_INVALID", "RATE_LIMIT_EXCEEDED") },
});
const resend = createRoute({
  method: "post",
  path: "/api/auth/email/resend",
  summary: "Send a new link to confirm an address",
  security: [],
  request: fields({ email: anyEmail }),
  responses: { ...accepted, ...errorAnswers("BODY_INVALID", "RATE_LIMIT_EXCEEDED") },
});
const accept = createRoute({
  method: "post",
  path: "/api/auth/invitations/accept",
  summary: "Accept an invitation, set a password and sign in",
  security: [],
  request: fields({ token: linkToken, password, name: personName.optional() }),
  responses: {
    200: dataAnswer(signInResult, "A session"),
    ...errorAnswers("BODY_INVALID", "RATE_LIMIT_EXCEEDED"),
  },
});

/** The public routes for links from mails. */
export function mountMailLinkRoutes(
  router: ApiRouter,
  dependencies: {
    readonly database: Database;
    readonly snapshots: SnapshotStore;
    readonly mails: AccountMails;
  },
): void {
  const { database, snapshots, mails } = dependencies;
  router.openapi(registerRoute, async (c) => {
    const input = c.req.valid("json");
    await register(dependencies, await snapshots.fresh(), input, originOf(c));
    return c.json(envelope({ email: input.email }), 201);
  });
  router.openapi(forgot, (c) => {
    forgotPassword(dependencies, c.req.valid("json").email);
    return c.body(null, 204);
  });
  router.openapi(reset, async (c) => {
    await resetPassword(database, c.req.valid("json"), originOf(c));
    return c.body(null, 204);
  });
  router.openapi(verify, async (c) => {
    await verifyEmail(dependencies, c.req.valid("json").token, originOf(c));
    return c.body(null, 204);
  });
  router.openapi(resend, (c) => {
    resendVerification(dependencies, c.req.valid("json").email);
    return c.body(null, 204);
  });
  router.openapi(accept, async (c) => {
    const snapshot = await snapshots.fresh();
    const entered = await acceptInvitation(database, snapshot, c.req.valid("json"), originOf(c));
    // Administrators get a mail about a new one.
    mails.wake();
    return c.json(envelope(entered), 200);
  });
}
