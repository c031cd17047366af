import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createTable,
  parseTableDefinition,
  previewCreateTable,
  tableDefinitionSchema,
} from "@rowhouse/tables";
import { actorOf } from "../administrator.ts";
import { dataAnswer, dataBody } from "../route-parts.ts";

const { $schema: _, ...definitionDocument } = z.toJSONSchema(tableDefinitionSchema);
/** Read by the package itself, so that faults of form and of expressions are told together. */
const definition = z
  .unknown()
  .refine((data) => data !== undefined, "A table definition is required")
  .openapi("TableDefinition", definitionDocument as object);
const params = z.object({ schema: z.string() });

const create = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables",
  summary: "Create a table",
  request: { params, ...dataBody(definition) },
  responses: {
    201: dataAnswer(
      z.object({ resourceId: z.string(), schema: z.string(), name: z.string() }),
      "The new table; it is hidden until its resource exposes methods",
    ),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const preview = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables/preview",
  summary: "The SQL that would create a table, not run",
  request: { params, ...dataBody(definition) },
  responses: {
    200: dataAnswer(z.object({ sql: z.array(z.string()) }), "The statements in their order"),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

/** Tables of a schema (spec §4.3). */
export function mountTableRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(create, async (c) => {
    const { schema } = c.req.valid("param");
    const table = await parseTableDefinition(c.req.valid("json").data);
    const created = await createTable(database, { schema, definition: table, actor: actorOf(c) });
    return c.json({ data: created }, 201);
  });
  router.openapi(preview, async (c) => {
    const { schema } = c.req.valid("param");
    const table = await parseTableDefinition(c.req.valid("json").data);
    return c.json({ data: await previewCreateTable(database, { schema, definition: table }) }, 200);
  });
}
