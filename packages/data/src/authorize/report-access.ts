import type { Action, EffectiveGrant, Principal } from "@rowhouse/access";
import type { Method, Relation, Snapshot } from "@rowhouse/db";
import { covers, isWritable } from "./authorize-plan.ts";
import { Visibility, type Visible } from "./visible.ts";

/** What a principal may do with a relation in one way, as the engine adds it up. */
export interface ActionReport {
  readonly action: Action;
  readonly isGranted: boolean;
  /** Whether the resource exposes the action's method; both it takes. */
  readonly isExposed: boolean;
  /** The ids of the grants that count; none for members of Administrators, who need none. */
  readonly grantIds: string[];
  /** Whether it holds for every row; else for those that one of the grants allows. */
  readonly everyRow: boolean;
  /** The fields that it reaches; none for DELETE, which takes rows whole. */
  readonly fields: FieldReport[];
}

export interface FieldReport {
  readonly name: string;
  readonly grantIds: string[];
  /** Whether it is there in every row that the action reaches. */
  readonly everyRow: boolean;
}

const methodOfAction: Readonly<Record<Action, Method>> = {
  READ: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};

/** What a principal may do with a relation, action by action; a view has one. */
export function reportAccess(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
  relation: Relation,
): ActionReport[] {
  const visibility = new Visibility(snapshot, principal);
  const actions: readonly Action[] =
    relation.resource.kind === "VIEW" ? ["READ"] : ["READ", "CREATE", "UPDATE", "DELETE"];
  return actions.map((action) => {
    const access = visibility.accessTo(relation, action);
    const grants = access.kind === "GRANTED" ? access.grants : [];
    const fields =
      action === "READ"
        ? readableFields(visibility.of(relation))
        : action === "DELETE"
          ? []
          : writableFields(relation, grants, action);
    return {
      action,
      isGranted: grants.length > 0,
      isExposed: relation.resource.exposedMethods.includes(methodOfAction[action]),
      grantIds: idsOf(grants),
      everyRow: grants.some((grant) => isForEveryRow(grant, action)),
      fields,
    };
  });
}

/** The fields that a principal reads of a relation. */
export function readableFields(visible: Visible): FieldReport[] {
  return visible.fields.map(({ column, grants, rows }) => ({
    name: column.name,
    grantIds: idsOf(grants),
    everyRow: rows === null,
  }));
}

function writableFields(
  relation: Relation,
  grants: readonly EffectiveGrant[],
  action: Action,
): FieldReport[] {
  return relation.columns
    .filter((column) => isWritable(relation, grants, column.name))
    .map(({ name }) => {
      const covering = grants.filter((grant) => covers(grant, name));
      return {
        name,
        grantIds: idsOf(covering),
        everyRow: covering.some((grant) => isForEveryRow(grant, action)),
      };
    });
}

/** The ids of grants; what members of Administrators have without a grant has none. */
export function idsOf(grants: readonly EffectiveGrant[]): string[] {
  return grants.flatMap((grant) => grant.id ?? []);
}

/** A new row is judged by the check, one that is there by the row filter. */
function isForEveryRow(grant: EffectiveGrant, action: Action): boolean {
  return action === "CREATE" ? grant.check === null : grant.filter === null;
}
