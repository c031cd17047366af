import { createRoute, z } from "@hono/zod-openapi";
import {
  type ApiRouter,
  documentQuery,
  type OpenApiDocument,
  openApiDocument,
} from "@rowhouse/http";

const read = createRoute({
  method: "get",
  path: "/app/api/openapi",
  operationId: "readAppDocument",
  tags: ["Documents"],
  summary: "Get this document",
  request: { query: documentQuery },
  description: "Without the envelope of other responses: tools read an OpenAPI document directly.",
  responses: {
    200: {
      description: "The App API as OpenAPI 3.1",
      content: { "application/json": { schema: z.record(z.string(), z.any()) } },
    },
  },
});

/** Serves the document of the App API. */
export function mountAppOpenApiRoute(router: ApiRouter): void {
  router.openapi(read, (c) =>
    c.json(appDocument(router, c.req.valid("query").exports === "true"), 200),
  );
}

export function appDocument(routes: ApiRouter, exports: boolean): OpenApiDocument {
  return openApiDocument(routes, {
    exports,
    title: "Rowhouse App API",
    description: `Everything that a front end requires for its user. The rows are read with the rights of that user.

A response is \`{ "data": …, "meta"? }\`, an error \`{ "errors": [ … ], "meta": { "requestId" } }\`.`,
    prefix: "/app/api",
    credentials: {
      session: { format: "rhs_…", description: "A session, obtained by signing in" },
      adminToken: {
        format: "rhp_…",
        description: "An administrator's personal access token of the plane `admin`",
      },
    },
  });
}
