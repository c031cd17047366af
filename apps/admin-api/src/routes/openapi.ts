import { createRoute, z } from "@hono/zod-openapi";
import { type ApiRouter, openApiDocument } from "@rowhouse/http";

const read = createRoute({
  method: "get",
  path: "/admin/api/openapi",
  summary: "This document",
  responses: {
    200: {
      description: "The Admin API as OpenAPI 3.1",
      content: { "application/json": { schema: z.record(z.string(), z.any()) } },
    },
  },
});

/** The document of every route that the router declares (spec §4.3). */
export function mountOpenApiRoute(router: ApiRouter): void {
  router.openapi(read, (c) => {
    const document = openApiDocument(router, {
      title: "Rowhouse Admin API",
      version: "1",
      description:
        "For members of Administrators. Bodies are `{ data }`, answers `{ data, meta? }`, errors `{ errors, meta }`.",
    });
    // Without an envelope: tools that read OpenAPI take the document as it is.
    return c.json(document, 200);
  });
}
