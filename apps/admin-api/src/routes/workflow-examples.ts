import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { listExamples, pinExample, readExample, unpinExample } from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import { dataAnswer, exactDataBody, exactJson, idParams, moment } from "../route-parts.ts";

const summary = z.object({ step: z.string(), updatedAt: moment }).openapi("WorkflowExampleSummary");
const example = summary.extend({ output: z.unknown() }).openapi("WorkflowExample");

const output = z.unknown().refine((value) => value !== undefined, "This field is required");
const input = z.union([
  z.strictObject({ output }),
  z.strictObject({
    run: z.string().openapi({ description: "A run of the workflow" }),
    path: z
      .string()
      .max(4000)
      .openapi({ description: "The path of one of its steps, whose output is taken" }),
  }),
]);

const path = "/admin/api/workflows/{id}/examples";
const onePath = `${path}/{stepId}` as const;
const params = idParams.extend({ stepId: z.string() });

const list = createRoute({
  method: "get",
  path,
  summary: "List the pinned examples of a workflow's steps, without their outputs",
  request: { params: idParams },
  responses: { 200: dataAnswer(z.array(summary), "By step"), ...errorAnswers("NOT_FOUND") },
});
const read = createRoute({
  method: "get",
  path: onePath,
  summary: "Get the pinned example of a step",
  request: { params },
  responses: { 200: dataAnswer(example, "The example"), ...errorAnswers("NOT_FOUND") },
});
const pin = createRoute({
  method: "put",
  path: onePath,
  summary: "Pin the output with which a test without effects answers instead of a step",
  request: { params, ...exactDataBody(input) },
  responses: {
    200: dataAnswer(example, "The example"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});
const unpin = createRoute({
  method: "delete",
  path: onePath,
  summary: "Delete the pinned example of a step",
  request: { params },
  responses: { 204: { description: "Example deleted" }, ...errorAnswers("NOT_FOUND") },
});

/** Serves the outputs with which tests answer instead of steps. */
export function mountWorkflowExampleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) =>
    c.json({ data: await listExamples(database, c.req.valid("param").id) }, 200),
  );
  router.openapi(read, async (c) => {
    const { id, stepId } = c.req.valid("param");
    return exactJson(c, { data: await readExample(database, id, stepId) }, 200);
  });
  router.openapi(pin, async (c) => {
    const { id, stepId } = c.req.valid("param");
    const { data } = c.req.valid("json");
    return exactJson(c, { data: await pinExample(database, id, stepId, data, actorOf(c)) }, 200);
  });
  router.openapi(unpin, async (c) => {
    const { id, stepId } = c.req.valid("param");
    await unpinExample(database, id, stepId, actorOf(c));
    return c.body(null, 204);
  });
}
