import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { cancelRun, listRuns, readRun } from "@rowhouse/workflows";
import {
  dataAnswer,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const status = z.enum(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]);
const error = z
  .object({ code: z.string(), message: z.string(), step: z.string().nullable() })
  .nullable();

const summary = z
  .object({
    id: z.string(),
    workflowId: z.string(),
    versionId: z.string(),
    origin: z.enum(["WEBHOOK", "MANUAL", "SCHEDULE", "EVENT", "WORKFLOW", "TEST", "AGAIN"]),
    status,
    callerUserId: z.string().nullable(),
    executeAsUserId: z.string(),
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
    status: z.enum(["STARTED", "WAITING", "SUCCEEDED", "FAILED"]),
    attempt: z.int(),
    resumeAt: moment.nullable(),
    childRunId: z.string().nullable(),
    output: z.unknown(),
    error,
    startedAt: moment,
    finishedAt: moment.nullable(),
  })
  .openapi("WorkflowRunStep");

const run = summary
  .extend({
    requestId: z.string().nullable(),
    parentRunId: z.string().nullable(),
    input: z.unknown(),
    result: z.unknown(),
    steps: z.array(step),
  })
  .openapi("WorkflowRun");

const runParams = idParams.extend({ runId: z.guid() });

const list = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/runs",
  summary: "The runs of a workflow",
  request: {
    params: idParams,
    query: pageQuery.omit({ search: true }).extend({ status: status.optional() }),
  },
  responses: {
    200: listAnswer(summary, "Newest first"),
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
    const { id } = c.req.valid("param");
    const { status: wanted, ...query } = c.req.valid("query");
    const { limit, cursor } = pageRequest(query);
    const page = await listRuns(database, id, { limit, cursor, status: wanted ?? null });
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(read, async (c) => {
    const { id, runId } = c.req.valid("param");
    return c.json({ data: await readRun(database, id, runId) }, 200);
  });
  router.openapi(cancel, async (c) => {
    const { id, runId } = c.req.valid("param");
    return c.json({ data: await cancelRun(database, id, runId) }, 200);
  });
}
