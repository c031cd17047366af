import { z } from "@hono/zod-openapi";
import {
  activateToken,
  createToken,
  deactivateToken,
  listTokens,
  oauthClientSchema,
  readToken,
  regenerateToken,
  revokeToken,
  type TokenRequest,
  tagOfToken,
  tokenFields,
  tokenSchema,
  updateToken,
} from "@rowhouse/accounts";
import type { AuditActor, Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, created, describable, one } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";

const { name, description, plane, lifetime, gracePeriod } = tokenFields;

const client = describable(oauthClientSchema).openapi("TokenClient", {
  description: "The OAuth client that the token is a consent for",
});
const token = tokenSchema.extend({ client: client.nullable() }).openapi("Token");
const withSecret = token.extend({ secret: z.string() }).openapi("TokenWithSecret");

/** Serves personal access tokens of all users except system accounts. */
export function mountTokenRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/admin/api/tokens";
  const settings = async (): Promise<Settings> => settingsOf(await snapshots.current());
  const warningDays = async () => (await settings())["api_keys.rotation_warning_days"];
  const requestFor = async (id: string, actor: AuditActor): Promise<TokenRequest> => ({
    id,
    owner: null,
    actor,
    warningDays: await warningDays(),
  });

  mountRecords(router, {
    path,
    noun: "token",
    item: token,
    tagOf: tagOfToken,
    list: {
      summary: "List the tokens of all users",
      order: "By name",
      query: z.object({
        userId: z.guid().optional(),
        state: token.shape.state.optional(),
        expiresSoon: z.enum(["true", "false"]).optional(),
        client: z.enum(["true", "false"]).optional(),
      }),
      run: async ({ page, query }) => {
        const filters = {
          owner: query.userId ?? null,
          state: query.state ?? null,
          expiresSoon: query.expiresSoon === undefined ? null : query.expiresSoon === "true",
          client: query.client === undefined ? null : query.client === "true",
        };
        return listTokens(database, { ...page, ...filters }, await warningDays());
      },
    },
    read: {
      summary: "Get a token",
      run: async ({ at }) => readToken(database, at.id, null, await warningDays()),
    },
    update: {
      summary: "Change the name or description of a token",
      body: z.strictObject({ name: name.optional(), description: description.optional() }),
      codes: ["CONFLICT"],
      run: async ({ at, data, actor, ifMatch }) =>
        updateToken(database, await requestFor(at.id, actor), data, "/data", ifMatch),
    },
  });
  mountRoute(router, {
    method: "post",
    path,
    summary: "Create a token for a user; its secret is returned only once",
    body: z.strictObject({
      userId: z.guid(),
      name,
      description: description.optional(),
      plane,
      lifetime,
    }),
    codes: ["VALUE_INVALID", "ACTION_DENIED", "CONFLICT"],
    answer: created(withSecret, "The token with its secret"),
    run: async ({ data, actor }) => {
      const known = await settings();
      const { description = "", lifetime = known["api_keys.default_ttl_days"] } = data;
      const warningDays = known["api_keys.rotation_warning_days"];
      const input = { ...data, description, lifetime };
      return createToken(database, input, warningDays, actor, "/data");
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/regenerate`,
    summary: "Give a token a new secret and a new expiry",
    body: z.strictObject({ gracePeriod }),
    codes: ["CONFLICT"],
    answer: one(withSecret, "The token with its new secret"),
    run: async ({ at, data, actor }) =>
      regenerateToken(database, await requestFor(at.id, actor), data.gracePeriod),
  });
  for (const [verb, summary, move] of [
    ["deactivate", "Deactivate a token", deactivateToken],
    ["activate", "Activate a deactivated token", activateToken],
    ["revoke", "Revoke a token permanently", revokeToken],
  ] as const) {
    mountRoute(router, {
      method: "post",
      path: `${path}/{id}/${verb}`,
      summary,
      codes: ["CONFLICT"],
      answer: one(token, "The token"),
      run: async ({ at, actor }) => move(database, await requestFor(at.id, actor)),
    });
  }
}
