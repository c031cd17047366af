import { createRoute, z } from "@hono/zod-openapi";
import { type Database, requireFound, type SnapshotStore } from "@rowhouse/db";
import { loadRelationUses } from "@rowhouse/ddl";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  columnColorsSchema,
  columnFormatSchema,
  isRelationName,
  listResourceColumns,
  readResourceColumn,
  relationNameRule,
  updateResourceColumn,
} from "@rowhouse/permissions";
import { isStorableText } from "@rowhouse/wire";
import { actorOf } from "../administrator.ts";
import { dataAnswer, dataBody, describable, idParams } from "../route-parts.ts";

const path = "/admin/api/resources/{id}/columns";
const columnParams = idParams.extend({ column: z.string() });

const format = describable(columnFormatSchema).openapi("ColumnFormat");
const colors = describable(columnColorsSchema).openapi("ColumnColors");
const label = z
  .string()
  .min(1)
  .max(200)
  .refine(isStorableText, "Text cannot contain NUL or an unpaired surrogate");

const column = z
  .object({
    name: z.string(),
    dataType: z.string(),
    nullable: z.boolean(),
    hasDefault: z.boolean(),
    identity: z.enum(["ALWAYS", "BY_DEFAULT"]).nullable(),
    generated: z.boolean(),
    comment: z.string().nullable(),
    values: z.array(z.string()).nullable().openapi({ description: "Labels of an enum, in order" }),
    isFile: z.boolean().openapi({
      description:
        "Whether it has a foreign key to `system.files`, for the formats `file` and `image`",
    }),
    label: z.string().nullable(),
    format: format.nullable(),
    colors: colors.nullable(),
    relationName: z
      .string()
      .nullable()
      .openapi({ description: "The name that an administrator has given to its relation" }),
    relation: z.object({ name: z.string(), defaultName: z.string() }).nullable().openapi({
      description:
        "The relation of the foreign key that the column alone forms; null without one, and with several. `name` differs from `relationName` while a column or another relation has that name",
    }),
    source: z
      .object({
        resourceId: z.string(),
        schema: z.string(),
        table: z.string(),
        column: z.string(),
      })
      .nullable()
      .openapi({ description: "The table column that supplies the label, format and colors" }),
  })
  .openapi("ResourceColumn");

const changedColumn = column
  .extend({
    uses: z
      .array(
        z.object({
          object: z.enum(["dashboard", "DataView", "saved view", "workflow"]),
          name: z.string(),
        }),
      )
      .openapi({
        description:
          "The definitions that contain the former names of relations, and must contain the new ones",
      }),
  })
  .openapi("ChangedResourceColumn");

const list = createRoute({
  method: "get",
  path,
  summary: "List the columns of a table or view with their presentation",
  request: { params: idParams },
  responses: {
    200: dataAnswer(z.array(column), "In the order of the table or view"),
    ...errorAnswers("NOT_FOUND"),
  },
});

const read = createRoute({
  method: "get",
  path: `${path}/{column}`,
  summary: "Get a column with its presentation",
  request: { params: columnParams },
  responses: { 200: dataAnswer(column, "The column"), ...errorAnswers("NOT_FOUND") },
});

const update = createRoute({
  method: "patch",
  path: `${path}/{column}`,
  summary:
    "Set the label, format and colors of a column, and the name of its relation; null removes a value",
  request: {
    params: columnParams,
    ...dataBody(
      z.strictObject({
        label: label.nullable().optional(),
        format: format.nullable().optional(),
        colors: colors.nullable().optional(),
        relationName: z
          .string()
          .refine(isRelationName, relationNameRule)
          .nullable()
          .optional()
          .openapi({ description: relationNameRule }),
      }),
    ),
  },
  responses: {
    200: dataAnswer(changedColumn, "The column, and what names its relation by its former name"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

/** Serves the presentation of columns (label, format and colors) and the names of their relations. */
export function mountResourceColumnRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const usesOf = async (resourceId: string, names: readonly string[]) => {
    if (names.length === 0) return [];
    const { catalogue } = await snapshots.current();
    const { resource, schema, name } = requireFound(
      catalogue.relationByResource(resourceId.toLowerCase()),
    );
    const table = { resourceId: resource.id, schema, name };
    const uses = await loadRelationUses(database, table, names);
    return uses.map(({ object, name }) => ({ object, name }));
  };
  router.openapi(list, async (c) => {
    const { id } = c.req.valid("param");
    return c.json({ data: await listResourceColumns(database, await snapshots.fresh(), id) }, 200);
  });
  router.openapi(read, async (c) => {
    const { id, column: name } = c.req.valid("param");
    const found = await readResourceColumn(database, await snapshots.fresh(), id, name);
    return c.json({ data: found }, 200);
  });
  router.openapi(update, async (c) => {
    const { id, column: name } = c.req.valid("param");
    const { data } = c.req.valid("json");
    const changed = await updateResourceColumn(database, snapshots, id, name, data, actorOf(c));
    const uses = await usesOf(id, changed.formerRelations);
    return c.json({ data: { ...changed.column, uses } }, 200);
  });
}
