import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers, standardHeaders } from "@rowhouse/http";
import { readFrame, ticketForm } from "@rowhouse/templates";

const path = "/admin/api/template-frames";

/** No script, no request and no origin, and only a page of this origin may frame it. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors 'self'";

const show = createRoute({
  method: "get",
  path: `${path}/{ticket}`,
  operationId: "showTemplateFrame",
  tags: ["Templates"],
  summary: "Show the HTML of a preview in a frame, by the ticket in its address",
  security: [],
  request: { params: z.object({ ticket: z.string().regex(ticketForm) }) },
  responses: {
    200: { description: "The HTML", content: { "text/html": { schema: z.string() } } },
    ...errorAnswers("NOT_FOUND"),
  },
});

/** Returns the path of a ticket. */
export function framePath(ticket: string): string {
  return `${path}/${ticket}`;
}

/** Serves the HTML of previews. A frame sends no credential: the ticket is one, for a minute. */
export function mountTemplateFrameRoute(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(show, async (c) => {
    const html = await readFrame(database, c.req.valid("param").ticket);
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
    };
    return c.body(html, 200, standardHeaders(c.env.edge.requestId, headers));
  });
}
