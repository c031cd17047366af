import type { Action, EffectiveGrant, Principal } from "@rowhouse/access";
import type { Relation, Snapshot } from "@rowhouse/db";
import { createError, createFault, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { methodOf, type Plan } from "../plan/plan-request.ts";
import { type Projection, projectFields } from "./projection.ts";
import { Visibility, type Visible } from "./visible.ts";

declare const authorized: unique symbol;

/**
 * A plan with the grants of one principal. Only `authorizePlan` creates it, and the SQL compiler accepts nothing else.
 */
export type AuthorizedPlan = Plan & {
  readonly [authorized]: true;
  readonly read: Visible;
  /** The fields and related rows of the response. */
  readonly projection: Projection;
  /** The grants for the plan's own action. */
  readonly write: readonly EffectiveGrant[];
  /** The UPDATE grants under which a create may merge into an existing row. */
  readonly merge: readonly EffectiveGrant[];
  /** Maximum number of relations in one path. */
  readonly relationDepthMax: number;
  /** Rows of a to-many list for which the request gives no limit; null for all. */
  readonly relatedRowsMax: number | null;
};

const actions: Readonly<Record<Plan["kind"], Action>> = {
  LIST: "READ",
  AGGREGATE: "READ",
  READ: "READ",
  CREATE: "CREATE",
  UPDATE: "UPDATE",
  DELETE: "DELETE",
};

/** Returns the action that needs a grant for this kind of plan. */
export function actionOf(plan: Pick<Plan, "kind">): Action {
  return actions[plan.kind];
}

/**
 * Checks a plan against the principal's grants. A relation without any grant gives the same error as a missing one.
 *
 * @throws AppError NOT_FOUND, ACTION_DENIED, METHOD_NOT_ALLOWED, or FIELD_UNKNOWN for each field that is missing or
 * hidden from the principal
 */
export function authorizePlan(
  plan: Plan,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): AuthorizedPlan {
  const { relation } = plan;
  const action = actionOf(plan);
  const visibility = new Visibility(snapshot, principal);
  const access = visibility.accessTo(relation, action);
  if (access.kind === "UNKNOWN") throw createError("NOT_FOUND");
  requireExposed(plan);
  if (access.kind === "DENIED") throw createError("ACTION_DENIED");
  const read = visibility.of(relation);
  const write = action === "READ" ? [] : access.grants;
  if (action === "READ" && read.fields.length === 0) throw createError("ACTION_DENIED");
  const merge = mergeGrants(plan, visibility);
  requireWritable(plan, write, merge);
  const relationDepthMax = settingsOf(snapshot)["data.max_relation_depth"];
  const [fields, deep] = "deep" in plan ? [plan.fields, plan.deep] : [null, new Map()];
  const projection = projectFields(read, fields, deep, relationDepthMax);
  return Object.assign({}, plan, {
    read,
    projection,
    write,
    merge,
    relationDepthMax,
    relatedRowsMax: settingsOf(snapshot)["data.max_related_rows"],
  }) as AuthorizedPlan;
}

function requireExposed(plan: Plan): void {
  const { exposedMethods } = plan.relation.resource;
  if (exposedMethods.includes(methodOf(plan))) return;
  const isRow = plan.kind === "READ" || ("selection" in plan && plan.selection.by === "KEY");
  const allowed = exposedMethods.filter((method) => !isRow || method !== "POST");
  throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allowed.join(", ") } });
}

/** A create that merges also updates rows, so it needs the PATCH method and an UPDATE grant as well. */
function mergeGrants(plan: Plan, visibility: Visibility): readonly EffectiveGrant[] {
  if (plan.kind !== "CREATE" || plan.conflict?.resolution !== "merge") return [];
  const access = visibility.accessTo(plan.relation, "UPDATE");
  const isExposed = plan.relation.resource.exposedMethods.includes("PATCH");
  if (access.kind !== "GRANTED" || !isExposed) throw createError("ACTION_DENIED");
  return access.grants;
}

function requireWritable(
  plan: Plan,
  write: readonly EffectiveGrant[],
  merge: readonly EffectiveGrant[],
): void {
  if (plan.kind !== "CREATE" && plan.kind !== "UPDATE") return;
  const fields = new Set(plan.kind === "CREATE" ? plan.groups.flat() : plan.fields);
  const target = plan.kind === "CREATE" ? (plan.conflict?.fields ?? []) : [];
  const mayWrite = (field: string) =>
    isWritable(plan.relation, write, field) &&
    (merge.length === 0 || target.includes(field) || isWritable(plan.relation, merge, field));
  throwFaults(unwritable());
  if (target.length > 0) requireKey(plan.relation, target);

  function* unwritable(): Generator<Fault> {
    for (const field of fields) {
      if (!mayWrite(field)) {
        yield createFault("FIELD_UNKNOWN", { path: `/data/${escapePointer(field)}` });
      }
    }
    for (const field of target) {
      if (!isWritable(plan.relation, write, field)) {
        const message = `Unknown field ${field}`;
        yield createFault("FIELD_UNKNOWN", { path: "on_conflict", message });
      }
    }
  }
}

function requireKey(relation: Relation, fields: readonly string[]): void {
  const keys = relation.uniqueKeys.filter(
    ({ columns }) =>
      columns.length === fields.length && columns.every((column) => fields.includes(column)),
  );
  // PostgreSQL refuses the upsert if any unique key over these columns is deferrable.
  const isDeferrable = keys.some(({ deferrable }) => deferrable);
  if (keys.length > 0 && !isDeferrable) return;
  throw createError("QUERY_INVALID", {
    path: "on_conflict",
    message: isDeferrable
      ? "on_conflict cannot use this unique key: it is deferrable"
      : "on_conflict must list the fields of a unique key",
  });
}

/** Whether at least one grant permits a write to the field. */
export function isWritable(
  relation: Relation,
  grants: readonly EffectiveGrant[],
  field: string,
): boolean {
  const column = relation.columnByName(field);
  if (column === undefined || column.generated || column.identity === "ALWAYS") return false;
  return grants.some((grant) => covers(grant, field));
}

/** Whether one grant permits a caller to set a field. A caller cannot set a field that the grant presets. */
export function covers(grant: EffectiveGrant, field: string): boolean {
  return (grant.fields === null || grant.fields.has(field)) && !grant.presets.has(field);
}
