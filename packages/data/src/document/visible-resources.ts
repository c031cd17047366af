import type { Action, Principal } from "@rowhouse/access";
import type { Column, ColumnPair, Edge, Relation, Snapshot } from "@rowhouse/db";
import { Visibility, type Visible, type VisibleEdge } from "../authorize/visible.ts";
import { accessOf, ComponentNames } from "./relation-access.ts";

/** The part of a resource that a principal may see. */
export interface VisibleResource {
  readonly relation: Relation;
  readonly actions: readonly Action[];
  /** Whether the history of a row can be read. */
  readonly history: boolean;
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
  /** The relation with the foreign key: this one, the target, or the junction between them. */
  readonly foreignKey: Edge["foreignKey"];
  readonly target: Relation;
  readonly junction: Relation | null;
  /**
   * Pairs of columns that are equal in rows of the relation: a column here, a column of the target. Null unless the
   * principal may read all of them, and with a junction.
   */
  readonly columns: readonly JoinedColumns[] | null;
  /** Whether rows of the target are parts of a row here, as the lines of an order are; false where `columns` is null. */
  readonly part: boolean;
  /** The name of the same foreign key or junction among the relations of the target. */
  readonly inverse: string | null;
}

export interface JoinedColumns {
  readonly from: string;
  readonly to: string;
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
  return snapshot.catalogue.relations.flatMap(
    (relation) => describeResource(relation, snapshot, visibility, names) ?? [],
  );
}

/** Returns one of these resources; undefined if the principal may not know of it. */
export function visibleResource(
  relation: Relation,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): VisibleResource | undefined {
  const visibility = new Visibility(snapshot, principal);
  return describeResource(relation, snapshot, visibility, new ComponentNames());
}

function describeResource(
  relation: Relation,
  snapshot: Snapshot,
  visibility: Visibility,
  names: ComponentNames,
): VisibleResource | undefined {
  const access = accessOf(relation, snapshot, visibility, names);
  if (access === undefined) return undefined;
  const { visible, reads, history, creates, updates, deletes } = access;
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
  const relations = access.edges.flatMap(({ name }): VisibleRelation[] => {
    const edge = visible.edgeByName(name);
    return edge === undefined ? [] : [describeEdge(visible, edge, snapshot)];
  });
  return { relation, actions, history, columns, relations };
}

/** Whether a resource is among the visible ones of a principal. */
export function isVisibleResource(
  resourceId: string,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): boolean {
  const relation = snapshot.catalogue.relationByResource(resourceId.toLowerCase());
  if (relation === undefined) return false;
  const visibility = new Visibility(snapshot, principal);
  return accessOf(relation, snapshot, visibility, new ComponentNames()) !== undefined;
}

function describeEdge(visible: Visible, found: VisibleEdge, snapshot: Snapshot): VisibleRelation {
  const { edge, target } = found;
  const { name, kind, foreignKey } = edge;
  const pairs = edge.foreignKey === "JUNCTION" ? [] : edge.columns;
  const areReadable = pairs.every(
    ([own, other]) =>
      visible.fieldByName(own) !== undefined && target.fieldByName(other) !== undefined,
  );
  return {
    ...{ name, kind, foreignKey },
    target: target.relation,
    junction: found.junction?.relation ?? null,
    columns: pairs.length > 0 && areReadable ? pairs.map(([from, to]) => ({ from, to })) : null,
    part: edge.foreignKey === "TARGET" && edge.isPart && areReadable,
    inverse: inverseOf(visible, found, snapshot),
  };
}

/** Of several foreign keys over the same columns, all inverses lead to the same rows; the first one is named. */
function inverseOf(
  { relation }: Visible,
  { edge, target }: VisibleEdge,
  snapshot: Snapshot,
): string | null {
  const { byName } = snapshot.catalogue.edgesOf(target.relation);
  for (const [name, back] of byName) {
    const isSame = back.target.oid === relation.oid && isInverse(edge, back);
    if (isSame && target.edgeByName(name) !== undefined) return name;
  }
  return null;
}

function isInverse(edge: Edge, back: Edge): boolean {
  if (edge.foreignKey === "JUNCTION") {
    return (
      back.foreignKey === "JUNCTION" &&
      edge.junction.oid === back.junction.oid &&
      areReversed(edge.near, back.far) &&
      areReversed(edge.far, back.near)
    );
  }
  if (back.foreignKey === "JUNCTION" || edge.foreignKey === back.foreignKey) return false;
  return areReversed(edge.columns, back.columns);
}

function areReversed(pairs: readonly ColumnPair[], others: readonly ColumnPair[]): boolean {
  return (
    pairs.length === others.length &&
    pairs.every(([own, other], index) => {
      const pair = others[index];
      return pair?.[0] === other && pair[1] === own;
    })
  );
}
