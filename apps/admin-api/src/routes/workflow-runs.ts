import { createRoute, z } from "@hono/zod-openapi";
import type { Database, PageRequest } from "@rowhouse/db";
import {
  type ApiRouter,
  errorAnswers,
  exact,
  exactJson,
  idParams,
  list,
  one,
} from "@rowhouse/http";
import {
  cancelRun,
  type ListRunsRequest,
  listRunSteps,
  listRuns,
  readRun,
  readRunDefinition,
  requireRun,
} from "@rowhouse/workflows";
import { accepts } from "hono/accepts";
import type { EventStreams } from "../event-streams.ts";
import { mountRoute } from "../mount-route.ts";
import { givenMoment, listOf, moment } from "../route-parts.ts";
import { openRunStream } from "../run-streams.ts";

const status = z.enum(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]);
const stepStatus = z.enum(["STARTED", "WAITING", "SUCCEEDED", "FAILED"]);
const origin = z.enum(["WEBHOOK", "MANUAL", "SCHEDULE", "EVENT", "WORKFLOW", "TEST", "AGAIN"]);
const runError = z.object({ code: z.string(), message: z.string(), step: z.string().nullable() });
const error = runError.nullable();

const summary = z
  .object({
    id: z.string(),
    workflowId: z.string(),
    workflowSlug: z.string(),
    versionId: z.string(),
    versionNumber: z.int().nullable().openapi({ description: "Null for a test of the draft" }),
    origin,
    status,
    callerUserId: z.string().nullable(),
    tokenId: z.string().nullable(),
    tokenPlane: z.enum(["api", "admin"]).nullable(),
    callerName: z
      .string()
      .nullable()
      .openapi({ description: "For a deleted user, the value at deletion" }),
    executeAsUserId: z.string(),
    executeAsName: z
      .string()
      .nullable()
      .openapi({ description: "For a deleted user, the value at deletion" }),
    requestId: z.string().nullable(),
    parentRunId: z.string().nullable(),
    causedByRunId: z.string().nullable(),
    error,
    test: z
      .object({
        effects: z.enum(["REAL", "NONE"]),
        until: z.string().nullable(),
        mocked: z.array(z.string()),
      })
      .nullable()
      .openapi({ description: "How a test of a draft runs; null for other runs" }),
    againOf: z
      .object({ runId: z.string(), from: z.string().nullable() })
      .nullable()
      .openapi({ description: "The repeated run, and the path of the step where this one begins" }),
    acceptedAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
  })
  .openapi("WorkflowRunSummary");

const step = z
  .object({
    path: z.string(),
    position: z.int().openapi({ description: "The order in which the run reached its steps" }),
    kind: z.string(),
    status: stepStatus,
    attempt: z.int(),
    resumeAt: moment.nullable(),
    childRunId: z.string().nullable(),
    input: z.unknown().openapi({
      description:
        "The input with its templates evaluated; null if the step has none, or if it is too large",
    }),
    output: z.unknown(),
    error: runError
      .extend({
        reason: z.string().optional().openapi({
          description: "Why an outgoing call failed; the callers of the workflow do not receive it",
        }),
      })
      .nullable(),
    simulated: z
      .enum(["ROLLED_BACK", "MOCK", "EXAMPLE", "NOT_SENT", "SKIPPED"])
      .nullable()
      .openapi({ description: "Where the output of a test's step comes from" }),
    startedAt: moment,
    finishedAt: moment.nullable(),
  })
  .openapi("WorkflowRunStep");

const run = summary
  .extend({
    cancelRequestedAt: moment.nullable(),
    input: z.unknown(),
    result: z.unknown(),
    steps: z.array(step).openapi({ description: "The first 200" }),
    stepCount: z.int(),
  })
  .openapi("WorkflowRun");

/** One event of a stream: its name, and its data. */
const runEvent = z
  .union([
    z.object({
      event: z.literal("run"),
      id: z.string(),
      data: summary.extend({ cancelRequestedAt: moment.nullable(), result: z.unknown() }),
    }),
    z.object({
      event: z.literal("steps"),
      id: z.string(),
      data: z.array(step).openapi({
        description: "At most 500, without inputs and outputs; the last report of a path counts",
      }),
    }),
    z.object({ event: z.literal("end"), id: z.string(), data: z.object({}) }),
  ])
  .openapi("WorkflowRunEvent");

const runParams = idParams.extend({ runId: z.guid() });

const eventStream = "text/event-stream";
const accepted: Parameters<typeof accepts>[1] = {
  header: "Accept",
  supports: ["application/json", eventStream],
  default: "application/json",
};

const orders = ["acceptedAt", "-acceptedAt", "finishedAt", "-finishedAt"] as const;
const filterQuery = z.object({
  status: listOf(status).optional().openapi({ description: "One or more, separated by commas" }),
  origin: listOf(origin).optional().openapi({ description: "One or more, separated by commas" }),
  callerUserId: z.guid().optional(),
  executeAsUserId: z.guid().optional(),
  parentRunId: z.guid().optional(),
  requestId: z.string().max(200).optional(),
  errorCode: z.string().max(100).optional(),
  acceptedSince: givenMoment.optional().openapi({ description: "Inclusive lower bound" }),
  acceptedUntil: givenMoment.optional().openapi({ description: "Exclusive upper bound" }),
  finishedSince: givenMoment.optional(),
  finishedUntil: givenMoment.optional(),
  durationMinMs: z
    .string()
    .regex(/^[0-9]{1,12}$/, "Must be a whole number")
    .transform(Number)
    .optional()
    .openapi({ type: "integer", description: "From the first claim to the end" }),
  orderBy: z.enum(orders).default("-acceptedAt"),
});

