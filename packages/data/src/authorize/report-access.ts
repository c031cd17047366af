import type { Action, EffectiveGrant, Principal } from "@rowhouse/access";
import type { Method, Relation, Snapshot } from "@rowhouse/db";
import { covers, isWritable } from "./authorize-write.ts";
import { Visibility, type Visible } from "./visible.ts";

/** One action on a relation: whether a principal has it, and in which rows and fields. */
export interface ActionReport {
  readonly action: Action;
  readonly isGranted: boolean;
  /** Whether the resource exposes the action's method; a request needs the exposure and the grant. */
  readonly isExposed: boolean;
  /** The ids of the grants that apply; empty for members of Administrators, who need no grant. */
  readonly grantIds: string[];
  /** Whether the action applies to every row; otherwise only to rows that one of the grants allows. */
  readonly everyRow: boolean;
  /** The fields that the action covers; empty for DELETE, which removes whole rows. */
  readonly fields: FieldReport[];
}

export interface FieldReport {
  readonly name: string;
  readonly grantIds: string[];
  /** Whether the field is available in every row that the action covers. */
  readonly everyRow: boolean;
}

const methodOfAction: Readonly<Record<Action, Method>> = {
  READ: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};

/** Reports a principal's access to a relation, one entry per action; a view has READ only. */
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

/** Lists the fields of a relation that a principal may read. */
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

/** Returns the ids of grants. The implicit grant of Administrators has no id and is omitted. */
export function idsOf(grants: readonly EffectiveGrant[]): string[] {
  return grants.flatMap((grant) => grant.id ?? []);
}

/** A check restricts new rows; a row filter restricts existing rows. */
function isForEveryRow(grant: EffectiveGrant, action: Action): boolean {
  return action === "CREATE" ? grant.check === null : grant.filter === null;
}
