import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, idParams, list, one } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import { diffVersions, listVersions, readVersion, rollBackWorkflow } from "@rowhouse/workflows";
import { mountRoute } from "../mount-route.ts";
import { moment } from "../route-parts.ts";
import { workflow } from "./workflows.ts";

const summary = z
  .object({
    id: z.string(),
    number: z.int(),
    publishedAt: moment,
    publishedBy: z.string().nullable(),
  })
  .openapi("WorkflowVersionSummary");
const version = summary.extend({ definition: z.unknown() }).openapi("WorkflowVersion");
const versionParams = idParams.extend({
  number: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/)
    .openapi({ description: "The number of a published version" }),
});

const change = z
  .object({
    kind: z.enum(["STEP_ADDED", "STEP_REMOVED", "STEP_MOVED", "CHANGED"]),
    step: z.string().nullable().openapi({ description: "The step's id; null outside steps" }),
    from: z
      .string()
      .nullable()
      .openapi({ description: "A JSON pointer into the requested version" }),
    to: z
      .string()
      .nullable()
      .openapi({ description: "A JSON pointer into the version to compare with" }),
    before: z.unknown(),
    after: z.unknown(),
  })
  .openapi("WorkflowChange");

/** Serves the published versions of a workflow. */
export function mountWorkflowVersionRoutes(
  router: ApiRouter,
  { database, vault }: { readonly database: Database; readonly vault: Vault },
): void {
  const path = "/admin/api/workflows/{id}/versions";
  mountRoute(router, {
    method: "get",
    path,
    summary: "List the published versions of a workflow",
    search: false,
    answer: list(summary, "Newest first"),
    run: ({ at, page }) => listVersions(database, at.id, page),
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/{number}`,
    params: versionParams,
    summary: "Get a version with its definition",
    answer: one(version, "The version"),
    run: ({ at }) => readVersion(database, at.id, Number(at.number)),
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/{number}/diff`,
    params: versionParams,
    summary: "Compare a version with another version or the draft",
    query: z.object({
      to: z
        .string()
        .regex(/^(?:draft|[1-9][0-9]{0,8})$/, "`draft`, or the number of a version")
        .default("draft")
        .openapi({ description: "`draft`, or the number of a published version" }),
    }),
    answer: one(z.array(change), "In the order of the version to compare with; added parts last"),
    run: ({ at, query: { to } }) =>
      diffVersions(database, at.id, Number(at.number), to === "draft" ? to : Number(to)),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{number}/publish`,
    params: versionParams,
    summary: "Publish an earlier version again under the next number; the draft stays unchanged",
    codes: ["WORKFLOW_INVALID", "CONFLICT"],
    answer: one(workflow, "The workflow with its new version"),
    run: ({ at, actor }) => rollBackWorkflow({ database, vault }, at.id, Number(at.number), actor),
  });
}
