import { z } from "@hono/zod-openapi";
import { auditActions, type Database } from "@rowhouse/db";
import { type ApiRouter, list } from "@rowhouse/http";
import { listAuditEntries } from "@rowhouse/permissions";
import { mountRoute } from "../mount-route.ts";
import { givenMoment, moment } from "../route-parts.ts";

const name = (description: string) => z.string().nullable().openapi({ description });

const names = z
  .object({
    actor: name("The name of the user, or the address; a deleted user keeps the name"),
    token: name("The token that acted"),
    target: name("What the target is called; null if it is deleted or has no name"),
    parent: name(
      "What the target belongs to: the role of a grant or membership, the workflow of a run or sample, the owner of a session or token",
    ),
    parentId: z.string().nullable(),
    action: z.enum(["READ", "CREATE", "UPDATE", "DELETE"]).nullable().openapi({
      description: "Of a grant",
    }),
    relation: z
      .object({ schema: z.string(), name: z.string(), kind: z.enum(["TABLE", "VIEW"]) })
      .nullable()
      .openapi({ description: "The table or view, also of a grant" }),
  })
  .openapi({ description: "The present names of the ids" });

const entry = z
  .object({
    id: z.string(),
    occurredAt: moment,
    actorUserId: z.string().nullable(),
    actorTokenId: z.string().nullable(),
    action: z.string(),
    targetKind: z.string(),
    targetId: z.string().nullable(),
    changedFields: z.array(z.string()).openapi({ description: "Names, never values" }),
    outcome: z.enum(["SUCCEEDED", "FAILED"]),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    names,
  })
  .openapi("AuditLogEntry");

/** Serves the audit log. It is append-only, so it has no other route. */
export function mountAuditLogRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountRoute(router, {
    method: "get",
    path: "/admin/api/audit-log",
    summary: "List the audit log",
    query: z.object({
      action: z.enum(auditActions).optional(),
      actorUserId: z.guid().optional(),
      actorTokenId: z.guid().optional(),
      targetKind: z.string().max(100).optional(),
      targetId: z.string().max(200).optional(),
      changedField: z.string().max(200).optional(),
      outcome: z.enum(["SUCCEEDED", "FAILED"]).optional(),
      address: z.union([z.ipv4(), z.ipv6()], "An IP address").optional(),
      requestId: z.string().max(200).optional(),
      since: givenMoment.optional().openapi({ description: "Inclusive lower bound" }),
      until: givenMoment.optional().openapi({ description: "Exclusive upper bound" }),
    }),
    answer: list(entry, "Newest first"),
    run: ({ page, query }) =>
      listAuditEntries(database, {
        ...page,
        action: query.action ?? null,
        actorUserId: query.actorUserId ?? null,
        actorTokenId: query.actorTokenId ?? null,
        targetKind: query.targetKind ?? null,
        targetId: query.targetId ?? null,
        changedField: query.changedField ?? null,
        outcome: query.outcome ?? null,
        address: query.address ?? null,
        requestId: query.requestId ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
      }),
  });
}
