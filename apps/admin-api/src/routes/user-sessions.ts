import { createRoute, z } from "@hono/zod-openapi";
import { endAllSessions, endSession, listSessions } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { readUser } from "@rowhouse/permissions";
import { actorOf } from "../administrator.ts";
import { dataAnswer, idParams, moment } from "../route-parts.ts";

const session = z
  .object({
    id: z.string(),
    method: z.string(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: moment,
    expiresAt: moment,
    current: z.boolean(),
  })
  .openapi("Session");

const list = createRoute({
  method: "get",
  path: "/admin/api/users/{id}/sessions",
  summary: "List the active sessions of a user",
  request: { params: idParams },
  responses: {
    200: dataAnswer(z.array(session), "Newest first"),
    ...errorAnswers("NOT_FOUND"),
  },
});
const remove = createRoute({
  method: "delete",
  path: "/admin/api/users/{id}/sessions/{sessionId}",
  summary: "Revoke a session of a user",
  request: { params: idParams.extend({ sessionId: z.guid() }) },
  responses: {
    204: { description: "Session revoked" },
    ...errorAnswers("NOT_FOUND"),
  },
});

const removeAll = createRoute({
  method: "delete",
  path: "/admin/api/users/{id}/sessions",
  summary: "Revoke all sessions of a user",
  request: { params: idParams },
  responses: {
    204: { description: "All sessions revoked" },
    ...errorAnswers("NOT_FOUND"),
  },
});

/** Serves the sessions of other users for administrators. */
export function mountUserSessionRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const { id } = await readUser(database, c.req.valid("param").id);
    const current = c.get("principal").session?.id ?? null;
    return c.json({ data: await listSessions(database, id, current) }, 200);
  });
  router.openapi(removeAll, async (c) => {
    const { id } = await readUser(database, c.req.valid("param").id);
    await endAllSessions(database, id, actorOf(c));
    return c.body(null, 204);
  });
  router.openapi(remove, async (c) => {
    const { id, sessionId } = c.req.valid("param");
    await endSession(database, id, sessionId, actorOf(c));
    return c.body(null, 204);
  });
}
