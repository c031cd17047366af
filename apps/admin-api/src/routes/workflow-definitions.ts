import { z } from "@hono/zod-openapi";
import { reportAccess } from "@rowhouse/data";
import type { Database, Relation, SnapshotStore } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { checkDefinition } from "@rowhouse/workflows";
import { readExplainedUser } from "../explained-user.ts";
import { exact, mountRoute, one } from "../mount-route.ts";

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

/** Serves tools for the authors of definitions. */
export function mountWorkflowDefinitionRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
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
    run: async ({ data: { definition } }) => {
      const snapshot = await snapshots.fresh();
      const { catalogue } = snapshot;
      const rightsOf = async (userId: string) => {
        const { principal } = await readExplainedUser(database, userId);
        return (relation: Relation) => reportAccess(snapshot, principal, relation);
      };
      return checkDefinition({ database, catalogue, rightsOf }, definition);
    },
  });
}
