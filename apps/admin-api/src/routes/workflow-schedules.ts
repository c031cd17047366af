import { createRoute, z } from "@hono/zod-openapi";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { cronSchema, previewSchedule } from "@rowhouse/workflows";
import { dataAnswer, dataBody, describable, moment } from "../route-parts.ts";

const preview = createRoute({
  method: "post",
  path: "/admin/api/workflow-schedules/preview",
  summary: "Get the next moments of a cron expression",
  request: dataBody(
    z.strictObject({
      cron: describable(cronSchema),
      timeZone: z.string().max(100).default("UTC").openapi({ description: "An IANA name" }),
      count: z.int().min(1).max(50).default(10),
    }),
  ),
  responses: {
    200: dataAnswer(
      z.object({ moments: z.array(moment) }),
      "The moments, earliest first; fewer than `count` if there are no more",
    ),
    ...errorAnswers("BODY_INVALID"),
  },
});

/** Serves the preview of a schedule. */
export function mountWorkflowScheduleRoute(router: ApiRouter): void {
  router.openapi(preview, (c) => {
    const moments = previewSchedule(c.req.valid("json").data, Date.now());
    return c.json({ data: { moments } }, 200);
  });
}
