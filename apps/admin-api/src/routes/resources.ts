import { z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, one, tagged } from "@rowhouse/http";
import {
  listResources,
  methods,
  readResource,
  readTitleSamples,
  tagOfResource,
  updateResource,
  updateResources,
} from "@rowhouse/permissions";
import { isStorableText } from "@rowhouse/wire";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { columnsChange, loadUses, relationUses } from "./resource-columns.ts";

const exposedMethods = z.array(z.enum(methods)).max(methods.length);
const text = (lengthMax: number) =>
  z
    .string()
    .min(1)
    .max(lengthMax)
    .refine(isStorableText, "Text cannot contain NUL or an unpaired surrogate");

const relationRef = z.object({ id: z.string(), schema: z.string(), name: z.string() });

const summary = z
  .object({
    id: z.string(),
    schema: z.string(),
    name: z.string(),
    kind: z.enum(["TABLE", "VIEW"]),
    relationKind: z.enum([
      ...["TABLE", "PARTITIONED_TABLE", "FOREIGN_TABLE"],
      ...["VIEW", "MATERIALIZED_VIEW"],
    ] as const),
    label: z.string().nullable(),
    exposedMethods,
    history: z
      .boolean()
      .openapi({ description: "Whether triggers record the changes of its rows" }),
    junction: z.boolean().openapi({
      description:
        "Whether it is marked as a junction, so that each of the two tables that it refers to has a relation to the other",
    }),
    rowEstimate: z.int().nullable().openapi({
      description: "The row estimate of the last ANALYZE; null before the first, and for a view",
    }),
  })
  .openapi("ResourceSummary");

const detail = summary
  .extend({
    description: z.string().nullable(),
    title: z
      .string()
      .nullable()
      .openapi({ description: "The template of a record's title: `{first_name} {last_name}`" }),
    proposedTitle: z
      .string()
      .nullable()
      .openapi({ description: "The title of its records while `title` is null" }),
    comment: z.string().nullable(),
    primaryKey: z.array(z.string()),
    uniqueKeys: z.array(z.array(z.string())).openapi({
      description:
        "The unique keys of all rows, of constraints and indexes alike; without deferrable ones and those WITHOUT OVERLAPS",
    }),
    inherited: z.boolean().openapi({
      description:
        "Whether its rows include those of inheriting tables, which may have the same keys: it has no primary key here, no rows by id and no cursors",
    }),
    rowSecurity: z.enum(["APPLIED", "IGNORED"]).nullable().openapi({
      description:
        "Whether its row level security applies to the service; `IGNORED` if the service's login owns the table or bypasses the policies, so that only grants protect its rows. Null without row level security",
    }),
    columns: z.array(
      z.object({
        name: z.string(),
        dataType: z.string(),
        nullable: z.boolean(),
        hasDefault: z.boolean(),
        identity: z.enum(["ALWAYS", "BY_DEFAULT"]).nullable(),
        generated: z.boolean(),
      }),
    ),
    relations: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(["ONE", "MANY"]),
          foreignKey: z.enum(["OWN", "TARGET", "JUNCTION"]).openapi({
            description: "The table with the foreign key: this one, the target, or the junction",
          }),
          target: relationRef,
          junction: relationRef.nullable(),
          columns: z
            .array(z.object({ own: z.string(), target: z.string() }))
            .openapi({ description: "Pairs of equal columns; empty with a junction" }),
        }),
      )
      .openapi({
        description: "Foreign keys from and to it, and junctions, by their names in the Data API",
      }),
    tableBytes: z.int().nullable(),
    indexBytes: z.int().nullable(),
  })
  .openapi("Resource");

const changed = detail.extend(relationUses).openapi("ChangedResource");

const changes = z.strictObject({
  exposedMethods: exposedMethods.optional(),
  label: text(200).nullable().optional(),
  description: text(5000).nullable().optional(),
  history: z.boolean().optional(),
  junction: z.boolean().optional().openapi({
    description:
      "Marks a table with exactly two foreign keys as a junction, although its primary key is another",
  }),
  title: text(500).nullable().optional().openapi({
    description:
      "The title of a record: texts, and fields in braces. A field that the reader may not read, or that has no value, is left out with the text before it. Null for the proposed title",
  }),
});