const read = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/runs/{runId}",
  summary: "Get a run with its input, its result and its journal, or the events of its progress",
  request: {
    params: runParams,
    headers: z.object({
      "last-event-id": z.string().optional().openapi({
        description: "The `id` of the last received event; the stream continues there",
      }),
    }),
  },
  responses: {
    200: {
      description:
        "The run. With `Accept: text/event-stream` server-sent events: `run` and `steps` report what is new or has" +
        " changed, until `end`",
      content: {
        "application/json": { schema: z.object({ data: run }) },
        "text/event-stream": { schema: runEvent },
      },
    },
    ...errorAnswers("NOT_FOUND", "QUERY_INVALID", "RATE_LIMIT_EXCEEDED"),
  },
});

/** Serves the history of runs. */
export function mountWorkflowRunRoutes(
  router: ApiRouter,
  { database, streams }: { readonly database: Database; readonly streams: EventStreams },
): void {
  const path = "/admin/api/workflows/{id}/runs";
  const inOrder = "In the requested order; a search may return partly filled pages";
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the runs of a workflow",
    query: filterQuery,
    answer: list(summary, inOrder),
    run: ({ at, page, query }) =>
      listRuns(database, { ...runsRequest(page, query), workflowId: at.id }),
  });
  mountRoute(router, {
    method: "get",
    path: "/admin/api/workflow-runs",
    operationId: "listAllWorkflowRuns",
    summary: "List the runs of all workflows",
    query: filterQuery.extend({ workflowId: z.guid().optional() }),
    codes: ["NOT_FOUND"],
    answer: list(summary, inOrder),
    run: ({ page, query: { workflowId = null, ...query } }) =>
      listRuns(database, { ...runsRequest(page, query), workflowId }),
  });
  router.openapi(read, async (c) => {
    const { id, runId } = c.req.valid("param");
    const answer = async () => exactJson(c, { data: await readRun(database, id, runId) }, 200);
    // A HEAD has the response of a plain read: a stream would never be read.
    if (c.req.raw.method === "HEAD" || accepts(c, accepted) !== eventStream) return answer();
    await requireRun(database, id, runId);
    const stream = await openRunStream({ database, streams }, c, { workflowId: id, runId });
    return stream as Awaited<ReturnType<typeof answer>>;
  });
  mountRoute(router, {
    params: runParams,
    method: "get",
    path: `${path}/{runId}/definition`,
    summary: "Get the definition that a run executes, also of a test of the draft",
    answer: one(z.record(z.string(), z.unknown()), "The definition with its defaults"),
    run: ({ at }) => readRunDefinition(database, at.id, at.runId),
  });
  mountRoute(router, {
    params: runParams,
    method: "get",
    path: `${path}/{runId}/steps`,
    summary: "List the steps of a run with their inputs and outputs",
    query: z.object({
      status: listOf(stepStatus).optional(),
      kind: listOf(z.string().min(1).max(50)).optional(),
      path: z.string().min(1).max(4000).optional().openapi({ description: "Exactly this step" }),
      view: z
        .enum(["full", "outline"])
        .default("full")
        .openapi({ description: "`outline`: `input` and `output` are null, which is much faster" }),
    }),
    answer: exact(list(step, "In the order in which the run reached them")),
    run: async ({ at, page, query }) => {
      await requireRun(database, at.id, at.runId);
      return listRunSteps(database, at.runId, {
        ...page,
        statuses: query.status ?? null,
        kinds: query.kind ?? null,
        path: query.path,
        view: query.view === "outline" ? "OUTLINE" : "FULL",
      });
    },
  });
  mountRoute(router, {
    params: runParams,
    method: "post",
    path: `${path}/{runId}/cancel`,
    summary: "Ask a run to stop after its current step",
    codes: ["CONFLICT"],
    answer: exact(one(run, "The run after the request")),
    run: ({ at, actor }) => cancelRun(database, at.id, at.runId, actor),
  });
}

function runsRequest(
  page: PageRequest,
  query: z.output<typeof filterQuery>,
): Omit<ListRunsRequest, "workflowId"> {
  return {
    ...page,
    orderBy: query.orderBy,
    statuses: query.status ?? null,
    origins: query.origin ?? null,
    callerUserId: query.callerUserId ?? null,
    executeAsUserId: query.executeAsUserId ?? null,
    parentRunId: query.parentRunId ?? null,
    requestId: query.requestId ?? null,
    errorCode: query.errorCode ?? null,
    acceptedSince: query.acceptedSince ?? null,
    acceptedUntil: query.acceptedUntil ?? null,
    finishedSince: query.finishedSince ?? null,
    finishedUntil: query.finishedUntil ?? null,
    durationMinMs: query.durationMinMs ?? null,
  };
}
