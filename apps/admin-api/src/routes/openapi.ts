import { createRoute, z } from "@hono/zod-openapi";
import { describeData } from "@rowhouse/data";
import type { RoleRecord, Snapshot, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  type ApiRouter,
  composeDocument,
  documentHeaders,
  documentQuery,
  errorAnswers,
  KeptDocuments,
  notModifiedAnswer,
  type OpenApiDocument,
  openApiDocument,
  sendDocument,
} from "@rowhouse/http";

const read = createRoute({
  method: "get",
  path: "/admin/api/openapi",
  operationId: "readAdminDocument",
  tags: ["Documents"],
  summary: "Get this document",
  request: { query: documentQuery, headers: documentHeaders },
  description: "Without the envelope of other responses: tools read an OpenAPI document directly.",
  responses: {
    200: {
      description: "The Admin API as OpenAPI 3.1",
      content: { "application/json": { schema: z.record(z.string(), z.any()) } },
    },
    ...notModifiedAnswer,
  },
});

const readData = createRoute({
  method: "get",
  path: "/admin/api/openapi/data",
  operationId: "readDataDocument",
  tags: ["Documents"],
  summary: "Get the Data API as a role sees it",
  description:
    "The exposed resources on which the role has a grant, with its actions and fields, and nothing else. Without the envelope of other responses.",
  request: {
    query: documentQuery.extend({ role: z.string().openapi({ description: "The role's id" }) }),
    headers: documentHeaders,
  },
  responses: {
    200: {
      description: "The Data API as OpenAPI 3.1",
      content: { "application/json": { schema: z.record(z.string(), z.any()) } },
    },
    ...notModifiedAnswer,
    ...errorAnswers("NOT_FOUND"),
  },
});

const description = `The routes for members of Administrators, with a session or with a token of the admin plane.

A body is \`{ "data": … }\`, a response \`{ "data": …, "meta"? }\`, an error \`{ "errors": [ … ], "meta": { "requestId" } }\`.
Unknown parameters and unknown fields are refused. An unsupported method on a known path returns 405
\`METHOD_NOT_ALLOWED\` with \`Allow\`.`;

/** Serves the document of all `routes`, and the document of the Data API by role. */
export function mountOpenApiRoutes(
  router: ApiRouter,
  { snapshots, routes }: { readonly snapshots: SnapshotStore; readonly routes: ApiRouter },
): void {
  const documents = new KeptDocuments();
  router.openapi(read, async (c) => {
    const exports = c.req.valid("query").exports === "true";
    const made = () => adminDocument(routes, exports);
    return sendDocument(c, await documents.of(routes, String(exports), made));
  });
  router.openapi(readData, async (c) => {
    const snapshot = await snapshots.fresh();
    const query = c.req.valid("query");
    const role = snapshot.roles.get(query.role);
    if (role === undefined) throw createError("NOT_FOUND");
    const exports = query.exports === "true";
    const document = await documents.of(snapshot, `${role.id} ${exports}`, () =>
      dataDocument(snapshot, role, exports),
    );
    return sendDocument(c, document);
  });
}

function dataDocument(snapshot: Snapshot, role: RoleRecord, exports: boolean): OpenApiDocument {
  return composeDocument(
    {
      title: "Rowhouse Data API",
      description: `The part of the Data API that the role ${role.name} grants to its members.

A body is \`{ "data": … }\`, a response \`{ "data": …, "meta"? }\`, an error \`{ "errors": [ … ], "meta": { "requestId" } }\`.
Unknown parameters and unknown fields are refused.`,
      credentials: {
        session: { format: "rhs_…", description: "A session, obtained by signing in" },
        token: { format: "rhp_…", description: "A personal access token" },
      },
    },
    describeData(snapshot, { roleIds: [role.id] }, { exports }),
  );
}

/** Returns the document of the Admin API from the routes of an app or router. */
export function adminDocument(routes: ApiRouter, exports: boolean): OpenApiDocument {
  return openApiDocument(routes, {
    exports,
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
