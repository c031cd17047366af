import { createRoute, z } from "@hono/zod-openapi";
import { type Caller, createPrincipalCache, loadPrincipal, standingOf } from "@rowhouse/access";
import { createDataEngine, createExportEngine } from "@rowhouse/data";
import { appendAuditEntries, type Database, type SnapshotStore, toAppError } from "@rowhouse/db";
import { createError, renderError } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import type { PreviewApp } from "../preview/preview-app.ts";
import { previewRows } from "../preview/preview-rows.ts";
import type { PreviewedAnswer } from "../preview/previewed-request.ts";
import { type ReadingEngine, readOnlyEngine } from "../preview/read-only-engine.ts";
import { dataAnswer, dataBody } from "../route-parts.ts";

const rolesMax = 100;

const headerText = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]*$/, "Must be one line of printable ASCII");

const input = z.strictObject({
  userId: z.guid().optional().openapi({ description: "The person, as with a session of theirs" }),
  roleIds: z.array(z.guid()).min(1).max(rolesMax).optional().openapi({
    description: "In place of `userId`: somebody with these roles; `$USER.*` is empty",
  }),
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

const preview = createRoute({
  method: "post",
  path: "/admin/api/permissions/preview",
  summary: "Run a GET request as a person or as a set of roles, read-only",
  description:
    "Returns what that caller would receive, errors included. It is recorded in the audit log, and it creates no credential.",
  request: dataBody(input),
  responses: {
    200: dataAnswer(answer, "The response that the caller would receive"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID"),
  },
});

export interface PreviewPermissionsDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** Creates the App API whose rows an engine reads. */
  readonly previewApp: (engine: ReadingEngine) => PreviewApp;
}

/** Serves previews: requests that an administrator sends as somebody else. */
export function mountPreviewPermissionsRoute(
  router: ApiRouter,
  { database, snapshots, previewApp }: PreviewPermissionsDependencies,
): void {
  const principals = createPrincipalCache(database, { record: () => {} });
  const parts = { database, snapshots, principals };
  const engine = readOnlyEngine(createDataEngine(parts), database);
  const exports = createExportEngine(parts);
  const previewed = previewApp(engine);
  router.openapi(preview, async (c) => {
    const { path, headers = {}, ...as } = c.req.valid("json").data;
    const caller = callerOf(as);
    const snapshot = await snapshots.fresh();
    const principal = await loadPrincipal(database, caller);
    if (principal === undefined) {
      throw createError("VALUE_INVALID", {
        path: "/data/userId",
        message: "No such active person",
      });
    }
    const unknown =
      caller.kind === "ROLES" ? caller.roleIds.findIndex((id) => !snapshot.roles.has(id)) : -1;
    if (unknown >= 0) {
      throw createError("VALUE_INVALID", {
        path: `/data/roleIds/${unknown}`,
        message: "No such role",
      });
    }
    const targets =
      caller.kind === "PERSON"
        ? [{ targetKind: "user", targetId: caller.userId }]
        : caller.roleIds.map((id) => ({ targetKind: "role", targetId: id }));
    await appendAuditEntries(
      database,
      actorOf(c),
      targets.map((target) => ({ action: "permission.preview", ...target })),
    );
    const request = {
      path,
      headers: headersOf(headers),
      caller,
      principal: { ...principal, ...standingOf(principal, snapshot) },
    };
    const run = (): Promise<PreviewedAnswer> => {
      if (path.startsWith("/app/api/")) return previewed(request, c.env.edge);
      return previewRows({ snapshots, engine, exports }, request, c.req.raw.signal);
    };
    const data = await run().catch((error: unknown) => rendered(error, c.env.edge.requestId));
    return c.json({ data }, 200);
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

type PreviewCaller = Extract<Caller, { readonly kind: "PERSON" | "ROLES" }>;

/** @throws AppError BODY_INVALID unless exactly one of both is given */
function callerOf({
  userId,
  roleIds,
}: {
  readonly userId?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
}): PreviewCaller {
  if (userId !== undefined && roleIds === undefined) return { kind: "PERSON", userId };
  if (userId === undefined && roleIds !== undefined) return { kind: "ROLES", roleIds };
  throw createError("BODY_INVALID", { path: "/data", message: "Give userId or roleIds" });
}

/** The response of an error. An unexpected one is the administrator's own. */
function rendered(error: unknown, requestId: string): PreviewedAnswer {
  const known = toAppError(error);
  const { status, body, unexpected } = renderError(known, requestId);
  if (unexpected) throw known;
  return { status, contentType: "application/json", body: JSON.stringify(body) };
}
