import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, one } from "@rowhouse/http";
import { readWorkflowOverview } from "@rowhouse/workflows";
import { mountRoute } from "../mount-route.ts";
import { moment } from "../route-parts.ts";

const hoursMax = 720;
const count = z.int().min(0);
const ended = { succeeded: count, failed: count, cancelled: count };

const state = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    problem: z
      .string()
      .nullable()
      .openapi({ description: "Why the published version cannot run as defined" }),
    runs: z
      .object({ total: count, ...ended })
      .openapi({ description: "Runs that were accepted in the period" }),
    open: count.openapi({ description: "Runs of any time that have not ended" }),
    running: count.openapi({ description: "Open runs that a worker holds now" }),
    concurrency: z
      .int()
      .nullable()
      .openapi({ description: "The limit of `running`; null without a limit" }),
    medianMs: z.number().nullable().openapi({
      description:
        "From the first claim to the end, of succeeded and failed runs; null without any",
    }),
    p95Ms: z.number().nullable(),
    lastFailure: z
      .object({ runId: z.string(), at: moment, code: z.string() })
      .nullable()
      .openapi({ description: "The failed run of the period that ended last" }),
  })
  .openapi("WorkflowState");

const overview = z
  .object({
    since: moment,
    until: moment.openapi({ description: "The end of the interval in progress" }),
    workflowCount: count,
    workflows: z.array(state).openapi({
      description: "At most 1000: by failed runs, by runs, then by slug",
    }),
    buckets: z
      .array(z.object({ at: moment, ...ended }))
      .openapi({ description: "At most 60 intervals of equal length by acceptance, oldest first" }),
    schedules: z
      .array(
        z.object({ workflowId: z.string(), slug: z.string(), name: z.string(), nextRunAt: moment }),
      )
      .openapi({ description: "The next 50 times of schedules" }),
  })
  .openapi("WorkflowOverview");

/** Serves the state of all workflows. */
export function mountWorkflowOverviewRoute(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountRoute(router, {
    method: "get",
    path: "/admin/api/workflow-overview",
    summary: "Get rates, failures and durations of all workflows; tests are not counted",
    query: z.object({
      hours: z
        .string()
        .regex(/^[0-9]{1,3}$/, "Must be a whole number")
        .transform(Number)
        .refine((hours) => hours >= 1 && hours <= hoursMax, `Must be from 1 to ${hoursMax}`)
        .default(24)
        .openapi({ type: "integer", minimum: 1, maximum: hoursMax, default: 24 }),
    }),
    answer: one(overview, "The overview"),
    run: ({ query }) => readWorkflowOverview(database, query.hours),
  });
}
