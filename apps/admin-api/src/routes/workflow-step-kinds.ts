import { z } from "@hono/zod-openapi";
import type { ApiRouter } from "@rowhouse/http";
import { describeStepKinds } from "@rowhouse/workflows";
import { exact, mountRoute, one } from "../mount-route.ts";

const kind = {
  kind: z.string(),
  title: z.string(),
  help: z.string(),
  schema: z.record(z.string(), z.unknown()).openapi({
    description:
      "JSON Schema (draft 2020-12). Each property has `title`, `description` and `x-control`, the control that edits it",
  }),
};

const stepKind = z
  .object({
    ...kind,
    group: z.enum(["rows", "outside", "files", "flow", "values"]),
    hasEffects: z.boolean().openapi({ description: "Whether it has effects outside the run" }),
    branches: z
      .array(z.object({ path: z.array(z.string()), title: z.string() }))
      .openapi({ description: "Its inner lists of steps; `*` stands for every item" }),
  })
  .openapi("WorkflowStepKind");
const triggerKind = z.object(kind).openapi("WorkflowTriggerKind");

/** Serves the kinds of steps and triggers. */
export function mountWorkflowStepKindRoute(router: ApiRouter): void {
  const kinds = describeStepKinds();
  mountRoute(router, {
    method: "get",
    path: "/admin/api/workflow-step-kinds",
    operationId: "readWorkflowStepKinds",
    summary: "Get the kinds of steps and triggers with the JSON Schema of each",
    answer: exact(
      one(
        z.object({
          steps: z.array(stepKind),
          triggers: z.array(triggerKind),
          workflow: z
            .object({ schema: kind.schema })
            .openapi({ description: "The fields of a definition besides `trigger` and `steps`" }),
        }),
        "The kinds, in the order in which a page offers them",
      ),
    ),
    run: () => kinds,
  });
}
