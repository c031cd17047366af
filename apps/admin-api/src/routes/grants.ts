import { createRoute, z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers, exactObject } from "@rowhouse/http";
import {
  createGrant,
  deleteGrant,
  listGrants,
  readGrant,
  tagOfGrant,
  updateGrant,
} from "@rowhouse/permissions";
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  exactDataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";

const action = z.enum(["READ", "CREATE", "UPDATE", "DELETE"]);
const filter = exactObject.openapi({
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
      description: "False if a column that the grant uses was dropped: the grant allows nothing",
    }),
    lost: z
      .array(
        z.object({
          part: z.enum(["rowFilter", "check", "presets"]),
          name: z.string().openapi({ description: "The name that the grant uses" }),
        }),
      )
      .openapi({ description: "Dropped columns that the grant uses" }),
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

const list = createRoute({
  method: "get",
  path: "/admin/api/grants",
  summary: "List the grants",
  request: {
    query: pageQuery.extend({
      roleId: z.guid().optional(),
      resourceId: z.guid().optional(),
      action: action.optional(),
    }),
  },
  responses: { 200: listAnswer(grantAnswer, "By id"), ...errorAnswers("QUERY_INVALID") },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/grants",
  summary: "Grant a role an action on a resource",
  request: exactDataBody(terms.extend({ roleId: z.guid(), resourceId: z.guid(), action })),
  responses: {
    201: dataAnswer(grantAnswer, "The grant"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID", "CONFLICT"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/grants/{id}",
  summary: "Change the terms of a grant",
  request: { params: idParams, headers: tagCondition("grant"), ...exactDataBody(terms) },
  responses: {
    200: taggedAnswer(dataAnswer(grantAnswer, "The grant")),
    ...errorAnswers(
      "BODY_INVALID",
      "FIELD_UNKNOWN",
      "VALUE_INVALID",
      "NOT_FOUND",
      "PRECONDITION_FAILED",
    ),
  },
});

/** Serves grants: the actions that roles may perform on resources. */
export function mountGrantRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const { roleId = null, resourceId = null, action = null, ...query } = c.req.valid("query");
    const request = { ...pageRequest(query), roleId, resourceId, action };
    return c.json(pageEnvelope(listGrants(await snapshots.fresh(), request)), 200);
  });
  router.openapi(create, async (c) => {
    const input = c.req.valid("json").data;
    return c.json({ data: await createGrant(database, snapshots, input, actorOf(c)) }, 201);
  });
  mountRead(
    router,
    "/admin/api/grants",
    grantAnswer,
    { summary: "Get a grant, with current column names", description: "The grant" },
    async (id) => readGrant(await snapshots.fresh(), id),
    tagOfGrant,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const data = await updateGrant(database, snapshots, id, changes, actorOf(c), ifMatch);
    return c.json({ data }, 200, tagHeaders(tagOfGrant(data)));
  });
  mountDelete(
    router,
    "/admin/api/grants",
    { summary: "Delete a grant", description: "Grant deleted" },
    (id, actor) => deleteGrant(database, id, actor),
  );
}
