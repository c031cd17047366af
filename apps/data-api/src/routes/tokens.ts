import { createRoute, z } from "@hono/zod-openapi";
import type { Authenticator } from "@rowhouse/access";
import {
  activateToken,
  actorOf,
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
import { type ApiRouter, envelope, errorAnswers, type ServiceEnvironment } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { Context } from "hono";
import { requireSignIn, requireTokenCreation } from "../principal.ts";
import { originOf } from "./request-origin.ts";

const moment = z.string().openapi({ format: "date-time" });
const graceWords = Object.keys(gracePeriods) as [keyof typeof gracePeriods];
/** Above the maximum that one user can have. */
const listMax = 1000;

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
    state: z.enum(["active", "deactivated", "expired", "revoked"]),
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

const answer = <Schema extends z.ZodType>(data: Schema, description: string) => ({
  description,
  content: { "application/json": { schema: z.object({ data }) } },
});
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { "application/json": { schema } },
});
const params = z.object({ id: z.guid() });
const name = z.string().trim().min(1).max(100);
const description = z.string().max(1000);
const refusals = ["AUTHENTICATION_REQUIRED", "SESSION_REQUIRED"] as const;

const list = createRoute({
  method: "get",
  path: "/api/auth/tokens",
  summary: "List your tokens by name",
  request: { query: z.object({ client: z.enum(["true", "false"]).optional() }) },
  responses: {
    200: answer(z.array(token), "The tokens"),
    ...errorAnswers(...refusals, "QUERY_INVALID"),
  },
});
const create = createRoute({
  method: "post",
  path: "/api/auth/tokens",
  summary: "Create a token; only this response contains its secret",
  request: {
    body: body(
      z.strictObject({
        name,
        description: description.optional(),
        plane: z.enum(["api", "admin"]),
        lifetime: z.int().min(1).max(3650).optional().openapi({ description: "Days" }),
      }),
    ),
  },
  responses: {
    201: answer(withSecret, "The token with its secret"),
    ...errorAnswers(...refusals, "ACTION_DENIED", "BODY_INVALID", "CONFLICT"),
  },
});
const read = createRoute({
  method: "get",
  path: "/api/auth/tokens/{id}",
  summary: "Get one of your tokens",
  request: { params },
  responses: { 200: answer(token, "The token"), ...errorAnswers(...refusals, "NOT_FOUND") },
});
const update = createRoute({
  method: "patch",
  path: "/api/auth/tokens/{id}",
  summary: "Change name or description of a token",
  request: {
    params,
    body: body(z.strictObject({ name: name.optional(), description: description.optional() })),
  },
  responses: {
    200: answer(token, "The token"),
    ...errorAnswers(...refusals, "BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});
const regenerate = createRoute({
  method: "post",
  path: "/api/auth/tokens/{id}/regenerate",
  summary: "Give a token a new secret and a new expiry",
  request: { params, body: body(z.strictObject({ gracePeriod: z.enum(graceWords) })) },
  responses: {
    200: answer(withSecret, "The token with its new secret"),
    ...errorAnswers(...refusals, "ACTION_DENIED", "BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});
const transition = <const Verb extends string>(verb: Verb, summary: string) =>
  createRoute({
    method: "post",
    path: `/api/auth/tokens/{id}/${verb}`,
    summary,
    request: { params },
    responses: {
      200: answer(token, "The token"),
      ...errorAnswers(...refusals, "NOT_FOUND", "CONFLICT"),
    },
  });
const transitions = [
  [transition("deactivate", "Suspend a token"), deactivateToken],
  [transition("activate", "Reactivate a suspended token"), activateToken],
  [transition("revoke", "Revoke a token permanently"), revokeToken],
] as const;

/** `/api/auth/tokens`: the owner's operations on personal access tokens; requires a session. */
export function mountTokenRoutes(
  router: ApiRouter,
  dependencies: {
    readonly database: Database;
    readonly snapshots: SnapshotStore;
    readonly authenticator: Authenticator;
  },
): void {
  const { database, snapshots, authenticator } = dependencies;

  const settings = async (): Promise<Settings> => settingsOf(await snapshots.current());
  const requestFor = async (c: Context<ServiceEnvironment>, id: string): Promise<TokenRequest> => {
    const { userId } = c.get("principal");
    return {
      id,
      owner: userId,
      actor: actorOf(userId, originOf(c)),
      warningDays: (await settings())["api_keys.rotation_warning_days"],
    };
  };

  router.use("/api/auth/tokens/*", requireSignIn(authenticator));
  router.openapi(list, async (c) => {
    const { userId } = c.get("principal");
    const { client: isOfClient } = c.req.valid("query");
    const page = await listTokens(
      database,
      {
        owner: userId,
        state: null,
        expiresSoon: null,
        client: isOfClient === undefined ? null : isOfClient === "true",
        limit: listMax,
        cursor: null,
        search: null,
      },
      (await settings())["api_keys.rotation_warning_days"],
    );
    return c.json(envelope(page.items), 200);
  });
  router.openapi(create, async (c) => {
    const principal = c.get("principal");
    requireTokenCreation(principal);
    const known = await settings();
    const input = c.req.valid("json");
    const created = await createToken(
      database,
      {
        userId: principal.userId,
        name: input.name,
        description: input.description ?? "",
        plane: input.plane,
        lifetime: input.lifetime ?? known["api_keys.default_ttl_days"],
      },
      known["api_keys.rotation_warning_days"],
      actorOf(principal.userId, originOf(c)),
      "",
    );
    return c.json(envelope(created), 201);
  });
  router.openapi(read, async (c) => {
    const { id, owner, warningDays } = await requestFor(c, c.req.valid("param").id);
    return c.json(envelope(await readToken(database, id, owner, warningDays)), 200);
  });
  router.openapi(update, async (c) => {
    const request = await requestFor(c, c.req.valid("param").id);
    return c.json(envelope(await updateToken(database, request, c.req.valid("json"), "")), 200);
  });
  router.openapi(regenerate, async (c) => {
    const request = await requestFor(c, c.req.valid("param").id);
    requireTokenCreation(c.get("principal"));
    const { gracePeriod } = c.req.valid("json");
    return c.json(envelope(await regenerateToken(database, request, gracePeriod)), 200);
  });
  for (const [route, move] of transitions) {
    router.openapi(route, async (c) => {
      const request = await requestFor(c, c.req.valid("param").id);
      return c.json(envelope(await move(database, request)), 200);
    });
  }
}
