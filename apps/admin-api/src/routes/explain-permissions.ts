import { z } from "@hono/zod-openapi";
import {
  explainRequest,
  type RequestExplanation,
  type RowReport,
  refusalOfRow,
  reportRow,
} from "@rowhouse/data";
import type { Database, Relation, Snapshot, SnapshotStore } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { type ApiRouter, one, splitQuery } from "@rowhouse/http";
import { type ExplainedUser, readExplainedUser } from "../explained-user.ts";
import { mountRoute } from "../mount-route.ts";
import { grantAnswer } from "./grants.ts";
import { fieldReport, grantsOf } from "./user-permissions.ts";

const input = z.strictObject({
  userId: z.guid(),
  method: z.enum(["GET", "POST", "PATCH", "DELETE"]),
  path: z.string().max(2000).openapi({ example: "/api/fleet/table/vehicles" }),
  query: z.string().max(16_384).optional().openapi({ example: "where[status][_eq]=AVAILABLE" }),
  body: z.unknown().optional().openapi({ description: 'As in the request: `{ "data": … }`' }),
});

const relationReport = z.object({
  resourceId: z.string(),
  schema: z.string(),
  name: z.string(),
  grants: z.array(grantAnswer.extend({ roleName: z.string() })),
  everyRow: z.boolean().openapi({
    description: "If false, the rows that match the row filter of one of the grants",
  }),
  fields: z.array(fieldReport),
  hiddenFields: z.array(z.string()),
});

const explanation = z
  .object({
    outcome: z.enum(["ALLOWED", "DENIED"]),
    refusal: z
      .object({
        stage: z.enum(["PARSE", "AUTHENTICATE", "PLAN", "AUTHORIZE", "COMPILE", "BIND", "ROW"]),
        status: z.int(),
        errors: z.array(
          z.object({
            code: z.string(),
            message: z.string(),
            path: z.string().optional(),
            details: z.record(z.string(), z.unknown()).optional(),
            reason: z.string().nullable().openapi({
              description: "The rule that denied the request; the response to the user omits it",
            }),
          }),
        ),
      })
      .nullable(),
    action: z.enum(["READ", "CREATE", "UPDATE", "DELETE"]).nullable(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    grants: z.array(grantAnswer.extend({ roleName: z.string() })).openapi({
      description: "The grants that allow the action; empty for an administrator",
    }),
    row: z
      .object({
        exists: z.boolean(),
        grants: z.array(
          z.object({
            id: z.string(),
            roleName: z.string(),
            passes: z.boolean().openapi({
              description: "Whether the row filter of the grant matches the row",
            }),
          }),
        ),
      })
      .nullable()
      .openapi({
        description:
          "The row that the request names by its id, by each grant for the action; null without an id, and for a request that an earlier stage denies",
      }),
    relations: z.array(relationReport).openapi({
      description: "The part that the user can read of each relation in the request",
    }),
    sql: z.string().nullable().openapi({ description: "The SQL that the request would execute" }),
    parameters: z.array(z.object({ source: z.string(), value: z.string().nullable() })).openapi({
      description: "`$1`, `$2`, … of the SQL; the parameters of the credential check are omitted",
    }),
  })
  .openapi("PermissionExplanation");

/** Serves explanations of why a request is allowed or denied, by the stages of the engine. */
export function mountExplainPermissionsRoute(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRoute(router, {
    method: "post",
    path: "/admin/api/permissions/explain",
    summary: "Explain the response to a user's request without executing it",
    body: input,
    exactBody: true,
    codes: ["VALUE_INVALID"],
    answer: one(explanation, "The stages of the request, up to its SQL, and the row that it names"),
    run: async ({ data: { userId, method, path: target, query, body } }) => {
      const explained = await findUser(database, userId);
      const snapshot = await snapshots.fresh();
      const [path, ownQuery] = splitQuery(target);
      const request = { method, path, query: query ?? ownQuery, data: dataOf(body) };
      const { user, principal } = explained;
      const report = explainRequest(request, snapshot, principal, user);
      const row = report.row === null ? null : await reportRow(database, report.row);
      return describe(report, row, snapshot, explained);
    },
  });
}

async function findUser(database: Database, userId: string): Promise<ExplainedUser> {
  try {
    return await readExplainedUser(database, userId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "NOT_FOUND") throw error;
    throw createError("VALUE_INVALID", { path: "/data/userId", message: "No such user" });
  }
}

/** Returns the `data` of the explained body. */
function dataOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
}

function describe(
  report: RequestExplanation,
  row: RowReport | null,
  snapshot: Snapshot,
  { user, principal }: ExplainedUser,
) {
  const { relation, action, statement } = report;
  const refusal = report.refusal ?? (row === null ? null : refusalOfRow(row));
  const grantsBy = (of: Relation, ids: readonly string[]) =>
    grantsOf(snapshot, principal.roleIds, of).filter((grant) => ids.includes(grant.id));
  return {
    outcome: refusal === null ? ("ALLOWED" as const) : ("DENIED" as const),
    refusal:
      refusal === null
        ? null
        : {
            stage: refusal.stage,
            status: refusal.status,
            errors: refusal.faults.map((fault) => ({ ...fault })),
          },
    action,
    row:
      row === null || relation === null
        ? null
        : {
            exists: row.exists,
            grants: grantsBy(
              relation,
              row.grants.map(({ id }) => id),
            ).map(({ id, roleName }) => ({
              ...{ id, roleName },
              passes: row.grants.some((grant) => grant.id === id && grant.passes),
            })),
          },
    roles: user.roles,
    grants: relation === null ? [] : grantsBy(relation, report.grantIds),
    relations: report.relations.map((each) => ({
      resourceId: each.relation.resource.id,
      schema: each.relation.schema,
      name: each.relation.name,
      grants: grantsBy(each.relation, each.grantIds),
      everyRow: each.everyRow,
      fields: each.fields,
      hiddenFields: each.hiddenFields,
    })),
    sql: statement?.text ?? null,
    parameters: statement?.parameters ?? [],
  };
}
