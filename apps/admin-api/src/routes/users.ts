import { z } from "@hono/zod-openapi";
import { type AccountMails, checkPassword, resendVerification } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, one } from "@rowhouse/http";
import { createUser, listUsers, readUser, tagOfUser, updateUser } from "@rowhouse/permissions";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

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
    apiAccess: z.boolean().openapi({
      description: "Whether one of the roles has API access; without it the user cannot sign in",
    }),
  })
  .openapi("User");

const flag = z.enum(["true", "false"]);
const name = z.string().max(200);
const timeZone = z.string().max(100).nullable();
const language = z.string().max(35).nullable();

/** Serves users and system accounts. */
export function mountUserRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly mails: AccountMails },
): void {
  const { database, mails } = dependencies;
  const path = "/admin/api/users";
  mountRecords(router, {
    path,
    noun: "user",
    item: user,
    tagOf: tagOfUser,
    list: {
      summary: "List the users, including system accounts",
      order: "By address",
      query: z.object({ active: flag.optional(), apiAccess: flag.optional() }),
      run: ({ page, query }) => {
        const filterOf = (text: "true" | "false" | undefined) =>
          text === undefined ? null : text === "true";
        const { active, apiAccess } = query;
        return listUsers(database, {
          ...page,
          active: filterOf(active),
          apiAccess: filterOf(apiAccess),
        });
      },
    },
    create: {
      summary: "Create a user with a verified address",
      body: z.strictObject({
        email: z.email().max(320),
        name: name.optional(),
        password: z.string().max(1024).optional(),
        timeZone: timeZone.optional(),
        language: language.optional(),
      }),
      answer: "The user, without roles",
      codes: ["CONFLICT"],
      run: ({ data, actor }) => createUser(database, data, actor, checkPassword),
    },
    read: { summary: "Get a user with their roles", run: ({ at }) => readUser(database, at.id) },
    update: {
      summary: "Change a user",
      body: z.strictObject({
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
      codes: ["CONFLICT"],
      run: async ({ at, data, actor, ifMatch }) => {
        const changed = await updateUser(database, at.id, data, actor, ifMatch);
        if (data.email !== undefined && !changed.emailVerified) {
          await resendVerification(dependencies, { email: changed.email });
        }
        // The old address receives a notice.
        mails.wake();
        return changed;
      },
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/deactivate`,
    summary: "Deactivate a user and revoke their sessions",
    codes: ["CONFLICT"],
    answer: one(user, "The user"),
    run: ({ at, actor }) => updateUser(database, at.id, { active: false }, actor),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/activate`,
    summary: "Activate a user",
    codes: ["CONFLICT"],
    answer: one(user, "The user"),
    run: async ({ at, actor }) => {
      const activated = await updateUser(database, at.id, { active: true }, actor);
      // Administrators receive a notice about a reactivated administrator.
      mails.wake();
      return activated;
    },
  });
}
