import { createRoute, z } from "@hono/zod-openapi";
import { type ApiRouter, type OpenApiDocument, openApiDocument } from "@rowhouse/http";

const read = createRoute({
  method: "get",
  path: "/admin/api/openapi",
  operationId: "readAdminDocument",
  tags: ["Documents"],
  summary: "This document",
  description: "Without the envelope of other answers: tools that read OpenAPI take it as it is.",
  responses: {
    200: {
      description: "The Admin API as OpenAPI 3.1",
      content: { "application/json": { schema: z.record(z.string(), z.any()) } },
    },
  },
});

const description = `For members of Administrators, with a session or with a token of the admin plane.

A body is \`{ "data": … }\`, an answer \`{ "data": …, "meta"? }\`, an error \`{ "errors": [ … ], "meta": { "requestId" } }\`.
Unknown parameters and unknown fields are refused. A path that does not take a method answers 405
\`METHOD_NOT_ALLOWED\` with \`Allow\`.`;

/** The document of every route that the router declares (spec §4.3). */
export function mountOpenApiRoute(router: ApiRouter): void {
  router.openapi(read, (c) => c.json(adminDocument(router), 200));
}

/** The document of the Admin API, from the routes of an app or router. */
export function adminDocument(routes: ApiRouter): OpenApiDocument {
  return openApiDocument(routes, {
    title: "Rowhouse Admin API",
    description,
    prefix: "/admin/api",
    credentials: {
      session: { format: "rhs_…", description: "A session of an administrator" },
      adminToken: {
        format: "rhp_…",
        description: "An administrator's personal access token of the plane `admin`",
      },
    },
  });
}
