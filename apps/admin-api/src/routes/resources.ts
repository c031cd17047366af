import { createRoute, z } from "@hono/zod-openapi";
import { exposeResource, listResources, methods, readResource } from "@rowhouse/administration";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const exposedMethods = z.array(z.enum(methods)).max(methods.length);

const summary = z
  .object({
    id: z.string(),
    schema: z.string(),
    name: z.string(),
    kind: z.enum(["TABLE", "VIEW"]),
    exposedMethods,
  })
  .openapi("ResourceSummary");

const detail = summary
  .extend({
    comment: z.string().nullable(),
    primaryKey: z.array(z.string()),
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
  })
  .openapi("Resource");

const list = createRoute({
  method: "get",
  path: "/admin/api/resources",
  summary: "Tables and views, hidden ones included",
  request: { query: pageQuery.extend({ schema: z.string().optional() }) },
  responses: {
    200: listAnswer(summary, "By schema and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

const read = createRoute({
  method: "get",
  path: "/admin/api/resources/{id}",
  summary: "A table or view with its columns",
  request: { params: idParams },
  responses: { 200: dataAnswer(detail, "The resource"), ...errorAnswers("NOT_FOUND") },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/resources/{id}",
  summary: "Expose methods, or hide the resource",
  request: { params: idParams, ...dataBody(z.strictObject({ exposedMethods })) },
  responses: {
    200: dataAnswer(detail, "The resource"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND"),
  },
});

/** Exposure records of tables and views (spec §2, Resource). */
export function mountResourceRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const query = c.req.valid("query");
    const request = { ...pageRequest(query), schema: query.schema ?? null };
    return c.json(pageEnvelope(listResources(await snapshots.fresh(), request)), 200);
  });
  router.openapi(read, async (c) => {
    const { id } = c.req.valid("param");
    return c.json({ data: readResource(await snapshots.fresh(), id) }, 200);
  });
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const { data } = c.req.valid("json");
    const changed = await exposeResource(database, snapshots, id, data.exposedMethods, actorOf(c));
    return c.json({ data: changed }, 200);
  });
}
