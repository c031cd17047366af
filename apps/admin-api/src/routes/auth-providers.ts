import { z } from "@hono/zod-openapi";
import {
  createProvider,
  deleteProvider,
  listProviders,
  readProvider,
  tagOfProvider,
  updateProvider,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

const kind = z.enum(["google", "github", "oidc"]);
const provider = z
  .object({
    id: z.string(),
    key: z.string(),
    kind,
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    allowedDomains: z.array(z.string()),
    roleId: z.string().nullable(),
    enabled: z.boolean(),
    createdAt: moment,
  })
  .openapi("AuthProvider");

const changeable = {
  name: z.string().trim().min(1).max(100),
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(2000),
  issuer: z.url().max(500).optional(),
  allowedDomains: z
    .array(z.string().regex(/^[A-Za-z0-9.-]{1,253}$/, "A domain"))
    .max(100)
    .optional(),
  roleId: z.guid().nullable().optional(),
  enabled: z.boolean().optional(),
};
const input = z.strictObject({
  key: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "Lower-case letters and digits"),
  kind,
  ...changeable,
});

/** Serves the providers for sign-in. */
export function mountAuthProviderRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  const { database } = dependencies;
  mountRecords(router, {
    path: "/admin/api/auth-providers",
    noun: "provider",
    item: provider,
    tagOf: tagOfProvider,
    list: {
      summary: "List the providers for sign-in",
      order: "By key",
      run: ({ page }) => listProviders(database, page),
    },
    create: {
      summary: "Add a provider; its client secret cannot be read afterwards",
      body: input,
      codes: ["VALUE_INVALID", "CONFLICT"],
      run: ({ data, actor }) => createProvider(dependencies, data, actor),
    },
    read: { summary: "Get a provider", run: ({ at }) => readProvider(database, at.id) },
    update: {
      summary: "Change a provider; with another issuer, clientSecret is required",
      body: z.strictObject(changeable).partial(),
      codes: ["VALUE_INVALID", "REQUIRED_FIELD"],
      run: ({ at, data, actor, ifMatch }) =>
        updateProvider(dependencies, at.id, data, actor, ifMatch),
    },
    remove: {
      summary: "Delete a provider",
      answer: "Provider deleted",
      run: ({ at, actor }) => deleteProvider(database, at.id, actor),
    },
  });
}
