import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import { errorAnswers } from "@rowhouse/http";

// The webhook route takes every method and any query, and reads its body itself: it is declared here for documents.

const outcome = z
  .object({
    id: z.string(),
    status: z.enum(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]),
    result: z.unknown().openapi({ description: "What the run ended with" }),
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
    description: "For 24 hours, the same key with the same call answers with the same run",
  }),
});
const responses = {
  200: answer(outcome, "The run, finished in time; one that failed too"),
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
  "By the one method that the workflow is configured for; the other is 404. A public webhook reads no credential, an authenticated one needs the invoke grant, a signed one a good signature over the body. The query is the workflow's input as well.";
// Either none, or one of the two.
const security = [{}, { session: [] }, { token: [] }];

/** A webhook that is called by POST. */
export const postWebhook: RouteConfig = createRoute({
  method: "post",
  path: "/api/workflows/{slug}/webhook",
  operationId: "callWebhook",
  summary: "Start a run, and wait for it where the workflow says so",
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

/** A webhook that is called by GET. */
export const getWebhook: RouteConfig = createRoute({
  method: "get",
  path: "/api/workflows/{slug}/webhook",
  operationId: "callWebhookByGet",
  summary: "Start a run of a workflow that is called by GET",
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
  summary: "What became of a run that one has started",
  description: "While it runs and for a day after it ended, to its caller alone",
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
