import { type Authenticator, requireSession } from "@rowhouse/access";
import {
  type AccountMails,
  auditActorOf,
  changeEmail,
  changePassword,
  endSession,
  listLinkedAccounts,
  listSessions,
  readOwnAccount,
  unlinkAccount,
  updateOwnAccount,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, none, one, z } from "@rowhouse/http";
import { requireCredential, requireSignIn } from "../caller/principal.ts";
import {
  email,
  language,
  mountAuthRoute,
  password,
  personNameSchema,
  returnTo,
  sessionRefusals,
  user,
} from "./auth-parts.ts";

const account = user
  .extend({
    timeZone: z.string().nullable(),
    language: z.string().nullable(),
    region: z.string().nullable().openapi({
      description:
        "With the language it gives the order of dates, the form of numbers and the first day of the week",
    }),
    systemTimeZone: z.string().nullable().openapi({
      description: "The time zone of the installation, for an account without its own",
    }),
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
const linkedAccount = z
  .object({
    id: z.string(),
    issuer: z.string(),
    provider: z.object({ key: z.string(), name: z.string() }).nullable(),
    createdAt: z.string().openapi({ format: "date-time" }),
  })
  .openapi("LinkedAccount");

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
  for (const path of ["sessions/*", "password/change", "email/change", "linked-accounts/*"]) {
    router.use(`/api/auth/${path}`, requireSignIn(authenticator));
  }

  mountAuthRoute(router, {
    method: "get",
    path: "/api/auth/me",
    summary: "The signed-in user",
    codes: ["AUTHENTICATION_REQUIRED"],
    answer: one(account, "The user"),
    run: ({ principal }) => readOwnAccount(database, principal),
  });
  mountAuthRoute(router, {
    method: "patch",
    path: "/api/auth/me",
    summary: "Change your name, time zone, language or region",
    body: z.strictObject({
      name: personNameSchema.optional(),
      timeZone: z.string().max(100).nullable().optional(),
      language: language.nullable().optional(),
      region: z
        .string()
        .max(3)
        .nullable()
        .optional()
        .openapi({ description: "The code of a region, such as `GB` or `150`" }),
    }),
    codes: sessionRefusals,
    answer: one(account, "The user"),
    run: ({ principal, data, origin }) => updateOwnAccount(database, principal, data, origin),
  });
  mountAuthRoute(router, {
    method: "get",
    path: "/api/auth/sessions",
    summary: "List your sessions",
    codes: sessionRefusals,
    answer: one(z.array(session), "Newest first"),
    run: ({ principal }) => listSessions(database, principal.userId, requireSession(principal).id),
  });
  mountAuthRoute(router, {
    method: "delete",
    path: "/api/auth/sessions/{id}",
    summary: "End one of your sessions",
    codes: sessionRefusals,
    answer: none("The session has ended"),
    run: ({ principal: { userId }, at, origin }) =>
      endSession(database, userId, at.id, auditActorOf(userId, origin)),
  });
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/password/change",
    summary: "Change your password and end your other sessions",
    body: z.strictObject({ currentPassword: password, newPassword: password }),
    codes: [...sessionRefusals, "RATE_LIMIT_EXCEEDED"],
    answer: none("The password is changed"),
    run: ({ principal, data, origin }) => changePassword(database, principal, data, origin),
  });
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/email/change",
    summary: "Send a confirmation link to a new email address",
    body: z.strictObject({ currentPassword: password, newEmail: email, returnTo }),
    codes: [...sessionRefusals, "RATE_LIMIT_EXCEEDED"],
    answer: none("A mail was sent to the address"),
    run: ({ principal, data, origin }) => changeEmail(dependencies, principal, data, origin),
  });
  // `POST /api/auth/oauth/{provider}/link` adds an account at a provider.
  mountAuthRoute(router, {
    method: "get",
    path: "/api/auth/linked-accounts",
    summary: "List your linked accounts at providers",
    codes: sessionRefusals,
    answer: one(z.array(linkedAccount), "Oldest first"),
    run: ({ principal }) => listLinkedAccounts(database, principal.userId),
  });
  mountAuthRoute(router, {
    method: "delete",
    path: "/api/auth/linked-accounts/{id}",
    summary: "Unlink an account at a provider",
    codes: [...sessionRefusals, "RECENT_SIGN_IN_REQUIRED", "CONFLICT"],
    answer: none("The account is unlinked"),
    run: ({ principal, at, origin }) => unlinkAccount(database, principal, at.id, origin),
  });
}
