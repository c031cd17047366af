import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
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
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";

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

const list = createRoute({
  method: "get",
  path: "/admin/api/workflows",
  summary: "List the workflows",
  request: { query: pageQuery },
  responses: { 200: listAnswer(workflow, "By slug"), ...errorAnswers("QUERY_INVALID") },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/workflows",
  summary: "Create a workflow as a draft",
  request: dataBody(input),
  responses: {
    201: dataAnswer(workflow, "The workflow, neither published nor enabled"),
    ...errorAnswers("BODY_INVALID", "WORKFLOW_INVALID", "UNIQUE_VIOLATION"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/workflows/{id}",
  summary: "Change the slug, name or draft; published versions stay unchanged",
  request: { params: idParams, headers: tagCondition("workflow"), ...dataBody(input.partial()) },
  responses: {
    200: taggedAnswer(dataAnswer(workflow, "The workflow")),
    ...errorAnswers(
      "BODY_INVALID",
      "WORKFLOW_INVALID",
      "NOT_FOUND",
      "PRECONDITION_FAILED",
      "UNIQUE_VIOLATION",
    ),
  },
});

const publish = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/publish",
  summary: "Publish the draft as a new version",
  request: { params: idParams, headers: tagCondition("workflow") },
  responses: {
    200: taggedAnswer(dataAnswer(workflow, "The workflow with its new version")),
    ...errorAnswers("WORKFLOW_INVALID", "NOT_FOUND", "PRECONDITION_FAILED", "CONFLICT"),
  },
});

const enable = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/enable",
  summary: "Enable a published workflow",
  request: { params: idParams },
  responses: {
    200: dataAnswer(workflow, "The workflow"),
    ...errorAnswers("NOT_FOUND", "CONFLICT"),
  },
});

const disable = createRoute({
  method: "post",
  path: "/admin/api/workflows/{id}/disable",
  summary: "Disable a workflow; accepted runs continue",
  request: { params: idParams },
  responses: { 200: dataAnswer(workflow, "The workflow"), ...errorAnswers("NOT_FOUND") },
});

/** Serves workflows: drafts, publishing, enabling. */
export function mountWorkflowRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) =>
    c.json(pageEnvelope(await listWorkflows(database, pageRequest(c.req.valid("query")))), 200),
  );
  router.openapi(create, async (c) =>
    c.json({ data: await createWorkflow(database, c.req.valid("json").data, actorOf(c)) }, 201),
  );
  mountRead(
    router,
    "/admin/api/workflows",
    workflow,
    { summary: "Get a workflow", description: "The workflow" },
    (id) => requireWorkflow(database, id),
    tagOfWorkflow,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const data = await updateWorkflow(database, id, changes, actorOf(c), ifMatch);
    return c.json({ data }, 200, tagHeaders(tagOfWorkflow(data)));
  });
  mountDelete(
    router,
    "/admin/api/workflows",
    {
      summary: "Delete a workflow with its versions, grants and history",
      description: "Workflow deleted",
    },
    (id, actor) => deleteWorkflow(database, id, actor),
    ["CONFLICT"],
  );
  router.openapi(publish, async (c) => {
    const { id } = c.req.valid("param");
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const data = await publishWorkflow(database, id, actorOf(c), ifMatch);
    return c.json({ data }, 200, tagHeaders(tagOfWorkflow(data)));
  });
  router.openapi(enable, async (c) => {
    const { id } = c.req.valid("param");
    return c.json({ data: await setWorkflowEnabled(database, id, true, actorOf(c)) }, 200);
  });
  router.openapi(disable, async (c) => {
    const { id } = c.req.valid("param");
    return c.json({ data: await setWorkflowEnabled(database, id, false, actorOf(c)) }, 200);
  });
}
