import { createRoute, z } from "@hono/zod-openapi";
import { aggregateFunctions, exportFormatOf, exportHeadersOf, timeUnits } from "@rowhouse/data";
import {
  type ApiRouter,
  errorAnswers,
  exactJson,
  idParams,
  type ServiceEnvironment,
  standardHeaders,
} from "@rowhouse/http";
import {
  choicesMax,
  currentDashboard,
  dashboardRecords,
  iconSchema,
  layoutSchema,
  listChoices,
  moreSchema,
  type OpenedDashboard,
  openDashboard,
  openView,
  openViewFile,
  panelKinds,
  panelOf,
  panelPresentationSchema,
  parseMark,
  parseParameters,
  periodSchema,
  type Reader,
  readFieldSchema,
  renderDashboard,
  renderPanel,
  requireParameter,
  resourceRefSchema,
  rowParameters,
  rowQueryOf,
  viewOfMark,
} from "@rowhouse/readings";
import type { Context } from "hono";
import { callerOf, requireOpen } from "../../app-principal.ts";
import type { ReadingRoutesDependencies } from "./data-views.ts";
import { openViewAnswer, type openViewEnvelope } from "./view-answer.ts";

const json = z.unknown().openapi({ description: "A JSON value, with every digit of a number" });
const row = z.record(z.string(), z.unknown());

const terms = z
  .object({
    groups: z.array(
      z.object({ name: z.string(), field: z.string(), unit: z.enum(timeUnits).nullable() }),
    ),
    aggregates: z.array(
      z.object({
        name: z.string(),
        apply: z.enum(aggregateFunctions),
        field: z.string().nullable(),
      }),
    ),
  })
  .openapi("PanelTerms");

/** A panel with its content for one reader. */
const openPanelSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(panelKinds),
    layout: layoutSchema,
    presentation: panelPresentationSchema.meta({
      description: "Of a list without the columns that the reader may not see",
    }),
    resource: resourceRefSchema.optional(),
    names: z
      .array(z.string())
      .optional()
      .openapi({ description: "Not of a list: groups, then aggregates" }),
    terms: terms.optional(),
    pivot: z
      .object({ rows: z.array(z.string()), columns: z.array(z.string()) })
      .optional()
      .openapi({
        description: "Of a pivot table: the names of the groups of its rows and columns",
      }),
    fields: z
      .array(readFieldSchema)
      .optional()
      .openapi({ description: "Of a list, or of the groups and the aggregated columns" }),
    rows: z.array(row).optional(),
    cut: z
      .literal(true)
      .optional()
      .openapi({ description: "There are more groups than these rows" }),
    filled: z.boolean().optional().openapi({
      description:
        "Of a chart over time: whether each bucket has a row. False beyond 2,000 rows, and for groups that a limit, a condition or another order selects",
    }),
    totals: z
      .object({ rows: z.array(row), columns: z.array(row), all: row })
      .optional()
      .openapi({ description: "Of a pivot table: aggregates over each row, each column, and all" }),
    figure: z
      .object({
        value: json,
        previous: json.openapi({
          description: "The same in the period before; null without a period",
        }),
      })
      .optional(),
    sparkline: z.array(z.object({ bucket: z.string(), value: json })).optional(),
    markdown: z.string().optional(),
    canDrill: z
      .boolean()
      .optional()
      .openapi({ description: "Whether `…/rows?mark=` can select the rows of each group" }),
    more: moreSchema.optional(),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .openapi({ description: "Why the panel has no content" }),
    meta: z.object({
      asOf: z.string().openapi({ format: "date-time", description: "When its rows were read" }),
    }),
  })
  .openapi("OpenPanel");

const openParameter = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(["PERIOD", "VALUE", "PERSON"]),
    multiple: z.boolean(),
    value: z
      .union([periodSchema, z.unknown()])
      .openapi({ description: "A period, a value, a list of values, the id of a person, or null" }),
    from: z
      .string()
      .optional()
      .openapi({ format: "date", description: "Of a period: its first day" }),
    until: z
      .string()
      .optional()
      .openapi({ format: "date", description: "Of a period: the day after its last" }),
  })
  .openapi("OpenParameter");

const openDashboardSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    refreshSeconds: z.int().nullable(),
    timeZone: z
      .string()
      .openapi({ description: "In which days begin: the account's, else the installation's" }),
    parameters: z.array(openParameter),
    panels: z.array(openPanelSchema),
  })
  .openapi("OpenDashboard");

const parameters = z.string().max(20_000).optional().openapi({
  description: 'Values of parameters by name as JSON: `{"period": "THIS_MONTH"}`; null for none',
});

/** The bodies of an open dashboard and of one panel. */
export const dashboardEnvelope = z.object({ data: openDashboardSchema });
export const panelEnvelope = z.object({ data: openPanelSchema });

const panelParams = idParams.extend({ panelId: z.string() });

const read = createRoute({
  method: "get",
  path: "/app/api/dashboards/{id}",
  summary: "Open a dashboard: the content of each panel that the reader may see",
  request: {
    params: idParams,
    query: z.strictObject({
      parameters,
      panels: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "`false` for the panels without their content" }),
    }),
  },
  responses: {
    200: {
      description: "The dashboard",
      content: { "application/json": { schema: dashboardEnvelope } },
    },
    ...errorAnswers("NOT_FOUND", "QUERY_INVALID"),
  },
});

