import { createRoute, z } from "@hono/zod-openapi";
import type { ApiRouter } from "@rowhouse/http";

const redirect = createRoute({
  method: "get",
  path: "/admin/api/docs",
  operationId: "redirectToReference",
  tags: ["Documents"],
  summary: "Redirect to the reference among the pages of the administration",
  security: [],
  responses: {
    302: {
      description: "The address of the reference",
      headers: z.object({ Location: z.string() }),
    },
  },
});

/** Leads the former address of the reference to its page, without authentication: the page asks for a sign-in. */
export function mountDocsRoutes(router: ApiRouter): void {
  router.openapi(redirect, (c) => c.redirect("/admin/reference", 302));
}
