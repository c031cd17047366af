import { z } from "@hono/zod-openapi";
import { type Database, exactObject, type SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, one } from "@rowhouse/http";
import {
  createGrant,
  deleteGrant,
  listGrants,
  readGrant,
  setGrants,
  tagOfGrant,
  updateGrant,
} from "@rowhouse/permissions";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";

const action = z.enum(["READ", "CREATE", "UPDATE", "DELETE"]);
const filter = exactObject.meta({
  description: "A filter in the language of `where`, with `$USER.<column>` and `$NOW`",
  example: { owner: { _eq: "$USER.id" } },
});

/** A grant with current column names. */
export const grantAnswer = z
  .object({
    id: z.string(),
    roleId: z.string(),
    resourceId: z.string(),
    action,
    fields: z.array(z.string()).nullable(),
    rowFilter: z.unknown(),
    check: z.unknown(),
    presets: z.record(z.string(), z.unknown()),
    effective: z.boolean().openapi({
      description:
        "False if a column that the grant uses was dropped, or means something else since its type, its collation or a label has changed: the grant allows nothing",
    }),
    reason: z.string().nullable().openapi({ description: "Why the grant is not effective" }),
    lost: z
      .array(
        z.object({
          part: z.enum(["fields", "rowFilter", "check", "presets"]),
          name: z
            .string()
            .openapi({ description: "The name that the grant uses; empty for the whole part" }),
          reason: z.enum([
            "DROPPED",
            "MOVED",
            "TYPE",
            "COLLATION",
            "LOCALE",
            "LABEL",
            "VALUE",
            "UNKNOWN",
          ]),
        }),
      )
      .openapi({
        description: "The names that have lost their column, or the meaning of their column",
      }),
  })
  .openapi("Grant");

const terms = z.strictObject({
  fields: z
    .array(z.string())
    .max(1600)
    .nullable()
    .optional()
    .openapi({ description: "Null for every field, including fields added later" }),
  rowFilter: filter.nullable().optional(),
  check: filter
    .nullable()
    .optional()
    .openapi({ description: "The condition on a new row; the default is the row filter" }),
  presets: exactObject.optional().openapi({
    description: "Columns that the service sets: a literal, null or a variable",
  }),
});

const newGrant = terms.extend({ roleId: z.guid(), resourceId: z.guid(), action });

/** Maximum number of grants that one request sets: the size of the longest page of the list. */
const settingsMax = 1000;

/** Serves grants: the actions that roles may perform on resources. */
export function mountGrantRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/admin/api/grants";
  mountRecords(router, {
    path,
    noun: "grant",
    item: grantAnswer,
    exact: true,
    tagOf: tagOfGrant,
    list: {
      summary: "List the grants",
      order: "By id",
      query: z.object({
        roleId: z.guid().optional(),
        resourceId: z.guid().optional(),
        action: action.optional(),
      }),
      run: async ({ page, query: { roleId = null, resourceId = null, action = null } }) =>
        listGrants(await snapshots.fresh(), { ...page, roleId, resourceId, action }),
    },
    create: {
      summary: "Grant a role an action on a resource",
      body: newGrant,
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID", "CONFLICT"],
      run: ({ data, actor }) => createGrant(database, snapshots, data, actor),
    },
    read: {
      summary: "Get a grant, with current column names",
      run: async ({ at }) => readGrant(await snapshots.fresh(), at.id),
    },
    update: {
      summary: "Change the terms of a grant",
      body: terms,
      codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
      run: ({ at, data, actor, ifMatch }) =>
        updateGrant(database, snapshots, at.id, data, actor, ifMatch),
    },
    remove: {
      summary: "Delete a grant",
      answer: "Grant deleted",
      run: ({ at, actor }) => deleteGrant(database, at.id, actor),
    },
  });
  mountRoute(router, {
    method: "put",
    path,
    exactBody: true,
    summary: "Create, replace and revoke several grants together: all of them, or none",
    description:
      "Each item is the grant of a role for an action on a resource; its terms replace those of a present one. A fault names its item: `/data/3/fields/0`. The audit log has an entry for each grant.",
    body: z
      .array(
        newGrant.extend({
          revoked: z.boolean().optional().openapi({
            description: "Whether the role loses the grant; such an item has no terms",
          }),
        }),
      )
      .min(1)
      .max(settingsMax),
    codes: ["FIELD_UNKNOWN", "VALUE_INVALID"],
    answer: one(z.array(grantAnswer), "The grants that exist afterward, in the order of the body"),
    run: ({ data, actor }) => setGrants(database, snapshots, data, actor),
  });
}
