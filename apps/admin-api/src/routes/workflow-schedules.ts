import { z } from "@hono/zod-openapi";
import type { ApiRouter } from "@rowhouse/http";
import { cronSchema, previewSchedule } from "@rowhouse/workflows";
import { mountRoute, one } from "../mount-route.ts";
import { describable, moment } from "../route-parts.ts";

/** Serves the preview of a schedule. */
export function mountWorkflowScheduleRoute(router: ApiRouter): void {
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
