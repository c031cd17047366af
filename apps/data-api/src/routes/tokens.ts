import type { Authenticator, Principal } from "@rowhouse/access";
import {
  auditActorOf,
  type Origin,
  oauthClientSchema,
  tagOfToken,
  tokenBodies,
  tokenFilters,
  tokenMoves,
  tokenSchema,
  tokenWork,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, created, describable, one, tagged, z } from "@rowhouse/http";
import { requireSignIn, requireTokenCreation } from "../caller/principal.ts";
import { mountAuthRoute, sessionRefusals } from "./auth-parts.ts";

/** Above the maximum that one user can have. */
const listMax = 1000;

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
  const tokens = tokenWork(database, snapshots);
  const tokenOf = (call: {
    readonly at: { readonly id: string };
    readonly principal: Pick<Principal, "userId">;
    readonly origin: Origin;
  }) => ({
    id: call.at.id,
    owner: call.principal.userId,
    actor: auditActorOf(call.principal.userId, call.origin),
  });

  router.use(`${path}/*`, requireSignIn(authenticator));
  mountAuthRoute(router, {
    method: "get",
    path,
    summary: "List your tokens by name",
    query: z.object({ client: tokenFilters.client }),
    codes: sessionRefusals,
    answer: one(z.array(token), "The tokens"),
    run: async ({ principal: { userId: owner }, query }) => {
      const page = { limit: listMax, cursor: null, search: null };
      return (await tokens.list({ ...page, owner, state: null }, query)).items;
    },
  });
  mountAuthRoute(router, {
    method: "post",
    path,
    summary: "Create a token; only this response contains its secret",
    body: z.strictObject(tokenBodies.create),
    codes: [...sessionRefusals, "ACTION_DENIED", "CONFLICT"],
    answer: created(withSecret, "The token with its secret"),
    run: ({ principal, origin, data }) => {
      requireTokenCreation(principal);
      const { userId } = principal;
      return tokens.create({ ...data, userId }, auditActorOf(userId, origin), "");
    },
  });
  mountAuthRoute(router, {
    method: "get",
    path: `${path}/{id}`,
    summary: "Get one of your tokens",
    codes: sessionRefusals,
    answer: tagged(token, "The token"),
    run: async ({ at, principal }) => {
      const data = await tokens.read(at.id, principal.userId);
      return { data, tag: tagOfToken(data) };
    },
  });
  mountAuthRoute(router, {
    method: "patch",
    path: `${path}/{id}`,
    summary: "Change name or description of a token",
    body: z.strictObject(tokenBodies.update),
    condition: "token",
    codes: [...sessionRefusals, "CONFLICT"],
    answer: tagged(token, "The token"),
    run: async (call) => {
      const data = await tokens.update(tokenOf(call), call.data, "", call.ifMatch);
      return { data, tag: tagOfToken(data) };
    },
  });
  mountAuthRoute(router, {
    method: "post",
    path: `${path}/{id}/regenerate`,
    summary: "Give a token a new secret and a new expiry",
    body: z.strictObject(tokenBodies.regenerate),
    codes: [...sessionRefusals, "ACTION_DENIED", "CONFLICT"],
    answer: one(withSecret, "The token with its new secret"),
    run: (call) => {
      requireTokenCreation(call.principal);
      return tokens.regenerate(tokenOf(call), call.data.gracePeriod);
    },
  });
  for (const [move, summary] of tokenMoves) {
    mountAuthRoute(router, {
      method: "post",
      path: `${path}/{id}/${move}`,
      summary,
      codes: [...sessionRefusals, "CONFLICT"],
      answer: one(token, "The token"),
      run: (call) => tokens.move(tokenOf(call), move),
    });
  }
}
