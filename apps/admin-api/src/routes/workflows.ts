import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, one, tagged } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import {
  createWorkflow,
  deleteWorkflow,
  listWorkflows,
  publishWorkflow,
  requireWorkflow,
  setWorkflowEnabled,
  tagOfWorkflow,
  updateWorkflow,
} from "@rowhouse/workflows";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

const definition = z
  .record(z.string(), z.unknown())
  .openapi({ description: "A trigger and a tree of steps; see docs/workflows.md" });

export const workflow = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    definition: z.unknown().openapi({ description: "The draft" }),
    published: z.object({ versionId: z.string(), number: z.int(), publishedAt: moment }).nullable(),
    problem: z
      .string()
      .nullable()
      .openapi({ description: "Why the published version cannot run as defined" }),
    nextRunAt: moment.nullable().openapi({ description: "The next time of its schedule" }),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Workflow");

const input = z.strictObject({ slug: z.string(), name: z.string(), definition });

/** Serves workflows: drafts, publishing, enabling. */
export function mountWorkflowRoutes(
  router: ApiRouter,
  { database, vault }: { readonly database: Database; readonly vault: Vault },
): void {
  const path = "/admin/api/workflows";
  mountRecords(router, {
    path,
    noun: "workflow",
    item: workflow,
    tagOf: tagOfWorkflow,
    list: {
      summary: "List the workflows",
      order: "By slug",
      run: ({ page }) => listWorkflows(database, page),
    },
    create: {
      summary: "Create a workflow as a draft",
      body: input,
      answer: "The workflow, neither published nor enabled",
      codes: ["WORKFLOW_INVALID", "UNIQUE_VIOLATION"],
      run: ({ data, actor }) => createWorkflow(database, data, actor),
    },
    read: { summary: "Get a workflow", run: ({ at }) => requireWorkflow(database, at.id) },
    update: {
      summary: "Change the slug, name or draft; published versions stay unchanged",
      body: input.partial(),
      codes: ["WORKFLOW_INVALID", "UNIQUE_VIOLATION"],
      run: ({ at, data, actor, ifMatch }) => updateWorkflow(database, at.id, data, actor, ifMatch),
    },
    remove: {
      summary: "Delete a workflow with its versions, grants and history",
      answer: "Workflow deleted",
      codes: ["CONFLICT"],
      run: ({ at, actor }) => deleteWorkflow(database, at.id, actor),
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/publish`,
    summary: "Publish the draft as a new version",
    condition: "workflow",
    codes: ["WORKFLOW_INVALID", "CONFLICT"],
    answer: tagged(workflow, "The workflow with its new version"),
    run: async ({ at, actor, ifMatch }) => {
      const data = await publishWorkflow({ database, vault }, at.id, actor, ifMatch);
      return { data, tag: tagOfWorkflow(data) };
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/enable`,
    summary: "Enable a published workflow",
    codes: ["CONFLICT"],
    answer: one(workflow, "The workflow"),
    run: ({ at, actor }) => setWorkflowEnabled(database, at.id, true, actor),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/disable`,
    summary: "Disable a workflow; accepted runs continue",
    answer: one(workflow, "The workflow"),
    run: ({ at, actor }) => setWorkflowEnabled(database, at.id, false, actor),
  });
}
