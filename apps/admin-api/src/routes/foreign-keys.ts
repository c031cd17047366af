import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { listForeignKeys } from "@rowhouse/ddl";
import type { ApiRouter } from "@rowhouse/http";
import { list, mountRoute } from "../mount-route.ts";
import { foreignKeySummary } from "./table-answers.ts";

/** Serves the foreign keys of all tables, from which a map of the tables can be drawn. */
export function mountForeignKeysRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountRoute(router, {
    method: "get",
    path: "/admin/api/foreign-keys",
    summary: "List the foreign keys between the tables",
    query: z.object({
      schema: z.string().optional().openapi({ description: "The schema of either table" }),
    }),
    answer: list(foreignKeySummary, "By schema, table and name"),
    run: ({ page, query: { schema = null } }) => listForeignKeys(database, schema, page),
  });
}
