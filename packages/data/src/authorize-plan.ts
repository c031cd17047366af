import {
  type Access,
  type Action,
  accessTo,
  type EffectiveGrant,
  type ParsedFilter,
  type Principal,
} from "@rowhouse/access";
import { type Column, escapePointer, type Relation, type Snapshot } from "@rowhouse/db";
import { type AppError, createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { methodOf, type Plan } from "./plan-request.ts";

declare const authorized: unique symbol;

/** A plan under the grants of one principal: stage 3, and the only way to stage 4. */
export type AuthorizedPlan = Plan & {
  readonly [authorized]: true;
  readonly read: Visible;
  readonly write: readonly EffectiveGrant[];
};

/** What a principal may read of a relation. */
export interface Visible {
  /** The filters of which one must match a row; null where every row is readable; none where no row is. */
  readonly rows: readonly ParsedFilter[] | null;
  /** How a column shows, or undefined where the principal may not know of it. */
  fieldByName(name: string): VisibleField | undefined;
  readonly fields: readonly VisibleField[];
}

export interface VisibleField {
  readonly column: Column;
  /** The filters of which one must match for the field to show in a row; null where it shows in every readable row. */
  readonly rows: readonly ParsedFilter[] | null;
}

const actions: Readonly<Record<Plan["kind"], Action>> = {
  LIST: "READ",
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
  const access = accessTo(snapshot, principal, relation, action);
  if (access.kind === "UNKNOWN") throw createError("NOT_FOUND");
  requireExposed(plan);
  if (access.kind === "DENIED") throw createError("ACTION_DENIED");
  const read = visibleOf(
    relation,
    action === "READ" ? access : accessTo(snapshot, principal, relation, "READ"),
  );
  const write = action === "READ" ? [] : access.grants;
  requireFields(plan, read, write);
  return Object.assign({}, plan, { read, write }) as AuthorizedPlan;
}

function requireExposed(plan: Plan): void {
  const { exposedMethods } = plan.relation.resource;
  if (exposedMethods.includes(methodOf(plan))) return;
  // A collection takes GET and POST, a row the others as well.
  const path =
    plan.kind === "LIST" || plan.kind === "CREATE" ? ["GET", "POST"] : ["GET", "PATCH", "DELETE"];
  const allowed = exposedMethods.filter((method) => path.includes(method));
  throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allowed.join(", ") } });
}

function requireFields(plan: Plan, read: Visible, write: readonly EffectiveGrant[]): void {
  const faults: Fault[] = [];
  if (plan.kind === "LIST" || plan.kind === "READ") {
    for (const field of plan.fields ?? []) {
      if (field !== "*" && read.fieldByName(field) === undefined) {
        faults.push(
          createFault("FIELD_UNKNOWN", { path: "fields", message: `Unknown field ${field}` }),
        );
      }
    }
    if (read.fields.length === 0) throw createError("ACTION_DENIED");
  }
  if (plan.kind === "CREATE" || plan.kind === "UPDATE") {
    for (const field of plan.fields) {
      if (!isWritable(plan.relation, write, field)) faults.push(unknownField(field));
    }
  }
  throwFaults(faults);
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

function unknownField(field: string): Fault {
  return createFault("FIELD_UNKNOWN", { path: `/data/${escapePointer(field)}` });
}

/** The error for a field in a query that does not exist or is not the caller's: the same for both. */
export function fieldUnknown(path: string): AppError {
  return createError("FIELD_UNKNOWN", { path });
}

function visibleOf(relation: Relation, access: Access): Visible {
  const grants = access.kind === "GRANTED" ? access.grants : [];
  const fields = new Map<string, VisibleField>();
  for (const column of relation.columns) {
    const listing = grants.filter(
      (grant) => grant.fields === null || grant.fields.has(column.name),
    );
    if (listing.length === 0) continue;
    const rows = listing.length === grants.length ? null : filtersOf(listing);
    fields.set(column.name, { column, rows });
  }
  return {
    rows: filtersOf(grants),
    fields: [...fields.values()],
    fieldByName: (name) => fields.get(name),
  };
}

/** Null where one of the grants has no filter, and so every row matches. */
function filtersOf(grants: readonly EffectiveGrant[]): readonly ParsedFilter[] | null {
  const filters = grants.flatMap((grant) => grant.filter ?? []);
  return filters.length < grants.length ? null : filters;
}
