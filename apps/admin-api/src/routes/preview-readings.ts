import { createRoute, z } from "@hono/zod-openapi";
import { type DataPlane, exportFormatOf } from "@rowhouse/data";
import { type Database, type Snapshot, type SnapshotStore, toAppError } from "@rowhouse/db";
import { type AppError, escapePointer } from "@rowhouse/errors";
import {
  type ApiRouter,
  errorAnswers,
  exactDataBody,
  type ServiceEnvironment,
} from "@rowhouse/http";
import {
  dashboardInput,
  dashboardOfBody,
  dataViewInput,
  openDashboard,
  openView,
  type Previewed,
  previewedCaller,
  type Reader,
  renderDashboard,
  renderPanel,
  requireValidDashboard,
  requireValidDataView,
  viewOfBody,
  viewParameters,
  viewQueryBody,
} from "@rowhouse/readings";
import type { Logger } from "@rowhouse/service";
import type { Context } from "hono";
import { actorOf } from "../administrator.ts";
import { callerOf } from "../app-principal.ts";
import { dashboardEnvelope, panelEnvelope } from "./app/dashboards.ts";
import { openViewAnswer, type openViewEnvelope } from "./app/view-answer.ts";
import { viewFile } from "./app/view-file.ts";
import { previewedParts } from "./preview-permissions.ts";

/** The member `as` of a preview of a reading. */
const previewedReader = z
  .strictObject(previewedParts)
  .optional()
  .openapi({ description: "Whose rows the response has; omitted for those of the caller" });

/** The id of a reading that is not stored. */
const unstoredId = "00000000-0000-0000-0000-000000000000";

export interface PreviewReadingDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engines: Pick<DataPlane, "engine" | "exports">;
  readonly logger: Logger;
}

const viewPreview = z.strictObject({
  view: dataViewInput,
  as: previewedReader,
  query: viewQueryBody.optional(),
});

const previewDataView = createRoute({
  method: "post",
  path: "/admin/api/data-views/preview",
  operationId: "previewDataView",
  summary: "Open a DataView that is not stored, as oneself, as a person or as a set of roles",
  description:
    "Returns what `GET /app/api/data-views/{id}` would return, errors included, read-only. As another person it is recorded in the audit log.",
  request: exactDataBody(viewPreview),
  responses: {
    200: openViewAnswer,
    ...errorAnswers(
      "BODY_INVALID",
      "FIELD_UNKNOWN",
      "VALUE_INVALID",
      "QUERY_INVALID",
      "ACTION_DENIED",
      "CONFLICT",
      "QUERY_TIMEOUT",
    ),
  },
});

const dashboardPreview = z.strictObject({
  dashboard: dashboardInput,
  as: previewedReader,
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .openapi({ description: "Values of parameters by name" }),
  panelId: z.string().max(40).optional().openapi({ description: "That panel alone" }),
});

const previewDashboard = createRoute({
  method: "post",
  path: "/admin/api/dashboards/preview",
  operationId: "previewDashboard",
  summary: "Open a dashboard that is not stored, as oneself, as a person or as a set of roles",
  description:
    "Returns what `GET /app/api/dashboards/{id}` would return, or with `panelId` that of `…/panels/{panelId}`, read-only. As another person it is recorded in the audit log.",
  request: exactDataBody(dashboardPreview),
  responses: {
    200: {
      description: "The open dashboard, or one panel of it",
      content: { "application/json": { schema: z.union([dashboardEnvelope, panelEnvelope]) } },
    },
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID", "QUERY_INVALID", "NOT_FOUND"),
  },
});

/** Serves previews of dashboards and DataViews. Nothing is stored, and a file has the rights of the previewed person as well. */
export function mountPreviewReadingRoutes(
  router: ApiRouter,
  dependencies: PreviewReadingDependencies,
): void {
  mountViewPreview(router, dependencies);
  mountDashboardPreview(router, dependencies);
}

