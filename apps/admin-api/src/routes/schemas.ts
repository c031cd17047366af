import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { createSchema, dropSchema, listSchemas, schemaDefinitionSchema } from "@rowhouse/ddl";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const schemaSummary = z
  .object({
    name: z.string(),
    comment: z.string().nullable(),
    tables: z.int(),
    views: z.int(),
  })
  .openapi("Schema");

const list = createRoute({
  method: "get",
  path: "/admin/api/schema",
  summary: "List the schemas of tables and views",
  request: { query: pageQuery },
  responses: { 200: listAnswer(schemaSummary, "By name"), ...errorAnswers("QUERY_INVALID") },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/schema",
  summary: "Create a schema",
  request: dataBody(schemaDefinitionSchema),
  responses: {
    201: dataAnswer(schemaSummary, "The new schema"),
    ...errorAnswers("BODY_INVALID", "CONFLICT"),
  },
});

const drop = createRoute({
  method: "delete",
  path: "/admin/api/schema/{schema}",
  summary: "Drop an empty schema",
  request: {
    params: z.object({ schema: z.string() }),
    query: z.object({
      confirm: z.string().optional().openapi({ description: "The schema's name; required" }),
    }),
  },
  responses: {
    204: { description: "Schema dropped" },
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

/** Serves the user's schemas. Those of PostgreSQL and of the service get the response of an unknown schema. */
export function mountSchemaRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const page = await listSchemas(database, pageRequest(c.req.valid("query")));
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(create, async (c) => {
    const { name } = c.req.valid("json").data;
    return c.json({ data: await createSchema(database, name, actorOf(c)) }, 201);
  });
  router.openapi(drop, async (c) => {
    const { schema } = c.req.valid("param");
    await dropSchema(database, schema, c.req.valid("query").confirm, actorOf(c));
    return c.body(null, 204);
  });
}
