import { z } from "@hono/zod-openapi";
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
import { type ApiRouter, none, one, tagged } from "@rowhouse/http";
import { mountRoute } from "../mount-route.ts";
import { changePreview, tableAlteration, tableDescription } from "./table-answers.ts";

const params = z.object({ schema: z.string(), table: z.string() });
/** What an alteration may fail on, all of it in one response. */
const alterationCodes = [
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
] as const;

/** Serves one table: its definition, its alterations and its deletion. */
export function mountTableRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/admin/api/schema/{schema}/tables/{table}";
  mountRoute(router, {
    method: "get",
    path,
    params,
    summary: "Get a table: its definition, size and dependents",
    answer: tagged(tableDescription, "The table"),
    run: async ({ at }) => {
      const state = await readTableState(database, at.schema, at.table);
      return { data: await describeTable(database, state), tag: tagOfTable(state) };
    },
  });
  const alteration = { params, condition: "table", body: tableAlteration, mixed: true } as const;
  mountRoute(router, {
    method: "patch",
    path,
    ...alteration,
    summary: "Alter a table",
    codes: alterationCodes,
    answer: tagged(tableDescription, "The table after the change"),
    run: async ({ at, data, ifMatch, actor }) => {
      const input = { ...at, alteration: data, ifMatch, actor };
      const { table, tag } = await alterTable(database, input);
      return { data: table, tag };
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/preview`,
    ...alteration,
    summary: "Preview what an alteration would execute, lock, lose and fail on",
    codes: alterationCodes,
    answer: one(changePreview, "The effects of the change"),
    run: async ({ at, data, ifMatch }) => {
      const { catalogue } = await snapshots.fresh();
      return previewAlterTable(database, { ...at, alteration: data, ifMatch }, { catalogue });
    },
  });
  mountRoute(router, {
    method: "delete",
    path,
    params,
    summary: "Drop a table",
    query: z.object({
      confirm: z.string().optional().openapi({ description: "The table's name; required" }),
      cascade: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "Whether to drop dependent views and foreign keys as well" }),
    }),
    codes: ["CONFLICT"],
    answer: none("Table dropped"),
    run: ({ at, query: { confirm, cascade }, actor }) =>
      dropTable(database, { ...at, cascade: cascade === "true", confirm, actor }),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/drop-preview`,
    params,
    summary: "Preview what dropping a table would execute, lock and lose",
    body: z.strictObject({ cascade: z.boolean().optional() }),
    codes: ["CONFLICT"],
    answer: one(changePreview, "The effects of the drop"),
    run: ({ at, data: { cascade = false } }) => previewDropTable(database, { ...at, cascade }),
  });
}
