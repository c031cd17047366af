import { z } from "@hono/zod-openapi";
import { endAllSessions, endSession, listSessions } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, idParams, none, one } from "@rowhouse/http";
import { userRecords } from "@rowhouse/permissions";
import { mountRoute } from "../mount-route.ts";
import { moment } from "../route-parts.ts";

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

/** Serves the sessions of other users for administrators. */
export function mountUserSessionRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/admin/api/users/{id}/sessions";
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the active sessions of a user",
    answer: one(z.array(session), "Newest first"),
    run: async ({ at, c }) => {
      const { id } = await userRecords.read(database, at.id);
      return listSessions(database, id, c.get("principal").session?.id ?? null);
    },
  });
  mountRoute(router, {
    method: "delete",
    path,
    summary: "Revoke all sessions of a user",
    answer: none("All sessions revoked"),
    run: async ({ at, actor }) => {
      const { id } = await userRecords.read(database, at.id);
      await endAllSessions(database, id, actor);
    },
  });
  mountRoute(router, {
    method: "delete",
    path: `${path}/{sessionId}`,
    params: idParams.extend({ sessionId: z.guid() }),
    summary: "Revoke a session of a user",
    answer: none("Session revoked"),
    run: ({ at, actor }) => endSession(database, at.id, at.sessionId, actor),
  });
}
