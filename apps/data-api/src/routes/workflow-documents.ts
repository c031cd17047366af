import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import { errorAnswers } from "@rowhouse/http";

// The webhook route accepts every method and any query, and reads its body itself, so its operations are declared here.

const outcome = z
  .object({
    id: z.string(),
    status: z.enum(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]),
    result: z.unknown().openapi({ description: "The output of the run" }),
    error: z
      .object({ code: z.string(), message: z.string(), step: z.string().nullable().optional() })
      .nullable(),
  })
  .openapi("RunOutcome");

const answer = <Schema extends z.ZodType>(data: Schema, description: string) => ({
  description,
  content: { "application/json": { schema: z.object({ data }) } },
});

const params = z.object({ slug: z.string() });
const headers = z.object({
  "Idempotency-Key": z.string().min(1).max(255).optional().openapi({
    description: "For 24 hours, the same key with the same request returns the same run",
  }),
});
const responses = {
  200: answer(outcome, "The run that finished in time, successfully or not"),
  202: answer(z.object({ run: z.string() }), "The run has been accepted (asynchronous)"),
  ...errorAnswers(
    "QUERY_INVALID",
    "BODY_INVALID",
    "WORKFLOW_WEBHOOK_INVALID_PAYLOAD",
    "AUTHENTICATION_REQUIRED",
    "ACTION_DENIED",
    "WORKFLOW_NOT_FOUND",
    "IDEMPOTENCY_CONFLICT",
    "BODY_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "RATE_LIMIT_EXCEEDED",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
    "WORKFLOW_SYNC_TIMEOUT",
    "QUERY_TIMEOUT",
  ),
};
const description =
  "Only the method that the workflow configures; the other returns 404. A public webhook ignores credentials, an authenticated one requires the invoke grant, a signed one requires a valid signature over the body. The query is also part of the workflow's input.";
// Either no credential or one of the two.
const security = [{}, { session: [] }, { token: [] }];

/** A webhook that is called with POST. */
export const postWebhook: RouteConfig = createRoute({
  method: "post",
  path: "/api/workflows/{slug}/webhook",
  operationId: "callWebhook",
  summary: "Start a run, and wait for it if the workflow responds synchronously",
  description,
  security,
  request: {
    params,
    headers,
    body: {
      content: {
        "application/json": {
          schema: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
        },
      },
    },
  },
  responses,
});

/** A webhook that is called with GET. */
export const getWebhook: RouteConfig = createRoute({
  method: "get",
  path: "/api/workflows/{slug}/webhook",
  operationId: "callWebhookByGet",
  summary: "Start a run of a workflow that is called with GET",
  description,
  security,
  request: { params, headers },
  responses,
});

/** The result of a run that the caller started. */
export const runResult: RouteConfig = createRoute({
  method: "get",
  path: "/api/workflows/runs/{run_id}/result",
  operationId: "readRunResult",
  summary: "Get the result of a run that you started",
  description: "Available to its caller only, while it runs and for one day after it ended",
  request: { params: z.object({ run_id: z.string() }) },
  responses: {
    200: answer(outcome, "The run"),
    ...errorAnswers(
      "AUTHENTICATION_REQUIRED",
      "WORKFLOW_RUN_NOT_FOUND",
      "INTERNAL_ERROR",
      "SERVICE_UNAVAILABLE",
      "QUERY_TIMEOUT",
    ),
  },
});
