import { z } from "@hono/zod-openapi";
import { type AccountMails, checkPassword, resendVerification } from "@rowhouse/accounts";
import { type Database, recordSchemasOf, userKind } from "@rowhouse/db";
import { type ApiRouter, one } from "@rowhouse/http";
import { createUser, listUsers, userRecords } from "@rowhouse/permissions";
import { mountKind } from "../kind-routes.ts";
import { mountRoute } from "../mount-route.ts";

const flag = z.enum(["true", "false"]);

/** Serves users and system accounts. */
export function mountUserRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly mails: AccountMails },
): void {
  const { database, mails } = dependencies;
  const path = `/admin/api${userKind.path}`;
  const user = recordSchemasOf(userKind).stored;
  mountKind(router, userRecords, {
    database,
    order: "By address",
    list: {
      summary: "List the users, including system accounts",
      query: z.object({ active: flag.optional(), apiAccess: flag.optional() }),
      run: (page, query) => {
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
      answer: "The user, without roles",
      codes: ["CONFLICT"],
      run: (data, actor) => createUser(database, data, actor, checkPassword),
    },
    read: { summary: "Get a user with their roles" },
    update: {
      codes: ["CONFLICT"],
      run: async (id, data, actor, ifMatch) => {
        const changed = await userRecords.update(database, id, data, actor, ifMatch);
        if (data.email !== undefined && !changed.emailVerified) {
          await resendVerification(dependencies, { email: changed.email });
        }
        // The old address receives a notice.
        mails.wake();
        return changed;
      },
    },
    remove: false,
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/deactivate`,
    summary: "Deactivate a user and revoke their sessions",
    codes: ["CONFLICT"],
    answer: one(user, "The user"),
    run: ({ at, actor }) => userRecords.update(database, at.id, { active: false }, actor),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/activate`,
    summary: "Activate a user",
    codes: ["CONFLICT"],
    answer: one(user, "The user"),
    run: async ({ at, actor }) => {
      const activated = await userRecords.update(database, at.id, { active: true }, actor);
      // Administrators receive a notice about a reactivated administrator.
      mails.wake();
      return activated;
    },
  });
}
