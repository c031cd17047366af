import {
  type AccountMails,
  acceptInvitation,
  forgotPassword,
  openInvitation,
  register,
  resendVerification,
  resetPassword,
  verifyEmail,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, created, none, one, z } from "@rowhouse/http";
import {
  anyEmail,
  email,
  language,
  linkToken,
  mountAuthRoute,
  password,
  personNameSchema,
  returnTo,
  signInResult,
} from "./auth-parts.ts";

/** What each of these routes is: public, and limited in its rate. */
const open = { method: "post", open: true, codes: ["RATE_LIMIT_EXCEEDED"] } as const;
const done = none("Done");
/** The same response whether or not the account exists. */
const accepted = none("If the account exists, a mail was sent to its address");

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
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/register",
    summary: "Create an account, while registration is enabled",
    body: z.strictObject({
      email,
      password,
      name: personNameSchema,
      language: language.optional(),
      returnTo,
    }),
    codes: ["NOT_FOUND", "RATE_LIMIT_EXCEEDED"],
    answer: created(
      z.object({ email: z.string() }),
      "The same response whether or not the address is taken",
    ),
    run: async ({ data, origin }) => {
      await register(dependencies, await snapshots.fresh(), data, origin);
      return { email: data.email };
    },
  });
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/password/forgot",
    summary: "Send a mail with a link to set a new password",
    body: z.strictObject({ email: anyEmail, returnTo }),
    answer: accepted,
    run: ({ data }) => forgotPassword(dependencies, data),
  });
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/password/reset",
    summary: "Set a new password with the token of a link, and end every session",
    body: z.strictObject({ token: linkToken, password }),
    answer: done,
    run: ({ data, origin }) => resetPassword(database, data, origin),
  });
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/email/verify",
    summary: "Confirm an email address with the token of a link",
    body: z.strictObject({ token: linkToken }),
    answer: done,
    run: ({ data, origin }) => verifyEmail(dependencies, data.token, origin),
  });
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/email/resend",
    summary: "Send a new link to confirm an address",
    body: z.strictObject({ email: anyEmail, returnTo }),
    answer: accepted,
    run: ({ data }) => resendVerification(dependencies, data),
  });
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/invitations/read",
    summary: "Read an invitation by the token of its link; nothing changes",
    body: z.strictObject({ token: linkToken }),
    answer: one(
      z.object({
        email: z.string(),
        name: z.string(),
        inviter: z.string().nullable(),
        roles: z.array(z.string()),
      }),
      "Who invites whom, and the roles of the account",
    ),
    run: ({ data }) => openInvitation(database, data.token),
  });
  mountAuthRoute(router, {
    ...open,
    path: "/api/auth/invitations/accept",
    summary: "Accept an invitation, set a password and sign in",
    body: z.strictObject({ token: linkToken, password, name: personNameSchema.optional() }),
    answer: one(signInResult, "A session"),
    run: async ({ data, origin }) => {
      const entered = await acceptInvitation(database, await snapshots.fresh(), data, origin);
      // Administrators get a mail about a new one.
      mails.wake();
      return entered;
    },
  });
}
