import { createRoute, z } from "@hono/zod-openapi";
import type { SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  type ApiRouter,
  dataAnswer,
  dataBody,
  errorAnswers,
  idParams,
  type ServiceEnvironment,
} from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import type { SqlConsole } from "@rowhouse/sql-console";
import { isStorableText } from "@rowhouse/wire";
import type { MiddlewareHandler } from "hono";
import { actorOf } from "../administrator.ts";

interface SqlRoutesDependencies {
  readonly sqlConsole: SqlConsole;
  readonly snapshots: SnapshotStore;
}

const storable = z
  .string()
  .refine(isStorableText, "Text cannot contain NUL or an unpaired surrogate");

const parameter = z
  .union([storable, z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? null : String(value)));

const request = z
  .strictObject({
    id: z
      .guid()
      .optional()
      .openapi({ description: "An id that the caller chooses, to cancel the run" }),
    sql: storable.openapi({ description: "One or more statements, separated by semicolons" }),
    parameters: z.array(parameter).max(1000).optional().openapi({
      description:
        "Values of $1, $2, … of a single statement; send numbers as text to preserve their digits",
    }),
    readOnly: z.boolean().optional().openapi({ default: true }),
    rowsMax: z
      .int()
      .min(1)
      .optional()
      .openapi({ description: "Maximum number of rows per result" }),
    timeoutMs: z.int().min(1).optional(),
  })
  .openapi("SqlRequest");

const result = z
  .object({
    command: z.string().openapi({ description: "The first word of the statement" }),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(z.unknown())).openapi({ description: "Values as in the Data API" }),
    rowCount: z
      .int()
      .nullable()
      .openapi({ description: "Rows returned or changed; null if unknown" }),
    truncated: z.boolean().openapi({ description: "Whether rows were omitted" }),
  })
  .openapi("SqlResult");

const answer = z
  .object({
    id: z.string(),
    durationMs: z.int(),
    results: z.array(result),
    notices: z.array(z.object({ severity: z.string(), message: z.string() })),
  })
  .openapi("SqlAnswer");

/** Admits tokens only if a setting allows it; this check precedes every other check of the request. */
function guardTokens(
  snapshots: Pick<SnapshotStore, "fresh">,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const settings = settingsOf(await snapshots.fresh());
    if (c.get("principal").session === null && !settings["sql_console.allow_api_tokens"]) {
      throw createError("SESSION_REQUIRED");
    }
    await next();
  };
}

/** Serves the SQL console: it executes an administrator's statements under a database login with few privileges. */
export function mountSqlRoutes(
  router: ApiRouter,
  { sqlConsole, snapshots }: SqlRoutesDependencies,
): void {
  const middleware = guardTokens(snapshots);
  const run = createRoute({
    method: "post",
    path: "/admin/api/sql",
    summary: "Run SQL",
    middleware,
    request: dataBody(request),
    responses: {
      200: dataAnswer(answer, "A result for each statement"),
      ...errorAnswers(
        "BODY_INVALID",
        "SQL_FAILED",
        "SESSION_REQUIRED",
        "CONFLICT",
        "SQL_CANCELLED",
        "RATE_LIMIT_EXCEEDED",
        "SERVICE_UNAVAILABLE",
        "QUERY_TIMEOUT",
      ),
    },
  });
  const cancel = createRoute({
    method: "delete",
    path: "/admin/api/sql/{id}",
    summary: "Cancel a run",
    middleware,
    request: { params: idParams },
    responses: {
      204: { description: "The run was asked to stop; its changes are rolled back" },
      ...errorAnswers("NOT_FOUND", "SESSION_REQUIRED", "SERVICE_UNAVAILABLE"),
    },
  });
  router.openapi(run, async (c) => {
    const settings = settingsOf(await snapshots.fresh());
    const data = await sqlConsole.run(c.req.valid("json").data, settings, {
      userId: c.get("principal").userId,
      actor: actorOf(c),
      signal: c.req.raw.signal,
    });
    // The results are JSON with every digit already, and must not be parsed.
    const body = c.body(`{"data":${data}}`, 200, { "Content-Type": "application/json" });
    return body as unknown as ReturnType<typeof c.json<z.output<typeof envelope>, 200>>;
  });
  router.openapi(cancel, async (c) => {
    await sqlConsole.cancel(c.req.valid("param").id, actorOf(c));
    return c.body(null, 204);
  });
}

const envelope = z.object({ data: answer });
