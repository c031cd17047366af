import { z } from "@hono/zod-openapi";
import {
  oauthClientSchema,
  tagOfToken,
  tokenBodies,
  tokenFilters,
  tokenMoves,
  tokenSchema,
  tokenWork,
} from "@rowhouse/accounts";
import type { AuditActor, Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, created, describable, one } from "@rowhouse/http";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";

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
  const tokens = tokenWork(database, snapshots);
  const tokenOf = (id: string, actor: AuditActor) => ({ id, owner: null, actor });

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
        ...tokenFilters,
      }),
      run: ({ page, query: { userId: owner = null, state = null, ...filters } }) =>
        tokens.list({ ...page, owner, state }, filters),
    },
    read: { summary: "Get a token", run: ({ at }) => tokens.read(at.id, null) },
    update: {
      summary: "Change the name or description of a token",
      body: z.strictObject(tokenBodies.update),
      codes: ["CONFLICT"],
      run: ({ at, data, actor, ifMatch }) =>
        tokens.update(tokenOf(at.id, actor), data, "/data", ifMatch),
    },
  });
  mountRoute(router, {
    method: "post",
    path,
    summary: "Create a token for a user; its secret is returned only once",
    body: z.strictObject({ userId: z.guid(), ...tokenBodies.create }),
    codes: ["VALUE_INVALID", "ACTION_DENIED", "CONFLICT"],
    answer: created(withSecret, "The token with its secret"),
    run: ({ data, actor }) => tokens.create(data, actor, "/data"),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/regenerate`,
    summary: "Give a token a new secret and a new expiry",
    body: z.strictObject(tokenBodies.regenerate),
    codes: ["CONFLICT"],
    answer: one(withSecret, "The token with its new secret"),
    run: ({ at, data, actor }) => tokens.regenerate(tokenOf(at.id, actor), data.gracePeriod),
  });
  for (const [move, summary] of tokenMoves) {
    mountRoute(router, {
      method: "post",
      path: `${path}/{id}/${move}`,
      summary,
      codes: ["CONFLICT"],
      answer: one(token, "The token"),
      run: ({ at, actor }) => tokens.move(tokenOf(at.id, actor), move),
    });
  }
}
