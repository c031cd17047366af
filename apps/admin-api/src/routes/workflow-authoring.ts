import { z } from "@hono/zod-openapi";
import { reportAccess } from "@rowhouse/data";
import type { Database, Relation, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, describable, exact, one } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import {
  checkDefinition,
  checkEnabledWorkflows,
  completeStep,
  cronSchema,
  describeStepKinds,
  previewSchedule,
  type Shape,
} from "@rowhouse/workflows";
import { readExplainedUser } from "../explained-user.ts";
import { mountRoute } from "../mount-route.ts";
import { moment } from "../route-parts.ts";

interface AuthoringDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly vault: Vault;
}

/** Serves tools for the authors of workflows: checks, completions, the kinds of steps and triggers, times of schedules. */
export function mountWorkflowAuthoringRoutes(
  router: ApiRouter,
  dependencies: AuthoringDependencies,
): void {
  mountStepKinds(router);
  mountCheck(router, dependencies);
  mountCompletions(router, dependencies);
  mountSchedulePreview(router);
}

const fault = z
  .object({
    code: z.string(),
    path: z.string().optional().openapi({ description: "A JSON pointer into the definition" }),
    message: z.string(),
    severity: z.enum(["ERROR", "WARNING"]).openapi({
      description: "An error prevents publishing; with a warning, a step probably fails",
    }),
  })
  .openapi("WorkflowDefinitionFault");

const checked = z
  .object({
    definition: z
      .unknown()
      .openapi({ description: "With its defaults; null if a part has an invalid form" }),
    faults: z.array(fault),
    secrets: z.array(z.string()).openapi({ description: "Names of the secrets that it uses" }),
  })
  .openapi("CheckedWorkflowDefinition");

const doubtful = z
  .object({
    id: z.string(),
    name: z.string(),
    count: z.int().openapi({ description: "The number of faults" }),
    first: fault.openapi({ description: "The first of them, errors first" }),
  })
  .openapi("DoubtfulWorkflow");

function mountCheck(
  router: ApiRouter,
  { database, snapshots, vault }: AuthoringDependencies,
): void {
  const openCheck = async () => {
    const snapshot = await snapshots.fresh();
    const { catalogue } = snapshot;
    const rightsOf = async (userId: string) => {
      const { principal } = await readExplainedUser(database, userId);
      return (relation: Relation) => reportAccess(snapshot, principal, relation);
    };
    return { database, vault, catalogue, rightsOf };
  };
  mountRoute(router, {
    method: "post",
    path: "/admin/api/workflow-definitions/check",
    summary: "Check a definition as publishing would, without storing it",
    body: z.strictObject({
      definition: z
        .unknown()
        .refine((definition) => definition !== undefined, "This field is required"),
    }),
    answer: exact(one(checked, "The faults, errors first; an empty list if there are none")),
    run: async ({ data: { definition } }) => checkDefinition(await openCheck(), definition),
  });
  mountRoute(router, {
    method: "get",
    path: "/admin/api/workflow-warnings",
    summary: "Check the published definitions of enabled workflows",
    answer: one(z.array(doubtful), "Those with faults, of the first 200 workflows by name"),
    run: async () => checkEnabledWorkflows(await openCheck()),
  });
}

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

function mountCompletions(router: ApiRouter, { database, snapshots }: AuthoringDependencies): void {
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

function mountStepKinds(router: ApiRouter): void {
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

function mountSchedulePreview(router: ApiRouter): void {
  mountRoute(router, {
    method: "post",
    path: "/admin/api/workflow-schedules/preview",
    summary: "Get the next moments of a cron expression",
    body: z.strictObject({
      cron: describable(cronSchema),
      timeZone: z.string().max(100).default("UTC").openapi({ description: "An IANA name" }),
      count: z.int().min(1).max(50).default(10),
    }),
    answer: one(
      z.object({ moments: z.array(moment) }),
      "The moments, earliest first; fewer than `count` if there are no more",
    ),
    run: ({ data }) => ({ moments: previewSchedule(data, Date.now()) }),
  });
}
