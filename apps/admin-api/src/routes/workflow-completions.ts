import { z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { completeStep, type Shape } from "@rowhouse/workflows";
import { exact, mountRoute, one } from "../mount-route.ts";

const shape: z.ZodType<Shape> = z
  .lazy(() =>
    z.object({
      type: z.enum(["object", "array", "string", "number", "boolean", "null", "any"]),
      properties: z.record(z.string(), shape).optional(),
      items: shape.optional(),
      examples: z
        .array(z.string())
        .optional()
        .openapi({ description: "At most 3, of at most 80 characters, from earlier runs" }),
      source: z.enum(["DEFINITION", "RUNS"]).openapi({
        description: "Whether the definition determines it, or only earlier runs show it",
      }),
    }),
  )
  .openapi("WorkflowValueShape");

const completions = z
  .object({
    start: shape,
    steps: shape.openapi({ description: "The outputs of the steps that are readable there" }),
    vars: shape,
    errors: shape,
    item: z.union([shape, z.null()]).openapi({ description: "Null outside loops" }),
    index: z.union([shape, z.null()]),
    secrets: z.array(z.string()).openapi({
      description: "Names of secrets; empty where no secret is allowed",
    }),
  })
  .openapi("WorkflowCompletions");

/** Serves completions for the author of a step. */
export function mountWorkflowCompletionRoute(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRoute(router, {
    method: "post",
    path: "/admin/api/workflows/{id}/completions",
    summary: "Get the values that the templates and conditions of a step can read",
    body: z.strictObject({
      step: z
        .string()
        .max(100)
        .nullable()
        .openapi({ description: "The id of a step; null for the filter of the trigger" }),
      definition: z.unknown().optional().openapi({
        description: "A definition, which may have faults; by default the draft",
      }),
    }),
    answer: exact(one(completions, "The shapes of the values")),
    run: async ({ at, data }) => {
      const { catalogue } = await snapshots.fresh();
      return completeStep(database, catalogue, at.id, data);
    },
  });
}
