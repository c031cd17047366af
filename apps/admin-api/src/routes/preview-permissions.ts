import { z } from "@hono/zod-openapi";
import type { DataPlane } from "@rowhouse/data";
import { type Database, type SnapshotStore, toAppError } from "@rowhouse/db";
import { renderError } from "@rowhouse/errors";
import { type ApiRouter, one } from "@rowhouse/http";
import { previewedCaller } from "@rowhouse/readings";
import { mountRoute } from "../mount-route.ts";
import type { PreviewApp } from "../preview/preview-app.ts";
import { previewRows } from "../preview/preview-rows.ts";
import type { PreviewedAnswer } from "../preview/previewed-request.ts";

const rolesMax = 100;

const headerText = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]*$/, "Must be one line of printable ASCII");

/** Whom a preview stands for. */
export const previewedParts = {
  userId: z.guid().optional().openapi({ description: "The person, as with a session of theirs" }),
  roleIds: z.array(z.guid()).min(1).max(rolesMax).optional().openapi({
    description: "In place of `userId`: somebody with these roles; `$USER.*` is empty",
  }),
};

const input = z.strictObject({
  ...previewedParts,
  path: z.string().max(20_000).openapi({
    description: "Path and query of a GET request of the Data API or the App API",
    example: "/api/fleet/table/vehicles?limit=10",
  }),
  headers: z
    .strictObject({
      Accept: headerText.optional(),
      Prefer: headerText.optional(),
      "X-Service-Timezone": headerText.optional(),
    })
    .optional(),
});

const answer = z
  .object({
    status: z.int(),
    contentType: z.string().nullable(),
    body: z.string().openapi({ description: "The text of the response" }),
  })
  .openapi("PreviewedAnswer");

export interface PreviewPermissionsDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engines: Pick<DataPlane, "engine" | "exports">;
  /** The App API whose rows the engines read. */
  readonly previewed: PreviewApp;
}

/** Serves previews: requests that an administrator sends as somebody else. */
export function mountPreviewPermissionsRoute(
  router: ApiRouter,
  { database, snapshots, engines, previewed }: PreviewPermissionsDependencies,
): void {
  mountRoute(router, {
    method: "post",
    path: "/admin/api/permissions/preview",
    summary: "Run a GET request as a person or as a set of roles, read-only",
    description:
      "Returns what that caller would receive, errors included. It is recorded in the audit log, and it creates no credential.",
    body: input,
    codes: ["VALUE_INVALID"],
    answer: one(answer, "The response that the caller would receive"),
    run: async ({ data: { path, headers = {}, ...as }, actor, c }) => {
      const snapshot = await snapshots.fresh();
      const caller = await previewedCaller({ database, snapshot }, as, actor, "/data");
      const request = { path, headers: headersOf(headers), ...caller };
      const run = (): Promise<PreviewedAnswer> => {
        if (path.startsWith("/app/api/")) return previewed(request, c.env.edge);
        return previewRows({ snapshots, ...engines }, request, c.req.raw.signal);
      };
      return run().catch((error: unknown) => rendered(error, c.env.edge.requestId));
    },
  });
}

/** The given ones of the headers. */
function headersOf(given: Readonly<Record<string, string | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** The response of an error. An unexpected one is the administrator's own. */
function rendered(error: unknown, requestId: string): PreviewedAnswer {
  const known = toAppError(error);
  const { status, body, unexpected } = renderError(known, requestId);
  if (unexpected) throw known;
  return { status, contentType: "application/json", body: JSON.stringify(body) };
}
