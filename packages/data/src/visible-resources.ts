import type { Action, Principal } from "@rowhouse/access";
import type { Column, Relation, Snapshot } from "@rowhouse/db";
import { Visibility } from "./authorize/visible.ts";
import { ComponentNames } from "./document/component-names.ts";
import { accessOf } from "./document/relation-access.ts";

/** The part of a resource that a principal may see. */
export interface VisibleResource {
  readonly relation: Relation;
  readonly actions: readonly Action[];
  readonly columns: readonly VisibleColumn[];
  readonly relations: readonly VisibleRelation[];
}

export interface VisibleColumn {
  readonly column: Column;
  readonly readable: boolean;
  readonly creatable: boolean;
  readonly updatable: boolean;
  /** Whether a create must include the column. */
  readonly required: boolean;
}

export interface VisibleRelation {
  readonly name: string;
  readonly kind: "ONE" | "MANY";
  readonly target: Relation;
}

/**
 * Lists the exposed resources on which a principal has at least one action, with the granted actions, columns and
 * relations. The result names nothing else.
 */
export function visibleResources(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): VisibleResource[] {
  const visibility = new Visibility(snapshot, principal);
  const names = new ComponentNames();
  return snapshot.catalogue.relations.flatMap((relation) => {
    const access = accessOf(relation, snapshot, visibility, names);
    if (access === undefined) return [];
    const { visible, reads, creates, updates, deletes } = access;
    const actions: Action[] = [];
    if (reads) actions.push("READ");
    if (creates !== null) actions.push("CREATE");
    if (updates !== null) actions.push("UPDATE");
    if (deletes) actions.push("DELETE");
    const columns = relation.columns.flatMap((column): VisibleColumn[] => {
      const readable = reads && visible.fieldByName(column.name) !== undefined;
      const created = creates?.find((field) => field.column === column);
      const updatable = updates?.some((field) => field.column === column) === true;
      if (!readable && created === undefined && !updatable) return [];
      const required = created?.required === true;
      return [{ column, readable, creatable: created !== undefined, updatable, required }];
    });
    const relations = access.edges.flatMap(({ name, kind }) => {
      const target = visible.edgeByName(name)?.target.relation;
      return target === undefined ? [] : [{ name, kind, target }];
    });
    return [{ relation, actions, columns, relations }];
  });
}
