import { z } from "@hono/zod-openapi";
import { type Database, requireFound, type SnapshotStore } from "@rowhouse/db";
import { loadRelationUses } from "@rowhouse/ddl";
import { type ApiRouter, describable, idParams, tagged } from "@rowhouse/http";
import {
  columnColorsSchema,
  columnFormatSchema,
  isRelationName,
  listResourceColumns,
  readResourceColumn,
  relationNameRule,
  tagOfColumns,
  updateResourceColumn,
  updateResourceColumns,
} from "@rowhouse/permissions";
import { isStorableText } from "@rowhouse/wire";
import { mountRoute } from "../mount-route.ts";

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

const changes = z.strictObject({
  label: label.nullable().optional(),
  format: format.nullable().optional(),
  colors: colors.nullable().optional(),
});

/** Maximum number of columns of a table or view in PostgreSQL. */
const columnsMax = 1600;

const namedChanges = changes.extend({
  relationName: z
    .string()
    .refine(isRelationName, relationNameRule)
    .nullable()
    .optional()
    .openapi({ description: relationNameRule }),
});

/** Changes of the columns of a resource, each with its name. */
export const columnsChange = z
  .array(namedChanges.extend({ name: z.string() }))
  .min(1)
  .max(columnsMax);

/** What a change of names of relations leaves with the former ones, in a response. */
export const relationUses = {
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
};

const changedColumn = column.extend(relationUses).openapi("ChangedResourceColumn");

/** Loads the definitions that contain former names of relations of a resource. */
export async function loadUses(
  database: Database,
  snapshots: SnapshotStore,
  resourceId: string,
  names: readonly string[],
) {
  if (names.length === 0) return [];
  const { catalogue } = await snapshots.current();
  const { resource, schema, name } = requireFound(
    catalogue.relationByResource(resourceId.toLowerCase()),
  );
  const table = { resourceId: resource.id, schema, name };
  const uses = await loadRelationUses(database, table, names);
  return uses.map(({ object, name }) => ({ object, name }));
}

/** Serves the presentation of columns (label, format and colors) and the names of their relations. */
export function mountResourceColumnRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/admin/api/resources/{id}/columns";
  const params = idParams.extend({ column: z.string().refine(isStorableText) });
  const readAll = async (id: string) => {
    const tag = await tagOfColumns(database, id, null);
    return { data: await listResourceColumns(database, await snapshots.fresh(), id), tag };
  };
  const readOne = async (id: string, name: string) => {
    const tag = await tagOfColumns(database, id, name);
    return { data: await readResourceColumn(database, await snapshots.fresh(), id, name), tag };
  };
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the columns of a table or view with their presentation",
    answer: tagged(z.array(column), "In the order of the table or view"),
    run: ({ at }) => readAll(at.id),
  });
  mountRoute(router, {
    method: "patch",
    path,
    summary: "Set the label, format and colors of several columns together: of all, or of none",
    description: "A fault names its item: `/data/3/format`. The audit log has one entry.",
    body: z
      .array(changes.extend({ name: z.string() }))
      .min(1)
      .max(columnsMax),
    condition: "presentation of the columns",
    codes: ["VALUE_INVALID", "CONFLICT"],
    answer: tagged(z.array(column), "Every column, in the order of the table or view"),
    run: async ({ at, data, actor, ifMatch }) => {
      await updateResourceColumns(database, snapshots, at.id, data, actor, ifMatch);
      return readAll(at.id);
    },
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/{column}`,
    params,
    summary: "Get a column with its presentation",
    answer: tagged(column, "The column"),
    run: ({ at }) => readOne(at.id, at.column),
  });
  mountRoute(router, {
    method: "patch",
    path: `${path}/{column}`,
    params,
    summary:
      "Set the label, format and colors of a column, and the name of its relation; null removes a value",
    body: namedChanges,
    condition: "presentation of the column",
    codes: ["CONFLICT"],
    answer: tagged(changedColumn, "The column, and what names its relation by its former name"),
    run: async ({ at: { id, column }, data, actor, ifMatch }) => {
      const former = await updateResourceColumn(
        database,
        snapshots,
        id,
        column,
        data,
        actor,
        ifMatch,
      );
      const changed = await readOne(id, column);
      const uses = await loadUses(database, snapshots, id, former);
      return { ...changed, data: { ...changed.data, uses } };
    },
  });
}
