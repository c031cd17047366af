import type { Authenticator, Principal } from "@rowhouse/access";
import {
  activateToken,
  auditActorOf,
  createToken,
  deactivateToken,
  listTokens,
  type Origin,
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
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, created, describable, one, tagged, z } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { requireSignIn, requireTokenCreation } from "../caller/principal.ts";
import { mountAuthRoute, sessionRefusals } from "./auth-parts.ts";

/** Above the maximum that one user can have. */
const listMax = 1000;
const { name, description, plane, lifetime, gracePeriod } = tokenFields;

const client = describable(oauthClientSchema).openapi("TokenClient", {
  description: "The OAuth client that the token is a consent for",
});
const token = tokenSchema.extend({ client: client.nullable() }).openapi("Token");
const withSecret = token.extend({ secret: z.string() }).openapi("TokenWithSecret");

/** `/api/auth/tokens`: the owner's operations on personal access tokens; requires a session. */
export function mountOwnTokenRoutes(
  router: ApiRouter,
  dependencies: {
    readonly database: Database;
    readonly snapshots: SnapshotStore;
    readonly authenticator: Authenticator;
  },
): void {
  const { database, snapshots, authenticator } = dependencies;
  const path = "/api/auth/tokens";
  const settings = async (): Promise<Settings> => settingsOf(await snapshots.current());
  const warningDays = async () => (await settings())["api_keys.rotation_warning_days"];
  const requestFor = async (call: {
    readonly at: { readonly id: string };
    readonly principal: Pick<Principal, "userId">;
    readonly origin: Origin;
  }): Promise<TokenRequest> => ({
    id: call.at.id,
    owner: call.principal.userId,
    actor: auditActorOf(call.principal.userId, call.origin),
    warningDays: await warningDays(),
  });

  router.use(`${path}/*`, requireSignIn(authenticator));
  mountAuthRoute(router, {
    method: "get",
    path,
    summary: "List your tokens by name",
    query: z.object({ client: z.enum(["true", "false"]).optional() }),
    codes: sessionRefusals,
    answer: one(z.array(token), "The tokens"),
    run: async ({ principal, query: { client } }) => {
      const request = {
        ...{ owner: principal.userId, state: null, expiresSoon: null },
        client: client === undefined ? null : client === "true",
        ...{ limit: listMax, cursor: null, search: null },
      };
      return (await listTokens(database, request, await warningDays())).items;
    },
  });
  mountAuthRoute(router, {
    method: "post",
    path,
    summary: "Create a token; only this response contains its secret",
    body: z.strictObject({ name, description: description.optional(), plane, lifetime }),
    codes: [...sessionRefusals, "ACTION_DENIED", "CONFLICT"],
    answer: created(withSecret, "The token with its secret"),
    run: async ({ principal, origin, data }) => {
      requireTokenCreation(principal);
      const known = await settings();
      const { description = "", lifetime = known["api_keys.default_ttl_days"] } = data;
      const { userId } = principal;
      const input = { ...data, userId, description, lifetime };
      const warningDays = known["api_keys.rotation_warning_days"];
      return createToken(database, input, warningDays, auditActorOf(userId, origin), "");
    },
  });
  mountAuthRoute(router, {
    method: "get",
    path: `${path}/{id}`,
    summary: "Get one of your tokens",
    codes: sessionRefusals,
    answer: tagged(token, "The token"),
    run: async ({ at, principal }) => {
      const data = await readToken(database, at.id, principal.userId, await warningDays());
      return { data, tag: tagOfToken(data) };
    },
  });
  mountAuthRoute(router, {
    method: "patch",
    path: `${path}/{id}`,
    summary: "Change name or description of a token",
    body: z.strictObject({ name: name.optional(), description: description.optional() }),
    condition: "token",
    codes: [...sessionRefusals, "CONFLICT"],
    answer: tagged(token, "The token"),
    run: async (call) => {
      const request = await requestFor(call);
      const data = await updateToken(database, request, call.data, "", call.ifMatch);
      return { data, tag: tagOfToken(data) };
    },
  });
  mountAuthRoute(router, {
    method: "post",
    path: `${path}/{id}/regenerate`,
    summary: "Give a token a new secret and a new expiry",
    body: z.strictObject({ gracePeriod }),
    codes: [...sessionRefusals, "ACTION_DENIED", "CONFLICT"],
    answer: one(withSecret, "The token with its new secret"),
    run: async (call) => {
      const request = await requestFor(call);
      requireTokenCreation(call.principal);
      return regenerateToken(database, request, call.data.gracePeriod);
    },
  });
  for (const [verb, summary, move] of [
    ["deactivate", "Suspend a token", deactivateToken],
    ["activate", "Reactivate a suspended token", activateToken],
    ["revoke", "Revoke a token permanently", revokeToken],
  ] as const) {
    mountAuthRoute(router, {
      method: "post",
      path: `${path}/{id}/${verb}`,
      summary,
      codes: [...sessionRefusals, "CONFLICT"],
      answer: one(token, "The token"),
      run: async (call) => move(database, await requestFor(call)),
    });
  }
}
