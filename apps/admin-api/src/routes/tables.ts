import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createTable,
  describeTable,
  listTables,
  parseTableDefinition,
  previewCreateTable,
  readTableState,
} from "@rowhouse/tables";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";
import { definitionDocument, tableDescription, tableSummary } from "./table-answers.ts";

/** Read by the package itself, so that faults of form and of expressions are told together. */
const definition = z
  .unknown()
  .refine((data) => data !== undefined, "A table definition is required")
  .openapi("TableDefinition", definitionDocument as object);
const params = z.object({ schema: z.string() });
const tableParams = z.object({ schema: z.string(), table: z.string() });

const list = createRoute({
  method: "get",
  path: "/admin/api/schema/{schema}/tables",
  summary: "The tables of a schema",
  request: { params, query: pageQuery },
  responses: {
    200: listAnswer(tableSummary, "By name"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const read = createRoute({
  method: "get",
  path: "/admin/api/schema/{schema}/tables/{table}",
  summary: "A table: its definition, and what only the database knows of it",
  request: { params: tableParams },
  responses: { 200: dataAnswer(tableDescription, "The table"), ...errorAnswers("NOT_FOUND") },
});

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
  router.openapi(list, async (c) => {
    const { schema } = c.req.valid("param");
    const page = await listTables(database, schema, pageRequest(c.req.valid("query")));
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(read, async (c) => {
    const { schema, table } = c.req.valid("param");
    return c.json({ data: describeTable(await readTableState(database, schema, table)) }, 200);
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
