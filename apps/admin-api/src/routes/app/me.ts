import { z } from "@hono/zod-openapi";
import { readOwnAccount } from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { mountRoute, one } from "../../mount-route.ts";

const person = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    timeZone: z.string().nullable(),
    language: z.string().nullable(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    isAdministrator: z.boolean(),
    mayCreateTokens: z.boolean(),
    mcp: z
      .object({ enabled: z.boolean() })
      .openapi({ description: "The MCP server of this installation, `/mcp`" }),
  })
  .openapi("Person");

/** Serves the principal with everything that a front end needs before its other requests. */
export function mountMeRoute(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRoute(router, {
    method: "get",
    path: "/app/api/me",
    operationId: "readMe",
    summary: "Get the principal of the request",
    answer: one(person, "The person"),
    run: async ({ c }) => {
      const { isAdministrator, mayCreateTokens, ...principal } = c.get("principal");
      const snapshot = await snapshots.fresh();
      const mcp = { enabled: settingsOf(snapshot)["mcp.enabled"] };
      const rights = { isAdministrator, mayCreateTokens, mcp };
      if (c.get("caller")?.kind !== "ROLES") {
        return { ...(await readOwnAccount(database, principal)), ...rights };
      }
      const own = principal.roleIds.flatMap((id) => snapshot.roles.get(id) ?? []);
      const nobody = { id: principal.userId, email: "", name: "", timeZone: null, language: null };
      return { ...nobody, roles: own.map(({ id, name }) => ({ id, name })), ...rights };
    },
  });
}
