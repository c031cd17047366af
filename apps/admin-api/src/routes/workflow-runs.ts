import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  cancelRun,
  type ListRunsRequest,
  listRunSteps,
  listRuns,
  readRun,
  requireRun,
} from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  exactJson,
  givenMoment,
  idParams,
  listAnswer,
  listOf,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const status = z.enum(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]);
const stepStatus = z.enum(["STARTED", "WAITING", "SUCCEEDED", "FAILED"]);
const origin = z.enum(["WEBHOOK", "MANUAL", "SCHEDULE", "EVENT", "WORKFLOW", "TEST", "AGAIN"]);
const error = z
  .object({ code: z.string(), message: z.string(), step: z.string().nullable() })
  .nullable();

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
    callerName: z.string().nullable().openapi({ description: "Of a deleted user, as it was" }),
    executeAsUserId: z.string(),
    executeAsName: z.string().nullable().openapi({ description: "Of a deleted user, as it was" }),
    requestId: z.string().nullable(),
    parentRunId: z.string().nullable(),
    causedByRunId: z.string().nullable(),
    error,
    acceptedAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
  })
  .openapi("WorkflowRunSummary");

const step = z
  .object({
    path: z.string(),
    kind: z.string(),
    status: stepStatus,
    attempt: z.int(),
    resumeAt: moment.nullable(),
    childRunId: z.string().nullable(),
    input: z.unknown().openapi({
      description: "Its templates filled in; null where it has none of its own, or a large one",
    }),
    output: z.unknown(),
    error,
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

const runParams = idParams.extend({ runId: z.guid() });

const orders = ["acceptedAt", "-acceptedAt", "finishedAt", "-finishedAt"] as const;
const filterQuery = pageQuery.extend({
  status: listOf(status).optional().openapi({ description: "One or several, with commas between" }),
  origin: listOf(origin).optional().openapi({ description: "One or several, with commas between" }),
  callerUserId: z.guid().optional(),
  executeAsUserId: z.guid().optional(),
  parentRunId: z.guid().optional(),
  requestId: z.string().max(200).optional(),
  errorCode: z.string().max(100).optional(),
  acceptedSince: givenMoment.optional().openapi({ description: "The first moment" }),
  acceptedUntil: givenMoment.optional().openapi({ description: "The first moment after the last" }),
  finishedSince: givenMoment.optional(),
  finishedUntil: givenMoment.optional(),
  durationMinMs: z
    .string()
    .regex(/^[0-9]{1,12}$/, "A whole number")
    .transform(Number)
    .optional()
    .openapi({ type: "integer", description: "From the first claim to the end" }),
  orderBy: z.enum(orders).default("-acceptedAt"),
});

const list = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/runs",
  summary: "The runs of a workflow",
  request: { params: idParams, query: filterQuery },
  responses: {
    200: listAnswer(summary, "As ordered; a search may give pages that are not full"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "QUERY_TIMEOUT"),
  },
});

const listAll = createRoute({
  method: "get",
  path: "/admin/api/workflow-runs",
  operationId: "listAllWorkflowRuns",
  summary: "The runs of all workflows",
  request: { query: filterQuery.extend({ workflowId: z.guid().optional() }) },
  responses: {
    200: listAnswer(summary, "As ordered; a search may give pages that are not full"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "QUERY_TIMEOUT"),
  },
});

const steps = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/runs/{runId}/steps",
  summary: "The steps of a run with what they were given and what they gave",
  request: {
    params: runParams,
    query: pageQuery.extend({
      status: listOf(stepStatus).optional(),
      kind: listOf(z.string().min(1).max(50)).optional(),
    }),
  },
  responses: {
    200: listAnswer(step, "In the order in which the run reached them"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const read = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/runs/{runId}",
  summary: "A run with its input, its result and its journal",
  request: { params: runParams },
  responses: { 200: dataAnswer(run, "The run"), ...errorAnswers("NOT_FOUND") },
});

const cancel = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/runs/{runId}/cancel",
  summary: "Ask a run to stop after its step in progress",
  request: { params: runParams },
  responses: {
    200: dataAnswer(run, "The run as it is now"),
    ...errorAnswers("NOT_FOUND", "CONFLICT"),
  },
});

/** The history of a workflow's runs. */
export function mountWorkflowRunRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const request = { ...runsRequest(c.req.valid("query")), workflowId: c.req.valid("param").id };
    return c.json(pageEnvelope(await listRuns(database, request)), 200);
  });
  router.openapi(listAll, async (c) => {
    const { workflowId, ...query } = c.req.valid("query");
    const request = { ...runsRequest(query), workflowId: workflowId ?? null };
    return c.json(pageEnvelope(await listRuns(database, request)), 200);
  });
  router.openapi(read, async (c) => {
    const { id, runId } = c.req.valid("param");
    return exactJson(c, { data: await readRun(database, id, runId) }, 200);
  });
  router.openapi(steps, async (c) => {
    const { id, runId } = c.req.valid("param");
    const { status: statuses = null, kind: kinds = null, ...query } = c.req.valid("query");
    await requireRun(database, id, runId);
    const page = await listRunSteps(database, runId, { ...pageRequest(query), statuses, kinds });
    return exactJson(c, pageEnvelope(page), 200);
  });
  router.openapi(cancel, async (c) => {
    const { id, runId } = c.req.valid("param");
    return exactJson(c, { data: await cancelRun(database, id, runId, actorOf(c)) }, 200);
  });
}

function runsRequest(query: z.output<typeof filterQuery>): Omit<ListRunsRequest, "workflowId"> {
  return {
    ...pageRequest(query),
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
