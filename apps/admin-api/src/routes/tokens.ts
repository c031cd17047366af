import { createRoute, z } from "@hono/zod-openapi";
import {
  activateToken,
  createToken,
  deactivateToken,
  gracePeriods,
  listTokens,
  readToken,
  regenerateToken,
  revokeToken,
  type TokenRequest,
  updateToken,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers, type ServiceEnvironment } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { Context } from "hono";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const graceWords = Object.keys(gracePeriods) as [keyof typeof gracePeriods];
const states = z.enum(["active", "deactivated", "expired", "revoked"]);

const tokenClient = z
  .object({
    id: z.string(),
    name: z.string(),
    uri: z.string().nullable(),
    redirect: z.string(),
    kind: z.enum(["DOCUMENT", "REGISTERED"]),
  })
  .openapi("TokenClient", { description: "The OAuth client that the token is a consent for" });
const token = z
  .object({
    id: z.string(),
    userId: z.string(),
    owner: z.object({ email: z.string(), name: z.string(), active: z.boolean() }),
    name: z.string(),
    description: z.string(),
    plane: z.enum(["api", "admin"]),
    lifetime: z.int(),
    state: states,
    expiresAt: moment,
    expiresSoon: z.boolean(),
    previousSecretUntil: moment.nullable(),
    lastUsedAt: moment.nullable(),
    createdAt: moment,
    client: tokenClient.nullable(),
    scopes: z.array(z.enum(["read", "write", "workflows"])).nullable(),
  })
  .openapi("Token");
const withSecret = token.extend({ secret: z.string() }).openapi("TokenWithSecret");
const name = z.string().trim().min(1).max(100);
const description = z.string().max(1000);

const list = createRoute({
  method: "get",
  path: "/admin/api/tokens",
  summary: "List the tokens of all users",
  request: {
    query: pageQuery.extend({
      userId: z.guid().optional(),
      state: states.optional(),
      expiresSoon: z.enum(["true", "false"]).optional(),
      client: z.enum(["true", "false"]).optional(),
    }),
  },
  responses: { 200: listAnswer(token, "By name"), ...errorAnswers("QUERY_INVALID") },
});
const create = createRoute({
  method: "post",
  path: "/admin/api/tokens",
  summary: "Create a token for a user; its secret is returned only once",
  request: dataBody(
    z.strictObject({
      userId: z.guid(),
      name,
      description: description.optional(),
      plane: z.enum(["api", "admin"]),
      lifetime: z.int().min(1).max(3650).optional().openapi({ description: "Days" }),
    }),
  ),
  responses: {
    201: dataAnswer(withSecret, "The token with its secret"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "ACTION_DENIED", "CONFLICT"),
  },
});
const read = createRoute({
  method: "get",
  path: "/admin/api/tokens/{id}",
  summary: "Get a token",
  request: { params: idParams },
  responses: { 200: dataAnswer(token, "The token"), ...errorAnswers("NOT_FOUND") },
});
const update = createRoute({
  method: "patch",
  path: "/admin/api/tokens/{id}",
  summary: "Change the name or description of a token",
  request: {
    params: idParams,
    ...dataBody(z.strictObject({ name: name.optional(), description: description.optional() })),
  },
  responses: {
    200: dataAnswer(token, "The token"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});
const regenerate = createRoute({
  method: "post",
  path: "/admin/api/tokens/{id}/regenerate",
  summary: "Give a token a new secret and a new expiry",
  request: {
    params: idParams,
    ...dataBody(z.strictObject({ gracePeriod: z.enum(graceWords) })),
  },
  responses: {
    200: dataAnswer(withSecret, "The token with its new secret"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});
const transition = <const Verb extends string>(verb: Verb, summary: string) =>
  createRoute({
    method: "post",
    path: `/admin/api/tokens/{id}/${verb}`,
    summary,
    request: { params: idParams },
    responses: { 200: dataAnswer(token, "The token"), ...errorAnswers("NOT_FOUND", "CONFLICT") },
  });
const transitions = [
  [transition("deactivate", "Deactivate a token"), deactivateToken],
  [transition("activate", "Activate a deactivated token"), activateToken],
  [transition("revoke", "Revoke a token permanently"), revokeToken],
] as const;

/** Serves personal access tokens of all users except system accounts. */
export function mountTokenRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const settings = async (): Promise<Settings> => settingsOf(await snapshots.current());
  const requestFor = async (c: Context<ServiceEnvironment>, id: string): Promise<TokenRequest> => ({
    id,
    owner: null,
    actor: actorOf(c),
    warningDays: (await settings())["api_keys.rotation_warning_days"],
  });

  router.openapi(list, async (c) => {
    const query = c.req.valid("query");
    const page = await listTokens(
      database,
      {
        ...pageRequest(query),
        owner: query.userId ?? null,
        state: query.state ?? null,
        expiresSoon: query.expiresSoon === undefined ? null : query.expiresSoon === "true",
        client: query.client === undefined ? null : query.client === "true",
      },
      (await settings())["api_keys.rotation_warning_days"],
    );
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(create, async (c) => {
    const { data } = c.req.valid("json");
    const known = await settings();
    const created = await createToken(
      database,
      {
        ...data,
        description: data.description ?? "",
        lifetime: data.lifetime ?? known["api_keys.default_ttl_days"],
      },
      known["api_keys.rotation_warning_days"],
      actorOf(c),
      "/data",
    );
    return c.json({ data: created }, 201);
  });
  router.openapi(read, async (c) => {
    const { id, warningDays } = await requestFor(c, c.req.valid("param").id);
    return c.json({ data: await readToken(database, id, null, warningDays) }, 200);
  });
  router.openapi(update, async (c) => {
    const request = await requestFor(c, c.req.valid("param").id);
    const { data } = c.req.valid("json");
    return c.json({ data: await updateToken(database, request, data, "/data") }, 200);
  });
  router.openapi(regenerate, async (c) => {
    const request = await requestFor(c, c.req.valid("param").id);
    const { gracePeriod } = c.req.valid("json").data;
    return c.json({ data: await regenerateToken(database, request, gracePeriod) }, 200);
  });
  for (const [route, move] of transitions) {
    router.openapi(route, async (c) => {
      const request = await requestFor(c, c.req.valid("param").id);
      return c.json({ data: await move(database, request) }, 200);
    });
  }
}
