import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createSample,
  deleteSample,
  listSamples,
  readSample,
  updateSample,
} from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  exactDataBody,
  exactJson,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const summary = z
  .object({
    id: z.string(),
    name: z.string(),
    runId: z.string().nullable().openapi({ description: "The run whose input it is" }),
    createdBy: z.string().nullable(),
    createdAt: moment,
  })
  .openapi("WorkflowSampleSummary");
const sample = summary
  .extend({ data: z.unknown().openapi({ description: "The `start.data` of a run" }) })
  .openapi("WorkflowSample");

const name = z.string().min(1).max(200);
const data = z.unknown().refine((value) => value !== undefined, "This field is required");
const input = z.union([
  z.strictObject({ name, data }),
  z.strictObject({
    name,
    run: z.string().openapi({ description: "A run of the workflow, whose input is taken" }),
  }),
]);

const path = "/admin/api/workflows/{id}/samples";
const onePath = `${path}/{sampleId}` as const;
const params = idParams.extend({ sampleId: z.guid() });
const codes = ["BODY_INVALID", "NOT_FOUND", "CONFLICT"] as const;

const list = createRoute({
  method: "get",
  path,
  summary: "List the samples of a workflow, without their data",
  request: { params: idParams, query: pageQuery },
  responses: {
    200: listAnswer(summary, "By name"),
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});
const create = createRoute({
  method: "post",
  path,
  summary: "Keep an input of a workflow as a sample, also that of a run",
  request: { params: idParams, ...exactDataBody(input) },
  responses: { 201: dataAnswer(sample, "The sample"), ...errorAnswers(...codes) },
});
const read = createRoute({
  method: "get",
  path: onePath,
  summary: "Get a sample with its data",
  request: { params },
  responses: { 200: dataAnswer(sample, "The sample"), ...errorAnswers("NOT_FOUND") },
});
const update = createRoute({
  method: "patch",
  path: onePath,
  summary: "Change the name or the data of a sample",
  request: {
    params,
    ...exactDataBody(z.strictObject({ name: name.optional(), data: z.unknown().optional() })),
  },
  responses: { 200: dataAnswer(sample, "The sample"), ...errorAnswers(...codes) },
});
const remove = createRoute({
  method: "delete",
  path: onePath,
  summary: "Delete a sample",
  request: { params },
  responses: { 204: { description: "Sample deleted" }, ...errorAnswers("NOT_FOUND") },
});

/** Serves the inputs that administrators keep for tests of a workflow. */
export function mountWorkflowSampleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const { id } = c.req.valid("param");
    const page = await listSamples(database, id, pageRequest(c.req.valid("query")));
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(create, async (c) => {
    const { id } = c.req.valid("param");
    const { data } = c.req.valid("json");
    return exactJson(c, { data: await createSample(database, id, data, actorOf(c)) }, 201);
  });
  router.openapi(read, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    return exactJson(c, { data: await readSample(database, id, sampleId) }, 200);
  });
  router.openapi(update, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    const { data } = c.req.valid("json");
    const changed = await updateSample(database, id, sampleId, data, actorOf(c));
    return exactJson(c, { data: changed }, 200);
  });
  router.openapi(remove, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    await deleteSample(database, id, sampleId, actorOf(c));
    return c.body(null, 204);
  });
}
