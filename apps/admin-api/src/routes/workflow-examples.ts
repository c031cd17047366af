import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, idParams, one } from "@rowhouse/http";
import { listExamples, pinExample, readExample, unpinExample } from "@rowhouse/workflows";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

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

/** Serves the outputs with which tests answer instead of steps. */
export function mountWorkflowExampleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/admin/api/workflows/{id}/examples";
  const params = idParams.extend({ stepId: z.string() });
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the pinned examples of a workflow's steps, without their outputs",
    answer: one(z.array(summary), "By step"),
    run: ({ at }) => listExamples(database, at.id),
  });
  mountRecords(router, {
    path,
    params,
    noun: "example",
    item: example,
    exact: true,
    read: {
      summary: "Get the pinned example of a step",
      run: ({ at }) => readExample(database, at.id, at.stepId),
    },
    remove: {
      summary: "Delete the pinned example of a step",
      answer: "Example deleted",
      run: ({ at, actor }) => unpinExample(database, at.id, at.stepId, actor),
    },
  });
  mountRoute(router, {
    method: "put",
    path: `${path}/{stepId}`,
    params,
    summary: "Pin the output with which a test without effects answers instead of a step",
    body: input,
    exactBody: true,
    codes: ["CONFLICT"],
    answer: one(example, "The example"),
    run: ({ at, data, actor }) => pinExample(database, at.id, at.stepId, data, actor),
  });
}
