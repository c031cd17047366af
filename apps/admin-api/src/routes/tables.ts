import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { createTable, listTables, parseTableDefinition, previewCreateTable } from "@rowhouse/ddl";
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
import { tableDefinition, tableSummary } from "./table-answers.ts";

const params = z.object({ schema: z.string() });

const list = createRoute({
  method: "get",
  path: "/admin/api/schema/{schema}/tables",
  summary: "List the tables of a schema",
  request: { params, query: pageQuery },
  responses: {
    200: listAnswer(tableSummary, "By name"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables",
  summary: "Create a table",
  request: { params, ...dataBody(tableDefinition) },
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
  summary: "Get the SQL that would create a table, without executing it",
  request: { params, ...dataBody(tableDefinition) },
  responses: {
    200: dataAnswer(z.object({ sql: z.array(z.string()) }), "The statements in order"),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

/** Serves the tables of a schema. */
export function mountTablesRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const { schema } = c.req.valid("param");
    const page = await listTables(database, schema, pageRequest(c.req.valid("query")));
    return c.json(pageEnvelope(page), 200);
  });
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