const readPanel = createRoute({
  method: "get",
  path: "/app/api/dashboards/{id}/panels/{panelId}",
  summary: "Open one panel of a dashboard",
  request: { params: panelParams, query: z.strictObject({ parameters }) },
  responses: {
    200: {
      description: "The panel",
      content: { "application/json": { schema: panelEnvelope } },
    },
    ...errorAnswers("NOT_FOUND", "QUERY_INVALID"),
  },
});

const readRows = createRoute({
  method: "get",
  path: "/app/api/dashboards/{id}/panels/{panelId}/rows",
  summary: "List the rows behind a mark of a panel",
  description: "The filter of the panel is not shown; the reader's row filter and rights apply.",
  request: {
    params: panelParams,
    query: z.strictObject({
      parameters,
      mark: z.string().max(20_000).optional().openapi({
        description:
          "Names and values of groups as JSON, as in a row of the panel; a bucket is that of the reader's time zone",
      }),
      ...rowParameters,
    }),
  },
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

const choices = z.object({
  data: z.array(
    z
      .object({ value: z.unknown().openapi({ description: "A JSON value" }), label: z.string() })
      .openapi("ParameterChoice"),
  ),
});

const readValues = createRoute({
  method: "get",
  path: "/app/api/dashboards/{id}/parameters/{name}/values",
  summary: "List the choices of a parameter that the reader may read",
  request: {
    params: idParams.extend({ name: z.string() }),
    query: z.strictObject({ search: z.string().max(200).optional() }),
  },
  responses: {
    200: {
      description: `At most ${choicesMax} choices`,
      content: { "application/json": { schema: choices } },
    },
    ...errorAnswers("NOT_FOUND", "QUERY_INVALID", "QUERY_TIMEOUT"),
  },
});

/** Serves open dashboards, their panels, the rows behind them, and the choices of their parameters. */
export function mountOpenDashboardRoutes(
  router: ApiRouter,
  { database, snapshots, engine, exports, logger }: ReadingRoutesDependencies,
): void {
  type AppContext = Context<ServiceEnvironment>;
  const readerOf = async (c: AppContext): Promise<Reader> => ({
    ...{ database, engine, exports, snapshot: await snapshots.fresh() },
    principal: c.get("principal"),
    caller: callerOf(c),
    timeZone: c.req.header("x-service-timezone") ?? null,
  });
  const dashboardOf = async (c: AppContext, id: string, { snapshot }: Reader) => {
    const stored = await dashboardRecords.read(database, id);
    requireOpen(c.get("principal"), stored.roleIds);
    return currentDashboard(stored, snapshot);
  };
  const open = async (
    c: AppContext,
    id: string,
    given: string | undefined,
  ): Promise<OpenedDashboard> => {
    const reader = await readerOf(c);
    const dashboard = await dashboardOf(c, id, reader);
    return openDashboard(dashboard, parseParameters(given), reader);
  };
  const reportOf = (c: AppContext) => (error: unknown) =>
    logger.error({ err: error, requestId: c.env.edge.requestId }, "A panel could not be read");

  router.openapi(read, async (c) => {
    const { parameters: given, panels } = c.req.valid("query");
    const opened = await open(c, c.req.valid("param").id, given);
    const text = await renderDashboard(opened, panels !== "false", reportOf(c));
    type Answer = ReturnType<typeof c.json<z.output<typeof dashboardEnvelope>, 200>>;
    return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
  });
  router.openapi(readPanel, async (c) => {
    const { id, panelId } = c.req.valid("param");
    const opened = await open(c, id, c.req.valid("query").parameters);
    const text = await renderPanel(opened, panelId, reportOf(c));
    type Answer = ReturnType<typeof c.json<z.output<typeof panelEnvelope>, 200>>;
    return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
  });
  router.openapi(readRows, async (c) => {
    type Answer = ReturnType<typeof c.json<z.output<typeof openViewEnvelope>, 200>>;
    const { id, panelId } = c.req.valid("param");
    const { parameters: given, mark, ...own } = c.req.valid("query");
    const opened = await open(c, id, given);
    const view = await viewOfMark(panelOf(opened.dashboard, panelId), parseMark(mark), opened);
    const query = rowQueryOf(own);
    const format = exportFormatOf(c.req.raw.headers.get("accept"));
    if (format === undefined) {
      const text = await openView(view, query, opened.reader);
      return c.body(text, 200, { "Content-Type": "application/json" }) as unknown as Answer;
    }
    const { requestId } = c.env.edge;
    const { body, name } = await openViewFile(view, query, opened.reader, {
      format,
      signal: c.req.raw.signal,
      onBroken: (error) => logger.error({ err: error, requestId }, "An export was aborted"),
    });
    const headers = standardHeaders(requestId, exportHeadersOf(format, name));
    return new Response(body, { headers }) as unknown as Answer;
  });
  router.openapi(readValues, async (c) => {
    const { id, name } = c.req.valid("param");
    const { search = "" } = c.req.valid("query");
    const reader = await readerOf(c);
    const dashboard = await dashboardOf(c, id, reader);
    const parameter = requireParameter(dashboard, name, reader.snapshot, reader.principal);
    const data = await listChoices(parameter, search, reader);
    return exactJson(c, { data }, 200);
  });
}
