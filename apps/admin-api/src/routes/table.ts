import { createRoute, z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import {
  alterTable,
  describeTable,
  dropTable,
  previewAlterTable,
  previewDropTable,
  readTableState,
  tagOfTable,
} from "@rowhouse/ddl";
import { type ApiRouter, errorAnswers, mixedErrorAnswers } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  ifMatchOf,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";
import { changePreview, tableAlteration, tableDescription } from "./table-answers.ts";

const tableParams = z.object({ schema: z.string(), table: z.string() });

const read = createRoute({
  method: "get",
  path: "/admin/api/schema/{schema}/tables/{table}",
  summary: "Get a table: its definition, size and dependents",
  request: { params: tableParams },
  responses: {
    200: taggedAnswer(dataAnswer(tableDescription, "The table")),
    ...errorAnswers("NOT_FOUND"),
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
  "PRECONDITION_FAILED",
  "UNIQUE_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
);

const alter = createRoute({
  method: "patch",
  path: "/admin/api/schema/{schema}/tables/{table}",
  summary: "Alter a table",
  request: { params: tableParams, headers: tagCondition("table"), ...dataBody(tableAlteration) },
  responses: {
    200: taggedAnswer(dataAnswer(tableDescription, "The table after the change")),
    ...alterationFaults,
  },
});

const previewAlter = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables/{table}/preview",
  summary: "Preview what an alteration would execute, lock, lose and fail on",
  request: { params: tableParams, headers: tagCondition("table"), ...dataBody(tableAlteration) },
  responses: { 200: dataAnswer(changePreview, "The effects of the change"), ...alterationFaults },
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
        .openapi({ description: "Whether to drop dependent views and foreign keys as well" }),
    }),
  },
  responses: {
    204: { description: "Table dropped" },
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const previewDrop = createRoute({
  method: "post",
  path: "/admin/api/schema/{schema}/tables/{table}/drop-preview",
  summary: "Preview what dropping a table would execute, lock and lose",
  request: {
    params: tableParams,
    ...dataBody(z.strictObject({ cascade: z.boolean().optional() })),
  },
  responses: {
    200: dataAnswer(changePreview, "The effects of the drop"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

/** Serves one table: its definition, its alterations and its deletion. */
export function mountTableRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(read, async (c) => {
    const { schema, table } = c.req.valid("param");
    const state = await readTableState(database, schema, table);
    const data = await describeTable(database, state);
    return c.json({ data }, 200, tagHeaders(tagOfTable(state)));
  });
  router.openapi(alter, async (c) => {
    const alteration = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const input = { ...c.req.valid("param"), alteration, ifMatch, actor: actorOf(c) };
    const { table, tag } = await alterTable(database, input);
    return c.json({ data: table }, 200, tagHeaders(tag));
  });
  router.openapi(previewAlter, async (c) => {
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const input = { ...c.req.valid("param"), alteration: c.req.valid("json").data, ifMatch };
    const { catalogue } = await snapshots.fresh();
    return c.json({ data: await previewAlterTable(database, input, catalogue) }, 200);
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
