import { createRoute, z } from "@hono/zod-openapi";
import type { DataPlane } from "@rowhouse/data";
import { type Database, type SnapshotStore, toAppError } from "@rowhouse/db";
import { type AppError, escapePointer } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers, exactDataBody } from "@rowhouse/http";
import {
  dashboardInput,
  dashboardOfBody,
  openDashboard,
  previewedCaller,
  type Reader,
  renderDashboard,
  renderPanel,
  requireValidDashboard,
} from "@rowhouse/readings";
import type { Logger } from "@rowhouse/service";
import { actorOf } from "../administrator.ts";
import { callerOf } from "../app-principal.ts";
import { dashboardEnvelope, panelEnvelope } from "./app/dashboards.ts";
import { previewedParts } from "./preview-permissions.ts";

const nobody = "00000000-0000-0000-0000-000000000000";

const input = z.strictObject({
  dashboard: dashboardInput,
  as: z
    .strictObject(previewedParts)
    .optional()
    .openapi({ description: "Whose rows the response has; omitted for those of the caller" }),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .openapi({ description: "Values of parameters by name" }),
  panelId: z.string().max(40).optional().openapi({ description: "That panel alone" }),
});

const preview = createRoute({
  method: "post",
  path: "/admin/api/dashboards/preview",
  operationId: "previewDashboard",
  summary: "Open a dashboard that is not stored, as oneself, as a person or as a set of roles",
  description:
    "Returns what `GET /app/api/dashboards/{id}` would return, or with `panelId` that of `…/panels/{panelId}`, read-only. As another person it is recorded in the audit log.",
  request: exactDataBody(input),
  responses: {
    200: {
      description: "The open dashboard, or one panel of it",
      content: { "application/json": { schema: z.union([dashboardEnvelope, panelEnvelope]) } },
    },
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID", "QUERY_INVALID", "NOT_FOUND"),
  },
});

export interface PreviewDashboardDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engines: Pick<DataPlane, "engine" | "exports">;
  readonly logger: Logger;
}

/** Serves previews of dashboards. Nothing is stored. */
export function mountPreviewDashboardRoute(
  router: ApiRouter,
  { database, snapshots, engines, logger }: PreviewDashboardDependencies,
): void {
  router.openapi(preview, async (c) => {
    type Envelope = z.output<typeof dashboardEnvelope> | z.output<typeof panelEnvelope>;
    type Answer = ReturnType<typeof c.json<Envelope, 200>>;
    const { dashboard: given, as, parameters = {}, panelId } = c.req.valid("json").data;
    const snapshot = await snapshots.fresh();
    const dashboard = { ...dashboardOfBody(given), id: nobody, lost: [] };
    requireValidDashboard(snapshot, dashboard, "/data/dashboard");
    const person =
      as === undefined
        ? { caller: callerOf(c), principal: c.get("principal") }
        : await previewedCaller({ database, snapshot }, as, actorOf(c), "/data/as");
    const timeZone = c.req.header("x-service-timezone") ?? null;
    const reader: Reader = { ...{ database, snapshot, timeZone }, ...engines, ...person };
    const report = (error: unknown) =>
      logger.error({ err: error, requestId: c.env.edge.requestId }, "A panel could not be read");
    const values = new Map(Object.entries(parameters));
    const opened = await openDashboard(dashboard, values, reader).catch((error: unknown) => {
      throw inBody(toAppError(error));
    });
    const text =
      panelId === undefined
        ? await renderDashboard(opened, true, report)
        : await renderPanel(opened, panelId, report);
    return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
  });
}

const ofParameter = /^parameters\[(.*)\]$/s;

/** Returns an error whose faults name members of the body in place of the query parameter. */
function inBody(error: AppError): AppError {
  return error.mapFaults((fault) => {
    const [, name] = ofParameter.exec(fault.path ?? "") ?? [];
    return name === undefined
      ? fault
      : { ...fault, path: `/data/parameters/${escapePointer(name)}` };
  });
}
