import { createRoute, z } from "@hono/zod-openapi";
import { type DataPlane, exportFormatOf, exportHeadersOf } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { AppError, escapePointer } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers, exactDataBody, standardHeaders } from "@rowhouse/http";
import {
  dataViewInput,
  openView,
  openViewFile,
  previewedCaller,
  type Reader,
  requireValidDataView,
  viewOfBody,
  viewQueryBody,
} from "@rowhouse/readings";
import type { Logger } from "@rowhouse/service";
import { actorOf } from "../administrator.ts";
import { callerOf } from "../app-principal.ts";
import { openViewAnswer, type openViewEnvelope } from "./app/view-answer.ts";
import { previewedParts } from "./preview-permissions.ts";

const nobody = "00000000-0000-0000-0000-000000000000";

const input = z.strictObject({
  view: dataViewInput,
  as: z
    .strictObject(previewedParts)
    .optional()
    .openapi({ description: "Whose rows the response has; omitted for those of the caller" }),
  query: viewQueryBody.optional(),
});

const preview = createRoute({
  method: "post",
  path: "/admin/api/data-views/preview",
  operationId: "previewDataView",
  summary: "Open a DataView that is not stored, as oneself, as a person or as a set of roles",
  description:
    "Returns what `GET /app/api/data-views/{id}` would return, errors included, read-only. As another person it is recorded in the audit log.",
  request: exactDataBody(input),
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

export interface PreviewDataViewDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engines: Pick<DataPlane, "engine" | "exports">;
  readonly logger: Logger;
}

/** Serves previews of DataViews. Nothing is stored, and a file has the rights of the previewed person as well. */
export function mountPreviewDataViewRoute(
  router: ApiRouter,
  { database, snapshots, engines, logger }: PreviewDataViewDependencies,
): void {
  router.openapi(preview, async (c) => {
    const { view: given, as, query = {} } = c.req.valid("json").data;
    const snapshot = await snapshots.fresh();
    const view = { ...viewOfBody(given), id: nobody };
    requireValidDataView(snapshot, view, "/data/view");
    const person =
      as === undefined
        ? { caller: callerOf(c), principal: c.get("principal") }
        : await previewedCaller({ database, snapshot }, as, actorOf(c), "/data/as");
    const timeZone = c.req.header("x-service-timezone") ?? null;
    const reader: Reader = { ...{ database, snapshot, timeZone }, ...engines, ...person };
    const format = exportFormatOf(c.req.raw.headers.get("accept"));
    try {
      if (format === undefined) {
        const text = await openView(view, query, reader);
        return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
      }
      const { requestId } = c.env.edge;
      const { body } = await openViewFile(view, query, reader, {
        format,
        signal: c.req.raw.signal,
        onBroken: (error) => logger.error({ err: error, requestId }, "An export was aborted"),
      });
      const headers = standardHeaders(requestId, exportHeadersOf(format, view.name));
      return new Response(body, { headers }) as unknown as Answer;
    } catch (error) {
      throw inQuery(error);
    }

    type Answer = ReturnType<typeof c.json<z.output<typeof openViewEnvelope>, 200>>;
  });
}

const parameters = /^(?:where|order_by|fields|from|to|group|cursor|count|search|limit)(?=$|\[)/;
const members: Readonly<Record<string, string>> = { order_by: "orderBy" };

/** Returns an error whose faults name members of the body where those of a list name parameters of the query. */
function inQuery(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  return error.mapFaults((fault) => {
    const [name] = parameters.exec(fault.path ?? "") ?? [];
    if (name === undefined || fault.path === undefined) return fault;
    const inner = segmentsOf(fault.path.slice(name.length)).map((segment) => `/${segment}`);
    return { ...fault, path: `/data/query/${members[name] ?? name}${inner.join("")}` };
  });
}

/** The keys in the brackets of `[plate][_eq]`, as segments of a JSON pointer. */
function segmentsOf(brackets: string): string[] {
  if (brackets === "") return [];
  return brackets.slice(1, -1).split("][").map(escapePointer);
}
