import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { diffVersions, listVersions, readVersion, rollBackWorkflow } from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";
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

const list = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/versions",
  summary: "List the published versions of a workflow",
  request: { params: idParams, query: pageQuery.omit({ search: true }) },
  responses: {
    200: listAnswer(summary, "Newest first"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const read = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/versions/{number}",
  summary: "Get a version with its definition",
  request: { params: versionParams },
  responses: { 200: dataAnswer(version, "The version"), ...errorAnswers("NOT_FOUND") },
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

const diff = createRoute({
  method: "get",
  path: "/admin/api/workflows/{id}/versions/{number}/diff",
  summary: "Compare a version with another version or the draft",
  request: {
    params: versionParams,
    query: z.object({
      to: z
        .string()
        .regex(/^(?:draft|[1-9][0-9]{0,8})$/, "`draft`, or the number of a version")
        .default("draft")
        .openapi({ description: "`draft`, or the number of a published version" }),
    }),
  },
  responses: {
    200: dataAnswer(
      z.array(change),
      "In the order of the version to compare with; added parts last",
    ),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

const rollBack = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/versions/{number}/publish",
  summary: "Publish an earlier version again under the next number; the draft stays unchanged",
  request: { params: versionParams },
  responses: {
    200: dataAnswer(workflow, "The workflow with its new version"),
    ...errorAnswers("WORKFLOW_INVALID", "NOT_FOUND", "CONFLICT"),
  },
});

/** Serves the published versions of a workflow. */
export function mountWorkflowVersionRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const { limit, cursor } = pageRequest(c.req.valid("query"));
    const { id } = c.req.valid("param");
    return c.json(pageEnvelope(await listVersions(database, id, { limit, cursor })), 200);
  });
  router.openapi(read, async (c) => {
    const { id, number } = c.req.valid("param");
    return c.json({ data: await readVersion(database, id, Number(number)) }, 200);
  });
  router.openapi(diff, async (c) => {
    const { id, number } = c.req.valid("param");
    const { to } = c.req.valid("query");
    const other = to === "draft" ? to : Number(to);
    return c.json({ data: await diffVersions(database, id, Number(number), other) }, 200);
  });
  router.openapi(rollBack, async (c) => {
    const { id, number } = c.req.valid("param");
    return c.json({ data: await rollBackWorkflow(database, id, Number(number), actorOf(c)) }, 200);
  });
}
