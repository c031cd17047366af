import type { Action, EffectiveGrant, Principal } from "@rowhouse/access";
import { escapePointer, type Relation, type Snapshot } from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { methodOf, type Plan } from "./plan-request.ts";
import { type Projection, projectFields } from "./projection.ts";
import { Visibility, type Visible } from "./visible.ts";

declare const authorized: unique symbol;

/** A plan under the grants of one principal: stage 3, and the only way to stage 4. */
export type AuthorizedPlan = Plan & {
  readonly [authorized]: true;
  readonly read: Visible;
  /** What an answer shows. */
  readonly projection: Projection;
  readonly write: readonly EffectiveGrant[];
  /** Relations that a path crosses at most. */
  readonly relationDepthMax: number;
};

const actions: Readonly<Record<Plan["kind"], Action>> = {
  LIST: "READ",
  AGGREGATE: "READ",
  READ: "READ",
  CREATE: "CREATE",
  UPDATE: "UPDATE",
  DELETE: "DELETE",
};

/**
 * Decides what of a plan its principal may have. A relation without any grant answers like one that does not exist.
 *
 * @throws AppError NOT_FOUND, ACTION_DENIED, METHOD_NOT_ALLOWED, or FIELD_UNKNOWN for each field that does not exist or is
 * not the principal's
 */
export function authorizePlan(
  plan: Plan,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): AuthorizedPlan {
  const { relation } = plan;
  const action = actions[plan.kind];
  const visibility = new Visibility(snapshot, principal);
  const access = visibility.accessTo(relation, action);
  if (access.kind === "UNKNOWN") throw createError("NOT_FOUND");
  requireExposed(plan);
  if (access.kind === "DENIED") throw createError("ACTION_DENIED");
  const read = visibility.of(relation);
  const write = action === "READ" ? [] : access.grants;
  if (action === "READ" && read.fields.length === 0) throw createError("ACTION_DENIED");
  requireWritable(plan, write);
  const relationDepthMax = settingsOf(snapshot)["data.max_relation_depth"];
  const [fields, deep] = "deep" in plan ? [plan.fields, plan.deep] : [null, new Map()];
  const projection = projectFields(read, fields, deep, relationDepthMax);
  return Object.assign({}, plan, { read, projection, write, relationDepthMax }) as AuthorizedPlan;
}

function requireExposed(plan: Plan): void {
  const { exposedMethods } = plan.relation.resource;
  if (exposedMethods.includes(methodOf(plan))) return;
  // A collection takes GET and POST, a row the others as well.
  const path =
    plan.kind === "LIST" || plan.kind === "AGGREGATE" || plan.kind === "CREATE"
      ? ["GET", "POST"]
      : ["GET", "PATCH", "DELETE"];
  const allowed = exposedMethods.filter((method) => path.includes(method));
  throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allowed.join(", ") } });
}

function requireWritable(plan: Plan, write: readonly EffectiveGrant[]): void {
  if (plan.kind !== "CREATE" && plan.kind !== "UPDATE") return;
  throwFaults(
    plan.fields
      .filter((field) => !isWritable(plan.relation, write, field))
      .map((field) => createFault("FIELD_UNKNOWN", { path: `/data/${escapePointer(field)}` })),
  );
}

function isWritable(relation: Relation, grants: readonly EffectiveGrant[], field: string): boolean {
  const column = relation.columnByName(field);
  if (column === undefined || column.generated || column.identity === "ALWAYS") return false;
  return grants.some((grant) => covers(grant, field));
}

/** Whether a grant lets its holder set a field; what it presets is not theirs to set. */
export function covers(grant: EffectiveGrant, field: string): boolean {
  return (grant.fields === null || grant.fields.has(field)) && !grant.presets.has(field);
}
