import { createRoute, z } from "@hono/zod-openapi";
import type { Snapshot } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { type ColumnPresenter, loadColumnPresenter } from "@rowhouse/resources";
import { type Panel, readDashboard } from "@rowhouse/saved-views";
import { callerOf, requireOpen } from "../../app-principal.ts";
import { readingOfPanel } from "../../panel-reading.ts";
import { idParams } from "../../route-parts.ts";
import type { ReadingRoutesDependencies } from "./data-views.ts";
import { fieldOf, fieldSchema, moreSchema, resourceRef, resourceRefSchema } from "./presenter.ts";
import { answerReading, type ReadingOptions } from "./reading-answer.ts";

const panel = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(["LIST", "FIGURE", "CHART"]),
    presentation: z.record(z.string(), z.unknown()),
    resource: resourceRefSchema.optional(),
    fields: z.array(fieldSchema).optional().openapi({ description: "Only for a list" }),
    names: z
      .array(z.string())
      .optional()
      .openapi({ description: "Only for a figure or chart: groups, then aggregates" }),
    rows: z.array(z.record(z.string(), z.unknown())).optional(),
    more: moreSchema.optional(),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .openapi({ description: "Why the panel has no rows; the other fields are omitted then" }),
  })
  .openapi("OpenPanel");

const dashboard = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    panels: z.array(panel),
  })
  .openapi("OpenDashboard");

const envelope = z.object({ data: dashboard });

const read = createRoute({
  method: "get",
  path: "/app/api/dashboards/{id}",
  summary: "Open a dashboard: the content of each panel that the reader may see",
  request: { params: idParams },
  responses: {
    200: { description: "The dashboard", content: { "application/json": { schema: envelope } } },
    ...errorAnswers("NOT_FOUND", "QUERY_INVALID"),
  },
});

/** Maximum number of panels of one dashboard that are read at once. */
const atOnce = 3;

/**
 * Serves open dashboards. A panel that the reader may not see contains the reason, and the other panels contain their
 * rows.
 */
export function mountOpenDashboardRoute(
  router: ApiRouter,
  { database, snapshots, engine }: ReadingRoutesDependencies,
): void {
  router.openapi(read, async (c) => {
    const principal = c.get("principal");
    const { panels, ...dashboard } = await readDashboard(database, c.req.valid("param").id);
    requireOpen(principal, dashboard.roleIds);
    const snapshot = await snapshots.fresh();
    const options = {
      engine,
      snapshot,
      principal,
      caller: callerOf(c),
      timeZone: c.req.header("x-service-timezone") ?? null,
    };
    const relations = panels.flatMap(({ resourceId }) =>
      resourceId === null ? [] : (snapshot.catalogue.relationByResource(resourceId) ?? []),
    );
    const present = await loadColumnPresenter(database, snapshot, relations);
    const texts: string[] = [];
    for (let at = 0; at < panels.length; at += atOnce) {
      const group = panels.slice(at, at + atOnce);
      texts.push(...(await Promise.all(group.map((item) => openPanel(item, options, present)))));
    }
    const { id, name, description } = dashboard;
    const head = JSON.stringify({ id, name, description }).slice(0, -1);
    const body = c.body(`{"data":${head},"panels":[${texts.join(",")}]}}`, 200, {
      "Content-Type": "application/json",
    });
    return body as unknown as ReturnType<typeof c.json<z.output<typeof envelope>, 200>>;
  });
}

/** Returns an error that concerns one panel; throws any other error, which fails the whole request. */
const ownFaults: ReadonlySet<string> = new Set(["ACTION_DENIED", "QUERY_TIMEOUT", "VALUE_INVALID"]);

async function openPanel(
  { id, title, kind, presentation, resourceId, definition }: Panel,
  options: ReadingOptions & { readonly snapshot: Snapshot },
  present: ColumnPresenter,
): Promise<string> {
  const head = { id, title, kind, presentation };
  const relation =
    resourceId === null ? undefined : options.snapshot.catalogue.relationByResource(resourceId);
  try {
    const reading = readingOfPanel({ kind, definition });
    const answer = await answerReading(reading, relation, {}, options);
    const panel = JSON.stringify({
      ...head,
      ...(relation === undefined ? {} : { resource: resourceRef(relation) }),
      ...(answer.fields === null
        ? {}
        : { fields: answer.fields.map((field) => fieldOf(field, present)) }),
      ...(answer.names === null ? {} : { names: answer.names }),
    });
    const more = answer.more.length === 0 ? "" : `,"more":${JSON.stringify(answer.more)}`;
    return `${panel.slice(0, -1)},"rows":${answer.rows}${more}}`;
  } catch (error) {
    if (!(error instanceof AppError) || !ownFaults.has(error.code)) throw error;
    const { code, message } = error.faults[0];
    return JSON.stringify({ ...head, error: { code, message } });
  }
}
