import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers, mixedErrorAnswers } from "@rowhouse/http";
import {
  alterTable,
  createTable,
  describeTable,
  dropTable,
  listTables,
  parseTableDefinition,
  previewAlterTable,
  previewCreateTable,
  previewDropTable,
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
import {
  changePreview,
  tableAlteration,
  tableDefinition,
  tableDescription,
  tableSummary,
} from "./table-answers.ts";

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
  summary: "The SQL that would create a table, not run",
  request: { params, ...dataBody(tableDefinition) },
  responses: {
    200: dataAnswer(z.object({ sql: z.array(z.string()) }), "The statements in their order"),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const alterationFaults = mixedErrorAnswers(
  "BODY_INVALID",
  "EXPRESSION_INVALID",
  "VALUE_INVALID",
  "REQUIRED_FIELD",
  "CHECK_VIOLATION",
  "NOT_FOUND",
  "CONFLICT",
  "UNIQUE_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
);

const alter = createRoute({
  method: "patch",
  path: "/admin/api/schema/{schema}/tables/{table}",
  summary: "Alter a table",
  request: { params: tableParams, ...dataBody(tableAlteration) },
  responses: { 200: dataAnswer(tableDescription, "The table as it is now"), ...alterationFaults },
});

const previewAlter = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables/{table}/preview",
  summary: "What an alteration would run, hold, lose and fail on; nothing is run",
  request: { params: tableParams, ...dataBody(tableAlteration) },
  responses: { 200: dataAnswer(changePreview, "What it would do"), ...alterationFaults },
});

const drop = createRoute({
  method: "delete",
  path: "/admin/api/schema/{schema}/tables/{table}",
  summary: "Drop a table",
  request: {
    params: tableParams,
    query: z.object({
      confirm: z.string().optional().openapi({ description: "The table's name; required" }),
      cascade: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "Whether views and foreign keys that rest on it go as well" }),
    }),
  },
  responses: {
    204: { description: "It is gone" },
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const previewDrop = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables/{table}/drop-preview",
  summary: "What dropping a table would run, hold and lose; nothing is run",
  request: {
    params: tableParams,
    ...dataBody(z.strictObject({ cascade: z.boolean().optional() })),
  },
  responses: {
    200: dataAnswer(changePreview, "What it would do"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
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
  router.openapi(alter, async (c) => {
    const alteration = c.req.valid("json").data;
    const input = { ...c.req.valid("param"), alteration, actor: actorOf(c) };
    return c.json({ data: await alterTable(database, input) }, 200);
  });
  router.openapi(previewAlter, async (c) => {
    const input = { ...c.req.valid("param"), alteration: c.req.valid("json").data };
    return c.json({ data: await previewAlterTable(database, input) }, 200);
  });
  router.openapi(drop, async (c) => {
    const { confirm, cascade } = c.req.valid("query");
    const target = { ...c.req.valid("param"), cascade: cascade === "true" };
    await dropTable(database, { ...target, confirm, actor: actorOf(c) });
    return c.body(null, 204);
  });
  router.openapi(previewDrop, async (c) => {
    const { cascade = false } = c.req.valid("json").data;
    const input = { ...c.req.valid("param"), cascade };
    return c.json({ data: await previewDropTable(database, input) }, 200);
  });
}
