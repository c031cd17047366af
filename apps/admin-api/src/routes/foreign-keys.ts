import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { listForeignKeys } from "@rowhouse/ddl";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { listAnswer, pageEnvelope, pageQuery, pageRequest } from "../route-parts.ts";
import { foreignKeySummary } from "./table-answers.ts";

const list = createRoute({
  method: "get",
  path: "/admin/api/foreign-keys",
  summary: "List the foreign keys between the tables",
  request: {
    query: pageQuery.extend({
      schema: z.string().optional().openapi({ description: "The schema of either table" }),
    }),
  },
  responses: {
    200: listAnswer(foreignKeySummary, "By schema, table and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

/** Serves the foreign keys of all tables, from which a map of the tables can be drawn. */
export function mountForeignKeysRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const { schema = null, ...query } = c.req.valid("query");
    return c.json(pageEnvelope(await listForeignKeys(database, schema, pageRequest(query))), 200);
  });
}
