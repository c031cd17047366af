import { createRoute, z } from "@hono/zod-openapi";
import type { Authenticator, Principal } from "@rowhouse/access";
import { describeData } from "@rowhouse/data";
import type { Snapshot, SnapshotStore } from "@rowhouse/db";
import {
  createApiRouter,
  documentHeaders,
  documentQuery,
  errorAnswers,
  KeptDocuments,
  notModifiedAnswer,
  type OpenApiDocument,
  openApiDocument,
  type Service,
  sendDocument,
} from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { requireCredential } from "../caller/principal.ts";

const read = createRoute({
  method: "get",
  path: "/api/openapi",
  operationId: "readDocument",
  tags: ["Documents"],
  summary: "This document: the operations that the caller may use",
  request: { query: documentQuery, headers: documentHeaders },
  description: "Without the envelope of other responses, so that OpenAPI tools can read it.",
  responses: {
    200: {
      description: "Sign-in, workflows and the Data API for the caller, as OpenAPI 3.1",
      content: { "application/json": { schema: z.record(z.string(), z.any()) } },
    },
    ...notModifiedAnswer,
    ...errorAnswers("AUTHENTICATION_REQUIRED"),
  },
});

const description = `Sign-in, webhooks, and the rows that the roles of this document's caller can access.

A body of a row is \`{ "data": … }\`, a response \`{ "data": …, "meta"? }\`, an error
\`{ "errors": [ … ], "meta": { "requestId" } }\`. Routes of \`/api/auth\` have their fields at the top level. Unknown
parameters and unknown fields are rejected.`;

export interface OpenApiRouteDependencies {
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

/** The document of this service for its caller. */
export function mountOpenApiRoute(
  service: Service,
  { snapshots, authenticator }: OpenApiRouteDependencies,
): void {
  const router = createApiRouter({
    bodyBytesMax: async () => settingsOf(await snapshots.current())["limits.body_bytes"],
  });
  router.use("/api/openapi", requireCredential(authenticator));
  const documents = new KeptDocuments();
  router.openapi(read, async (c) => {
    const principal = c.get("principal");
    const snapshot = await snapshots.fresh();
    const roles = [...principal.roleIds].sort().join();
    const exports = c.req.valid("query").exports === "true";
    const document = await documents.of(snapshot, `${roles} ${exports}`, () =>
      documentFor(service, snapshot, principal, exports),
    );
    return sendDocument(c, document);
  });
  service.route("/", router);
}

function documentFor(
  service: Service,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
  exports: boolean,
): OpenApiDocument {
  return openApiDocument(
    service,
    {
      title: "Rowhouse",
      description,
      prefix: "/api",
      exports,
      credentials: {
        session: { format: "rhs_…", description: "A session, obtained by signing in" },
        token: { format: "rhp_…", description: "A personal access token" },
      },
      sessionCredential: "session",
    },
    describeData(snapshot, principal, { exports }),
  );
}