/** Maximum number of resources that one request changes: the size of the longest page of the list. */
const updatesMax = 1000;

/** Maximum number of resources whose rows one request reads. */
const samplesMax = 200;

/** Serves the exposure of tables and views. */
export function mountResourceRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/admin/api/resources";
  mountRecords(router, {
    path,
    noun: "resource",
    item: detail,
    listed: summary,
    list: {
      summary: "List the tables and views, including hidden ones",
      order: "By schema and name",
      query: z.object({
        schema: z.string().optional(),
        kind: z.enum(["TABLE", "VIEW"]).optional(),
        exposed: z
          .enum(["true", "false"])
          .optional()
          .openapi({ description: "Whether any method is exposed" }),
      }),
      run: async ({ page, query: { schema = null, kind = null, ...query } }) => {
        const exposed = query.exposed === undefined ? null : query.exposed === "true";
        const request = { ...page, schema, kind, exposed };
        return listResources(database, await snapshots.fresh(), request);
      },
    },
  });
  const onOne = `${path}/{id}`;
  const readOne = async (id: string) => {
    const tag = await tagOfResource(database, id);
    return { data: await readResource(database, await snapshots.fresh(), id), tag };
  };
  mountRoute(router, {
    method: "get",
    path: onOne,
    summary: "Get a table or view with its columns, keys and relations",
    answer: tagged(detail, "The resource"),
    run: ({ at }) => readOne(at.id),
  });
  mountRoute(router, {
    method: "patch",
    path: onOne,
    summary:
      "Expose methods, or hide the resource; change its label, description, title, row history and junction, and the presentation of its columns: all of it, or nothing",
    description: "The audit log has one entry.",
    body: changes.extend({
      columns: columnsChange.optional().openapi({
        description: "Changes of the presentation of columns and of the names of their relations",
      }),
    }),
    condition: "resource with its columns",
    codes: ["VALUE_INVALID", "CONFLICT"],
    answer: tagged(changed, "The resource, and what names its relations by former names"),
    run: async ({ at, data, actor, ifMatch }) => {
      const former = await updateResource(database, snapshots, at.id, data, actor, ifMatch);
      const { tag, data: read } = await readOne(at.id);
      return { data: { ...read, uses: await loadUses(database, snapshots, at.id, former) }, tag };
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/titles`,
    summary: "List the titles that records can have, with the first rows of each resource",
    description:
      "Changes nothing. Hidden resources are included; a view that takes longer than half a second has no rows.",
    body: z.array(z.guid()).min(1).max(samplesMax),
    codes: ["NOT_FOUND"],
    answer: one(
      z.array(
        z.object({
          id: z.string(),
          choices: z.array(z.object({ template: z.string() })).openapi({
            description: "The proposed title first; empty if only the key identifies a record",
          }),
          columns: z
            .array(z.object({ name: z.string(), baseType: z.string() }))
            .openapi({ description: "The columns that the choices name" }),
          rows: z.array(z.record(z.string(), z.string().nullable())).nullable().openapi({
            description:
              "Values as texts, and titles of rows that columns refer to; null if they could not be read in time",
          }),
        }),
      ),
      "In the order of the body",
    ),
    run: async ({ data }) => readTitleSamples(database, await snapshots.fresh(), data),
  });
  mountRoute(router, {
    method: "patch",
    path,
    summary: "Change several resources together: all of them, or none",
    description:
      "A fault names its item: `/data/3/exposedMethods/0`. The audit log has an entry for each resource.",
    body: z
      .array(changes.extend({ id: z.guid() }))
      .min(1)
      .max(updatesMax),
    codes: ["VALUE_INVALID", "CONFLICT"],
    answer: one(
      z.array(summary.extend({ description: z.string().nullable() })),
      "The resources, in the order of the body",
    ),
    run: ({ data, actor }) => updateResources(database, snapshots, data, actor),
  });
}
