import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers, type ServiceEnvironment } from "@rowhouse/http";
import { parseExactJson } from "@rowhouse/json";
import {
  type RunStartedBy,
  type RunStarter,
  runAgain,
  startRun,
  testWorkflow,
} from "@rowhouse/workflows";
import type { Context } from "hono";
import { actorOf } from "../administrator.ts";
import { dataAnswer, dataBody, idParams } from "../route-parts.ts";

const started = z.object({ run: z.string() }).openapi("StartedRun");

/** What the run gets as `start.data`; the trigger says which shape it has. */
const startData = z
  .unknown()
  .refine((data) => data !== undefined, "This is missing")
  .openapi({
    description:
      "What the run gets as `start.data`, of the shape that its trigger gives. Webhook: `query`, `body` and `meta`, " +
      "each of which may be left out. Schedule: `scheduledAt`, `firedAt` and `previous`. Database event: `event`, `old`, " +
      "`new` and `changed`. Manual: any JSON",
  });

const test = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/test",
  summary: "Run the draft once, published or not",
  request: { params: idParams, ...dataBody(startData) },
  responses: {
    201: dataAnswer(started, "The run, which is read like any other"),
    ...errorAnswers("BODY_INVALID", "WORKFLOW_INVALID", "NOT_FOUND"),
  },
});

const start = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/runs",
  summary: "Run the published version once; a webhook is called instead",
  request: { params: idParams, ...dataBody(startData) },
  responses: {
    201: dataAnswer(started, "The run, which is read like any other"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const again = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/runs/{runId}/again",
  summary: "Run once more with the version, the input and the user of a run that has ended",
  request: { params: idParams.extend({ runId: z.guid() }) },
  responses: {
    201: dataAnswer(started, "The new run"),
    ...errorAnswers("NOT_FOUND", "CONFLICT"),
  },
});

interface WorkflowStartDeps {
  readonly database: Database;
  readonly wakeRun: RunStarter["wakeRun"];
}

/** Runs that an administrator begins. */
export function mountWorkflowStartRoutes(
  router: ApiRouter,
  { database, wakeRun }: WorkflowStartDeps,
): void {
  router.openapi(test, async (c) => {
    const data = exactData(await c.req.text());
    const { run, priority } = await testWorkflow(
      database,
      c.req.valid("param").id,
      data,
      starterOf(c),
    );
    wakeRun(run, priority);
    return c.json({ data: { run } }, 201);
  });
  router.openapi(start, async (c) => {
    const data = exactData(await c.req.text());
    const { run, priority } = await startRun(database, c.req.valid("param").id, data, starterOf(c));
    wakeRun(run, priority);
    return c.json({ data: { run } }, 201);
  });
  router.openapi(again, async (c) => {
    const { id, runId } = c.req.valid("param");
    const { run, priority } = await runAgain(database, id, runId, starterOf(c));
    wakeRun(run, priority);
    return c.json({ data: { run } }, 201);
  });
}

function starterOf(c: Context<ServiceEnvironment>): RunStartedBy {
  return { ...actorOf(c), traceParent: c.env.edge.traceParent };
}

/** The body's `data` with every digit of its numbers; the validated one has doubles. */
function exactData(text: string): unknown {
  return (parseExactJson(text) as { readonly data: unknown }).data;
}
