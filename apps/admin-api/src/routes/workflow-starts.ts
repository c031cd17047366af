import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import {
  type ApiRouter,
  dataAnswer,
  errorAnswers,
  exactDataBody,
  exactFieldsBody,
  idParams,
  type ServiceEnvironment,
} from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import {
  type RunStartedBy,
  type RunStarter,
  runAgain,
  startRun,
  testWorkflow,
} from "@rowhouse/workflows";
import type { Context } from "hono";
import { actorOf } from "../administrator.ts";

const started = z.object({ run: z.string() }).openapi("StartedRun");

/** The `start.data` of the run; the trigger determines its shape. */
const startData = z
  .unknown()
  .refine((data) => data !== undefined, "This field is required")
  .openapi({
    description:
      "The `start.data` of the run, in the shape of its trigger. Webhook: `query`, `body` and `meta`," +
      "each optional. Schedule: `scheduledAt`, `firedAt` and `previous`. Database event: `event`, `old`," +
      "`new` and `changed`. Manual: any JSON",
  });

const testBody = {
  effects: z.enum(["REAL", "NONE"]).default("REAL").openapi({
    description:
      "NONE: rows are written in a transaction that is rolled back, and nothing leaves the process",
  }),
  mocks: z
    .record(z.string(), z.unknown())
    .default({})
    .openapi({ description: "Outputs by step id, for steps that are not carried out" }),
  until: z
    .string()
    .nullable()
    .default(null)
    .openapi({ description: "The id of the step whose first end ends the run" }),
};

const test = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/test",
  summary: "Run the draft once, even if the workflow is unpublished",
  request: { params: idParams, ...exactFieldsBody({ data: startData, ...testBody }) },
  responses: {
    201: dataAnswer(started, "The run; read it like any other run"),
    ...errorAnswers("BODY_INVALID", "WORKFLOW_INVALID", "NOT_FOUND"),
  },
});

const start = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/runs",
  summary: "Run the published version once; not for webhooks, which are called directly",
  request: { params: idParams, ...exactDataBody(startData) },
  responses: {
    201: dataAnswer(started, "The run; read it like any other run"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

const again = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/runs/{runId}/again",
  summary: "Repeat a finished run with its input and user, from the beginning or from a step",
  request: {
    params: idParams.extend({ runId: z.guid() }),
    body: {
      required: false,
      content: {
        "application/json": {
          schema: z.strictObject({
            from: z.string().max(4000).nullable().default(null).openapi({
              description: "The path of a step; steps before it are not repeated",
            }),
            version: z
              .enum(["SAME", "NEWEST"])
              .default("SAME")
              .openapi({ description: "NEWEST: the published version" }),
            data: z.unknown().optional().openapi({
              description: "Ignored, as by earlier versions, which had no fields here",
              deprecated: true,
            }),
          }),
        },
      },
    },
  },
  responses: {
    201: dataAnswer(started, "The new run"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

interface WorkflowStartDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly wakeRun: RunStarter["wakeRun"];
}

/** Serves runs that an administrator starts. */
export function mountWorkflowStartRoutes(
  router: ApiRouter,
  { database, vault, wakeRun }: WorkflowStartDeps,
): void {
  router.openapi(test, async (c) => {
    const request = c.req.valid("json");
    const { run, priority } = await testWorkflow(
      { database, vault },
      c.req.valid("param").id,
      request,
      starterOf(c),
    );
    wakeRun(run, priority);
    return c.json({ data: { run } }, 201);
  });
  router.openapi(start, async (c) => {
    const { data } = c.req.valid("json");
    const { run, priority } = await startRun(database, c.req.valid("param").id, data, starterOf(c));
    wakeRun(run, priority);
    return c.json({ data: { run } }, 201);
  });
  router.openapi(again, async (c) => {
    const { id, runId } = c.req.valid("param");
    // Without a body no validator runs, which would add the defaults.
    const { from = null, version = "SAME" } = c.req.valid("json");
    const request = { from, version };
    const { run, priority } = await runAgain(database, id, runId, request, starterOf(c));
    wakeRun(run, priority);
    return c.json({ data: { run } }, 201);
  });
}

function starterOf(c: Context<ServiceEnvironment>): RunStartedBy {
  return { ...actorOf(c), traceParent: c.env.edge.traceParent };
}
