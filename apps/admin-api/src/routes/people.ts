import { z } from "@hono/zod-openapi";
import {
  type AccountMails,
  checkPassword,
  createProvider,
  providerRecords,
  resendVerification,
  updateProvider,
} from "@rowhouse/accounts";
import { type Database, recordSchemasOf, userKind } from "@rowhouse/db";
import { type ApiRouter, one } from "@rowhouse/http";
import { createUser, listUsers, roleRecords, userRecords } from "@rowhouse/permissions";
import type { Vault } from "@rowhouse/vault";
import { mountRoute } from "../mount-route.ts";
import { mountKind } from "./kind-routes.ts";

/** Serves roles, the sets of grants. */
export function mountRoleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountKind(router, roleRecords, {
    database,
    order: "By name",
    create: { answer: "The role, without members and grants", codes: ["CONFLICT"] },
    update: { codes: ["CONFLICT"] },
    remove: { summary: "Delete a role with its memberships and grants", codes: ["CONFLICT"] },
  });
}

/** Serves the providers for sign-in. */
export function mountAuthProviderRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  mountKind(router, providerRecords, {
    database: dependencies.database,
    order: "By key",
    list: { summary: "List the providers for sign-in" },
    create: {
      summary: "Add a provider; its client secret cannot be read afterwards",
      codes: ["VALUE_INVALID", "CONFLICT"],
      run: (data, actor) => createProvider(dependencies, data, actor),
    },
    update: {
      summary: "Change a provider; with another issuer, clientSecret is required",
      codes: ["VALUE_INVALID", "REQUIRED_FIELD"],
      run: (id, data, actor, ifMatch) => updateProvider(dependencies, id, data, actor, ifMatch),
    },
  });
}

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
