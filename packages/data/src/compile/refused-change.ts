import type { Caller, Principal } from "@rowhouse/access";
import { appendAuditEntry, type Queryable, type Relation, toAppError } from "@rowhouse/db";
import type { AppError, ErrorCode } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { DataRequest } from "../parse/request.ts";
import { idOf } from "../plan/plan-request.ts";

/** Whether a relation holds records of the service itself: users, roles, members, templates. */
export function isAdministrative(relation: Pick<Relation, "schema">): boolean {
  return relation.schema === "system";
}

const verbs: Partial<Record<DataRequest["kind"], string>> = {
  CREATE: "create",
  UPDATE: "update",
  DELETE: "delete",
};

/**
 * Adds an audit entry if PostgreSQL refuses a change of an administrative record with ACTION_DENIED or CONFLICT. The
 * caller's grants permit the action, so a caller without rights cannot cause an entry. Any other refusal adds none.
 *
 * @param codes of all refusals: a response has only the first of them
 */
export async function recordRefusedChange(
  database: Queryable,
  plan: AuthorizedPlan,
  request: DataRequest,
  principal: Pick<Principal, "userId" | "tokenId">,
  { origin }: Caller,
  codes: readonly ErrorCode[],
): Promise<void> {
  const verb = verbs[plan.kind];
  if (verb === undefined || !isAdministrative(plan.relation)) return;
  if (!codes.includes("ACTION_DENIED") && !codes.includes("CONFLICT")) return;
  const kind = plan.relation.name.replace(/s$/, "");
  const actor = {
    userId: principal.userId,
    tokenId: principal.tokenId,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
  };
  await appendAuditEntry(database, actor, {
    action: `${kind}.${verb}`,
    targetKind: kind,
    // Null for several records or a new one.
    targetId: idOf(request)?.join("/") ?? null,
    changedFields: fieldsOf(plan),
    outcome: "FAILED",
  });
}

/** Returns the codes of a refusal and of its cause, which may concern a row beyond the faults of the response. */
export function codesOf(refusal: AppError, cause: unknown): readonly ErrorCode[] {
  return [toAppError(cause).code, ...refusal.faults.map(({ code }) => code)];
}

function fieldsOf(plan: AuthorizedPlan): readonly string[] {
  const groups = plan.kind === "CREATE" ? plan.groups : plan.kind === "UPDATE" ? [plan] : [];
  return [...new Set(groups.flatMap(({ sent }) => sent.map(({ column }) => column.name)))];
}
