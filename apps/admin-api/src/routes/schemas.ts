import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { createSchema, dropSchema, listSchemas, schemaDefinitionSchema } from "@rowhouse/ddl";
import { type ApiRouter, created, list, none } from "@rowhouse/http";
import { mountRoute } from "../mount-route.ts";

const schemaSummary = z
  .object({
    name: z.string(),
    comment: z.string().nullable(),
    tables: z.int(),
    views: z.int(),
  })
  .openapi("Schema");

/** Serves the user's schemas. Those of PostgreSQL and of the service get the response of an unknown schema. */
export function mountSchemaRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/admin/api/schema";
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the schemas of tables and views",
    answer: list(schemaSummary, "By name"),
    run: ({ page }) => listSchemas(database, page),
  });
  mountRoute(router, {
    method: "post",
    path,
    summary: "Create a schema",
    body: schemaDefinitionSchema,
    codes: ["CONFLICT"],
    answer: created(schemaSummary, "The new schema"),
    run: ({ data, actor }) => createSchema(database, data.name, actor),
  });
  mountRoute(router, {
    method: "delete",
    path: `${path}/{schema}`,
    params: z.object({ schema: z.string() }),
    summary: "Drop an empty schema",
    query: z.object({
      confirm: z.string().optional().openapi({ description: "The schema's name; required" }),
    }),
    codes: ["CONFLICT"],
    answer: none("Schema dropped"),
    run: ({ at, query, actor }) => dropSchema(database, at.schema, query.confirm, actor),
  });
}