function mountViewPreview(router: ApiRouter, dependencies: PreviewReadingDependencies): void {
  const { snapshots, logger } = dependencies;
  router.openapi(previewDataView, async (c) => {
    const { view: given, as, query = {} } = c.req.valid("json").data;
    const snapshot = await snapshots.fresh();
    const view = { ...viewOfBody(given), id: unstoredId };
    requireValidDataView(snapshot, view, "/data/view");
    const reader = await readerOfPreview(c, dependencies, snapshot, as);
    const format = exportFormatOf(c.req.raw.headers.get("accept"));
    try {
      if (format === undefined) {
        const text = await openView(view, query, reader);
        return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
      }
      return (await viewFile(c, view, query, reader, format, logger)) as unknown as Answer;
    } catch (error) {
      throw inPreviewBody(error, pointerOfParameter);
    }

    type Answer = ReturnType<typeof c.json<z.output<typeof openViewEnvelope>, 200>>;
  });
}

const parameters: ReadonlySet<string> = new Set(Object.keys(viewParameters.shape));
const members: Readonly<Record<string, string>> = { order_by: "orderBy" };

/** A parameter of a list, such as `where[plate][_eq]`, as a member of the body. */
function pointerOfParameter(path: string): string | undefined {
  const [, name = "", brackets = ""] = /^(\w+)(?=$|\[)(.*)$/s.exec(path) ?? [];
  if (!parameters.has(name)) return undefined;
  const inner = segmentsOf(brackets).map((segment) => `/${segment}`);
  return `/data/query/${members[name] ?? name}${inner.join("")}`;
}

/** The keys in the brackets of `[plate][_eq]`, as segments of a JSON pointer. */
function segmentsOf(brackets: string): string[] {
  if (brackets === "") return [];
  return brackets.slice(1, -1).split("][").map(escapePointer);
}

function mountDashboardPreview(router: ApiRouter, dependencies: PreviewReadingDependencies): void {
  const { snapshots, logger } = dependencies;
  router.openapi(previewDashboard, async (c) => {
    type Envelope = z.output<typeof dashboardEnvelope> | z.output<typeof panelEnvelope>;
    type Answer = ReturnType<typeof c.json<Envelope, 200>>;
    const { dashboard: given, as, parameters = {}, panelId } = c.req.valid("json").data;
    const snapshot = await snapshots.fresh();
    const dashboard = { ...dashboardOfBody(given), id: unstoredId, lost: [] };
    requireValidDashboard(snapshot, dashboard, "/data/dashboard");
    const reader = await readerOfPreview(c, dependencies, snapshot, as);
    const report = (error: unknown) =>
      logger.error({ err: error, requestId: c.env.edge.requestId }, "A panel could not be read");
    const values = new Map(Object.entries(parameters));
    const opened = await openDashboard(dashboard, values, reader).catch((error: unknown) => {
      throw inPreviewBody(error, pointerOfValue);
    });
    const text =
      panelId === undefined
        ? await renderDashboard(opened, true, report)
        : await renderPanel(opened, panelId, report);
    return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
  });
}

/** `parameters[name]` as a member of the body. */
function pointerOfValue(path: string): string | undefined {
  const [, name] = /^parameters\[(.*)\]$/s.exec(path) ?? [];
  return name === undefined ? undefined : `/data/parameters/${escapePointer(name)}`;
}

/**
 * Returns the reader of a preview: the caller, or whom `as` names, which is recorded in the audit log.
 *
 * @throws AppError as `previewedCaller`
 */
async function readerOfPreview(
  c: Context<ServiceEnvironment>,
  { database, engines }: Pick<PreviewReadingDependencies, "database" | "engines">,
  snapshot: Snapshot,
  as: Previewed | undefined,
): Promise<Reader> {
  const person =
    as === undefined
      ? { caller: callerOf(c), principal: c.get("principal") }
      : await previewedCaller({ database, snapshot }, as, actorOf(c), "/data/as");
  const timeZone = c.req.header("x-service-timezone") ?? null;
  return { ...{ database, snapshot, timeZone }, ...engines, ...person };
}

/**
 * Returns the error of a preview with the members of the body as paths.
 *
 * @param pointerOf returns the JSON pointer for a parameter of a query; undefined for a path that is none
 */
function inPreviewBody(error: unknown, pointerOf: (path: string) => string | undefined): AppError {
  return toAppError(error).mapFaults((fault) => {
    const path = fault.path === undefined ? undefined : pointerOf(fault.path);
    return path === undefined ? fault : { ...fault, path };
  });
}
