import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import {
  createTable,
  listForeignKeys,
  listTables,
  parseTableDefinition,
  previewCreateTable,
} from "@rowhouse/ddl";
import { type ApiRouter, created, list, one } from "@rowhouse/http";
import { mountRoute } from "../mount-route.ts";
import { foreignKeySummary, tableDefinition, tableSummary } from "./table-answers.ts";

/** Serves the tables of a schema. */
export function mountTablesRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/admin/api/schema/{schema}/tables";
  const params = z.object({ schema: z.string() });
  const codes = ["EXPRESSION_INVALID", "VALUE_INVALID", "CONFLICT"] as const;
  mountRoute(router, {
    method: "get",
    path,
    params,
    summary: "List the tables of a schema",
    answer: list(tableSummary, "By name"),
    run: ({ at, page }) => listTables(database, at.schema, page),
  });
  mountRoute(router, {
    method: "post",
    path,
    params,
    summary: "Create a table",
    body: tableDefinition,
    codes,
    answer: created(
      z.object({ resourceId: z.string(), schema: z.string(), name: z.string() }),
      "The new table; it is hidden until its resource exposes methods",
    ),
    run: async ({ at: { schema }, data, actor }) => {
      const definition = await parseTableDefinition(data);
      return createTable(database, { schema, definition, actor });
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/preview`,
    params,
    summary: "Get the SQL that would create a table, without executing it",
    body: tableDefinition,
    codes,
    answer: one(z.object({ sql: z.array(z.string()) }), "The statements in order"),
    run: async ({ at: { schema }, data }) =>
      previewCreateTable(database, { schema, definition: await parseTableDefinition(data) }),
  });
}

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
