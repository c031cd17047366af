import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, idParams } from "@rowhouse/http";
import {
  createSample,
  deleteSample,
  listSamples,
  readSample,
  updateSample,
} from "@rowhouse/workflows";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

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

/** Serves the inputs that administrators keep for tests of a workflow. */
export function mountWorkflowSampleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountRecords(router, {
    path: "/admin/api/workflows/{id}/samples",
    params: idParams.extend({ sampleId: z.guid() }),
    noun: "sample",
    item: sample,
    listed: summary,
    exact: true,
    list: {
      summary: "List the samples of a workflow, without their data",
      order: "By name",
      run: ({ at, page }) => listSamples(database, at.id, page),
    },
    create: {
      summary: "Keep an input of a workflow as a sample, also that of a run",
      body: input,
      codes: ["CONFLICT"],
      run: ({ at, data, actor }) => createSample(database, at.id, data, actor),
    },
    read: {
      summary: "Get a sample with its data",
      run: ({ at }) => readSample(database, at.id, at.sampleId),
    },
    update: {
      summary: "Change the name or the data of a sample",
      body: z.strictObject({ name: name.optional(), data: z.unknown().optional() }),
      codes: ["CONFLICT"],
      run: ({ at, data, actor }) => updateSample(database, at.id, at.sampleId, data, actor),
    },
    remove: {
      summary: "Delete a sample",
      answer: "Sample deleted",
      run: ({ at, actor }) => deleteSample(database, at.id, at.sampleId, actor),
    },
  });
}
