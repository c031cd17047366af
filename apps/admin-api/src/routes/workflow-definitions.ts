import { createRoute, z } from "@hono/zod-openapi";
import { reportAccess } from "@rowhouse/data";
import type { Database, Relation, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { checkDefinition } from "@rowhouse/workflows";
import { readExplainedUser } from "../explained-user.ts";
import { dataAnswer, dataBody, exactJson } from "../route-parts.ts";

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

const check = createRoute({
  method: "post",
  path: "/admin/api/workflow-definitions/check",
  summary: "Check a definition as publishing would, without storing it",
  request: dataBody(
    z.strictObject({
      definition: z
        .unknown()
        .refine((definition) => definition !== undefined, "This field is required"),
    }),
  ),
  responses: {
    200: dataAnswer(checked, "The faults, errors first; an empty list if there are none"),
    ...errorAnswers("BODY_INVALID"),
  },
});

interface WorkflowDefinitionDeps {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
}

/** Serves tools for the authors of definitions. */
export function mountWorkflowDefinitionRoutes(
  router: ApiRouter,
  { database, snapshots }: WorkflowDefinitionDeps,
): void {
  router.openapi(check, async (c) => {
    const { definition } = c.req.valid("json").data;
    const snapshot = await snapshots.fresh();
    const { catalogue } = snapshot;
    const rightsOf = async (userId: string) => {
      const { principal } = await readExplainedUser(database, userId);
      return (relation: Relation) => reportAccess(snapshot, principal, relation);
    };
    const data = await checkDefinition({ database, catalogue, rightsOf }, definition);
    return exactJson(c, { data }, 200);
  });
}
