import { z } from "@hono/zod-openapi";
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
import { type ApiRouter, created, list, none, one } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { mountRoute } from "../mount-route.ts";
import { moment } from "../route-parts.ts";

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

/** What a definition may fail on. */
const codes = ["EXPRESSION_INVALID", "VALUE_INVALID", "CONFLICT"] as const;

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

  mountRoute(router, {
    method: "get",
    path,
    params: schemaParams,
    summary: "List the views of a schema",
    answer: list(summary, "By name"),
    run: ({ at, page }) => listViews(database, at.schema, page),
  });
  mountRoute(router, {
    method: "post",
    path,
    params: schemaParams,
    summary: "Create a view",
    body: viewDefinitionSchema,
    codes,
    answer: created(
      z.object({ resourceId: z.string(), schema: z.string(), name: z.string() }),
      "The new view; it is hidden until its resource exposes GET",
    ),
    run: async ({ at: { schema }, data, actor }) => {
      const view = await createView(database, await guardView(schema, data), actor);
      await fill({ schema, view: view.name }, actor);
      return view;
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/preview`,
    params: schemaParams,
    summary: "Get the SQL that would create a view, without executing it",
    body: viewDefinitionSchema,
    codes,
    answer: one(z.object({ sql: statements }), "The statements"),
    run: async ({ at, data }) => previewCreateView(database, await guardView(at.schema, data)),
  });
  const ofView = { path: `${path}/{view}`, params: viewParams };
  mountRoute(router, {
    ...ofView,
    method: "get",
    summary: "Get a view: its definition, its columns and their source columns",
    codes: ["CONFLICT"],
    answer: one(detail, "The view"),
    run: ({ at }) => describe(at),
  });
  mountRoute(router, {
    ...ofView,
    method: "put",
    summary: "Replace the definition of a view; exposure and grants stay",
    body: viewReplacementSchema,
    codes,
    answer: one(detail, "The view"),
    run: async ({ at, data, actor }) => {
      const target = await find(at);
      await replaceView(database, target, await guardReplacement(target, data), actor);
      await fill(at, actor);
      return describe(at);
    },
  });
  mountRoute(router, {
    ...ofView,
    method: "post",
    path: `${path}/{view}/preview`,
    summary: "Get the SQL that would replace or drop a view, without executing it",
    body: z.discriminatedUnion("action", [
      viewReplacementSchema.extend({ action: z.literal("replace") }),
      z.strictObject({ action: z.literal("drop") }),
    ]),
    codes,
    answer: one(
      z.union([dropPreview, z.object({ sql: statements })]),
      "The statements; for a drop, also the dependents of the view and the records that are deleted",
    ),
    run: async ({ at, data: { action, ...input } }) => {
      const target = await find(at);
      if (action === "drop") return previewDropView(database, target);
      const view = await guardReplacement(target, input as z.output<typeof viewReplacementSchema>);
      return previewReplaceView(database, target, view);
    },
  });
  mountRoute(router, {
    ...ofView,
    method: "delete",
    summary: "Drop a view without dependents, with its exposure and grants",
    query: z.object({
      confirm: z.string().optional().openapi({ description: "The view's name; required" }),
    }),
    codes: ["CONFLICT"],
    answer: none("View dropped"),
    run: async ({ at, query, actor }) => dropView(database, await find(at), query.confirm, actor),
  });
  mountRoute(router, {
    ...ofView,
    method: "post",
    path: `${path}/{view}/refresh`,
    summary: "Refresh a materialized view in the background",
    codes: ["CONFLICT"],
    answer: one(refreshState, "The refresh has started; the view shows its progress"),
    run: async ({ at, actor }) => startRefresh(await find(at), actor),
  });
  mountRoute(router, {
    ...ofView,
    method: "get",
    path: `${path}/{view}/refresh`,
    summary: "Get the state of the latest refresh",
    codes: ["CONFLICT"],
    answer: one(refreshState, "The latest refresh"),
    run: async ({ at }) => readRefresh(database, requireMaterialized(await find(at))),
  });
}
