import { createRoute, type z } from "@hono/zod-openapi";
import {
  type DataEngine,
  type ExportEngine,
  exportFormatOf,
  requestOptionsOf,
} from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers, idParams } from "@rowhouse/http";
import {
  currentDataView,
  dataViewRecords,
  openView,
  viewParameters,
  viewQueryOf,
} from "@rowhouse/readings";
import type { Logger } from "@rowhouse/service";
import { callerOf, requireOpen } from "../../app-principal.ts";
import { openViewAnswer, type openViewEnvelope } from "./view-answer.ts";
import { viewFile } from "./view-file.ts";

const read = createRoute({
  method: "get",
  path: "/app/api/data-views/{id}",
  summary: "Open a DataView: its rows, limited to those that the reader may see",
  request: { params: idParams, query: viewParameters },
  responses: {
    200: openViewAnswer,
    ...errorAnswers(
      "NOT_FOUND",
      "QUERY_INVALID",
      "FIELD_UNKNOWN",
      "VALUE_INVALID",
      "ACTION_DENIED",
      "QUERY_TIMEOUT",
    ),
  },
});

export interface ReadingRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engine: Pick<DataEngine, "answer">;
  readonly exports: ExportEngine;
  readonly logger: Logger;
}

/** Serves open DataViews. */
export function mountOpenDataViewRoute(
  router: ApiRouter,
  { database, snapshots, engine, exports, logger }: ReadingRoutesDependencies,
): void {
  router.openapi(read, async (c) => {
    const principal = c.get("principal");
    const stored = await dataViewRecords.read(database, c.req.valid("param").id);
    requireOpen(principal, stored.roleIds);
    const query = viewQueryOf(c.req.valid("query"));
    const snapshot = await snapshots.fresh();
    const view = currentDataView(stored, snapshot);
    const reader = {
      ...{ database, engine, exports, snapshot, principal },
      caller: callerOf(c),
      timeZone: c.req.header("x-service-timezone") ?? null,
    };
    const format = exportFormatOf(c.req.raw.headers.get("accept"));
    if (format !== undefined) {
      return (await viewFile(c, view, query, reader, format, logger)) as unknown as Answer;
    }
    const { etags } = requestOptionsOf(c.req.raw.headers);
    const text = await openView(view, query, reader, etags);
    const headers = {
      "Content-Type": "application/json",
      ...(etags ? { "Preference-Applied": "etags" } : {}),
    };
    return c.body(text, 200, headers) as unknown as Answer;

    type Answer = ReturnType<typeof c.json<z.output<typeof openViewEnvelope>, 200>>;
  });
}
