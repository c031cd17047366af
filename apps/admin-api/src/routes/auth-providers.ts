import { createRoute, z } from "@hono/zod-openapi";
import {
  createProvider,
  deleteProvider,
  listProviders,
  readProvider,
  tagOfProvider,
  updateProvider,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
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

const list = createRoute({
  method: "get",
  path: "/admin/api/auth-providers",
  summary: "List the providers for sign-in",
  request: { query: pageQuery },
  responses: { 200: listAnswer(provider, "By key"), ...errorAnswers("QUERY_INVALID") },
});
const create = createRoute({
  method: "post",
  path: "/admin/api/auth-providers",
  summary: "Add a provider; its client secret cannot be read afterwards",
  request: dataBody(input),
  responses: {
    201: dataAnswer(provider, "The provider"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "CONFLICT"),
  },
});
const update = createRoute({
  method: "patch",
  path: "/admin/api/auth-providers/{id}",
  summary: "Change a provider",
  request: {
    params: idParams,
    headers: tagCondition("provider"),
    ...dataBody(z.strictObject(changeable).partial()),
  },
  responses: {
    200: taggedAnswer(dataAnswer(provider, "The provider")),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND", "PRECONDITION_FAILED"),
  },
});

/** Serves the providers for sign-in. */
export function mountAuthProviderRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  const { database } = dependencies;
  router.openapi(list, async (c) =>
    c.json(pageEnvelope(await listProviders(database, pageRequest(c.req.valid("query")))), 200),
  );
  router.openapi(create, async (c) =>
    c.json({ data: await createProvider(dependencies, c.req.valid("json").data, actorOf(c)) }, 201),
  );
  mountRead(
    router,
    "/admin/api/auth-providers",
    provider,
    { summary: "Get a provider", description: "The provider" },
    (id) => readProvider(database, id),
    tagOfProvider,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const data = await updateProvider(dependencies, id, changes, actorOf(c), ifMatch);
    return c.json({ data }, 200, tagHeaders(tagOfProvider(data)));
  });
  mountDelete(
    router,
    "/admin/api/auth-providers",
    { summary: "Delete a provider", description: "Provider deleted" },
    (id, actor) => deleteProvider(database, id, actor),
  );
}
