import { createRoute, z } from "@hono/zod-openapi";
import type { AuditActor, Database, SnapshotStore } from "@rowhouse/db";
import {
  createView,
  dropView,
  guardReplacement,
  guardView,
  listViews,
  previewCreateView,
  previewDropView,
  previewReplaceView,
  readRefresh,
  readView,
  replaceView,
  requireMaterialized,
  requireView,
  targetOf,
  type ViewRefresh,
  type ViewRefresher,
  type ViewTarget,
  viewDefinitionSchema,
  viewReplacementSchema,
} from "@rowhouse/ddl";
import { AppError } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const path = "/admin/api/schema/{schema}/views";
const schemaParams = z.object({ schema: z.string() });
const viewParams = z.object({ schema: z.string(), view: z.string() });

const summary = z
  .object({
    resourceId: z.string().nullable(),
    schema: z.string(),
    name: z.string(),
    materialized: z.boolean(),
    comment: z.string().nullable(),
    columns: z.int(),
    populated: z.boolean(),
  })
  .openapi("ViewSummary");

const refreshState = z
  .object({
    state: z.enum(["NONE", "RUNNING", "SUCCEEDED", "FAILED"]),
    concurrently: z
      .boolean()
      .nullable()
      .openapi({ description: "Whether others can read the view during the refresh" }),
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    refreshedAt: moment
      .nullable()
      .openapi({ description: "The time of the latest successful refresh" }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .openapi("ViewRefresh");

const detail = z
  .object({
    resourceId: z.string(),
    schema: z.string(),
    name: z.string(),
    materialized: z.boolean(),
    definition: z.string().openapi({ description: "Its SELECT, every name with its schema" }),
    comment: z.string().nullable(),
    columns: z.array(
      z.object({
        name: z.string(),
        dataType: z.string(),
        comment: z.string().nullable(),
        source: z
          .object({
            resourceId: z.string(),
            schema: z.string(),
            table: z.string(),
            column: z.string(),
          })
          .nullable()
          .openapi({
            description: "The table column that supplies the values directly; null if computed",
          }),
      }),
    ),
    indexes: z.array(
      z.object({
        name: z.string(),
        columns: z.array(z.string()).nullable(),
        unique: z.boolean(),
      }),
    ),
    populated: z.boolean(),
    refresh: refreshState.nullable(),
  })
  .openapi("View");

const statements = z.array(z.string()).openapi({ description: "The statements in order" });
const dropPreview = z.object({
  sql: statements,
  dependents: z.array(z.object({ kind: z.string(), name: z.string() })),
  loses: z.object({
    exposedMethods: z.array(z.string()),
    roles: z.array(z.string()),
    dataViews: z.array(z.string()),
    dashboards: z.array(z.string()),
  }),
});

const list = createRoute({
  method: "get",
  path,
  summary: "List the views of a schema",
  request: { params: schemaParams, query: pageQuery },
  responses: {
    200: listAnswer(summary, "By name"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const create = createRoute({
  method: "post",
  path,
  summary: "Create a view",
  request: { params: schemaParams, ...dataBody(viewDefinitionSchema) },
  responses: {
    201: dataAnswer(
      z.object({ resourceId: z.string(), schema: z.string(), name: z.string() }),
      "The new view; it is hidden until its resource exposes GET",
    ),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const previewCreate = createRoute({
  method: "post",
  path: `${path}/preview`,
  summary: "Get the SQL that would create a view, without executing it",
  request: { params: schemaParams, ...dataBody(viewDefinitionSchema) },
  responses: {
    200: dataAnswer(z.object({ sql: statements }), "The statements"),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const read = createRoute({
  method: "get",
  path: `${path}/{view}`,
  summary: "Get a view: its definition, its columns and their source columns",
  request: { params: viewParams },
  responses: { 200: dataAnswer(detail, "The view"), ...errorAnswers("NOT_FOUND", "CONFLICT") },
});

const replace = createRoute({
  method: "put",
  path: `${path}/{view}`,
  summary: "Replace the definition of a view; exposure and grants stay",
  request: { params: viewParams, ...dataBody(viewReplacementSchema) },
  responses: {
    200: dataAnswer(detail, "The view"),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const previewChange = createRoute({
  method: "post",
  path: `${path}/{view}/preview`,
  summary: "Get the SQL that would replace or drop a view, without executing it",
  request: {
    params: viewParams,
    ...dataBody(
      z.discriminatedUnion("action", [
        viewReplacementSchema.extend({ action: z.literal("replace") }),
        z.strictObject({ action: z.literal("drop") }),
      ]),
    ),
  },
  responses: {
    200: dataAnswer(
      z.union([dropPreview, z.object({ sql: statements })]),
      "The statements; for a drop, also the dependents of the view and the records that are deleted",
    ),
    ...errorAnswers("BODY_INVALID", "EXPRESSION_INVALID", "VALUE_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const drop = createRoute({
  method: "delete",
  path: `${path}/{view}`,
  summary: "Drop a view without dependents, with its exposure and grants",
  request: {
    params: viewParams,
    query: z.object({
      confirm: z.string().optional().openapi({ description: "The view's name; required" }),
    }),
  },
  responses: {
    204: { description: "View dropped" },
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const refresh = createRoute({
  method: "post",
  path: `${path}/{view}/refresh`,
  summary: "Refresh a materialized view in the background",
  request: { params: viewParams },
  responses: {
    200: dataAnswer(refreshState, "The refresh has started; the view shows its progress"),
    ...errorAnswers("NOT_FOUND", "CONFLICT", "SERVICE_UNAVAILABLE"),
  },
});

const progress = createRoute({
  method: "get",
  path: `${path}/{view}/refresh`,
  summary: "Get the state of the latest refresh",
  request: { params: viewParams },
  responses: {
    200: dataAnswer(refreshState, "The latest refresh"),
    ...errorAnswers("NOT_FOUND", "CONFLICT"),
  },
});

interface ViewRouteDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly refresher: ViewRefresher;
}

/** Serves the views of a schema. */
export function mountViewRoutes(
  router: ApiRouter,
  { database, snapshots, refresher }: ViewRouteDependencies,
): void {
  const find = async (params: { schema: string; view: string }): Promise<ViewTarget> =>
    targetOf(requireView((await snapshots.fresh()).catalogue, params.schema, params.view));
  const describe = async ({ schema, view }: { schema: string; view: string }) =>
    (await readView(database, (await snapshots.fresh()).catalogue, schema, view)).view;
  const startRefresh = async (target: ViewTarget, actor: AuditActor): Promise<ViewRefresh> => {
    const timeoutMs = settingsOf(await snapshots.current())["views.refresh_timeout_ms"];
    return refresher.start(target, { actor, timeoutMs });
  };
  /**
   * Starts the refresh of a new or replaced view. If the maximum number of refreshes is running, the request still
   * succeeds and the view stays unpopulated.
   */
  const fill = async (params: { schema: string; view: string }, actor: AuditActor) => {
    const target = await find(params);
    if (!target.materialized) return;
    await startRefresh(target, actor).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  };

  router.openapi(list, async (c) => {
    const { schema } = c.req.valid("param");
    const page = await listViews(database, schema, pageRequest(c.req.valid("query")));
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(create, async (c) => {
    const { schema } = c.req.valid("param");
    const view = await guardView(schema, c.req.valid("json").data);
    const created = await createView(database, view, actorOf(c));
    await fill({ schema, view: created.name }, actorOf(c));
    return c.json({ data: created }, 201);
  });
  router.openapi(previewCreate, async (c) => {
    const view = await guardView(c.req.valid("param").schema, c.req.valid("json").data);
    return c.json({ data: await previewCreateView(database, view) }, 200);
  });
  router.openapi(read, async (c) => c.json({ data: await describe(c.req.valid("param")) }, 200));
  router.openapi(replace, async (c) => {
    const target = await find(c.req.valid("param"));
    const view = await guardReplacement(target, c.req.valid("json").data);
    await replaceView(database, target, view, actorOf(c));
    await fill(c.req.valid("param"), actorOf(c));
    return c.json({ data: await describe(c.req.valid("param")) }, 200);
  });
  router.openapi(previewChange, async (c) => {
    const target = await find(c.req.valid("param"));
    const { data } = c.req.valid("json");
    if (data.action === "drop") {
      return c.json({ data: await previewDropView(database, target) }, 200);
    }
    const { action, ...input } = data;
    const view = await guardReplacement(target, input);
    return c.json({ data: await previewReplaceView(database, target, view) }, 200);
  });
  router.openapi(refresh, async (c) => {
    const target = await find(c.req.valid("param"));
    return c.json({ data: await startRefresh(target, actorOf(c)) }, 200);
  });
  router.openapi(progress, async (c) => {
    const target = await find(c.req.valid("param"));
    return c.json({ data: await readRefresh(database, requireMaterialized(target)) }, 200);
  });
  router.openapi(drop, async (c) => {
    const target = await find(c.req.valid("param"));
    await dropView(database, target, c.req.valid("query").confirm, actorOf(c));
    return c.body(null, 204);
  });
}
