import type { EffectiveGrant } from "@rowhouse/access";
import type { Column, Relation, Snapshot } from "@rowhouse/db";
import { covers, isWritable } from "../authorize/authorize-plan.ts";
import type { Visibility, Visible } from "../authorize/visible.ts";
import type { ComponentNames } from "./component-names.ts";
import type { DocumentedEdge } from "./filter-schemas.ts";

/** What a reader of the document may do with a relation, in the terms of a document. */
export interface RelationAccess {
  readonly relation: Relation;
  /** Its name among the components. */
  readonly name: string;
  /** What its rows show, and to whom they answer. */
  readonly visible: Visible;
  readonly edges: readonly DocumentedEdge[];
  /** The columns of the primary key; none where its rows have no address. */
  readonly key: readonly Column[];
  readonly reads: boolean;
  /** The fields that a create or an update may set; null where the reader may do neither. */
  readonly creates: readonly WritableField[] | null;
  readonly updates: readonly WritableField[] | null;
  readonly deletes: boolean;
}

export interface WritableField {
  readonly column: Column;
  /** Whether a new row needs it from the caller. */
  readonly required: boolean;
}

/** What a principal may do with a relation; undefined for one that it may not know of, or that takes no request of it. */
export function accessOf(
  relation: Relation,
  snapshot: Snapshot,
  visibility: Visibility,
  names: ComponentNames,
): RelationAccess | undefined {
  const { exposedMethods, kind } = relation.resource;
  const isTable = kind === "TABLE";
  const visible = visibility.of(relation);
  const grantsFor = (
    action: "CREATE" | "UPDATE" | "DELETE",
    method: (typeof exposedMethods)[number],
  ): readonly EffectiveGrant[] | null => {
    if (!isTable || !exposedMethods.includes(method)) return null;
    const access = visibility.accessTo(relation, action);
    return access.kind === "GRANTED" ? access.grants : null;
  };
  const reads = exposedMethods.includes("GET") && visible.fields.length > 0;
  const create = grantsFor("CREATE", "POST");
  const update = grantsFor("UPDATE", "PATCH");
  const deletes = grantsFor("DELETE", "DELETE") !== null;
  if (!reads && create === null && update === null && !deletes) return undefined;
  const key = relation.primaryKey.flatMap((column) => relation.columnByName(column) ?? []);
  return {
    relation,
    name: names.of(relation),
    visible,
    edges: reads ? edgesOf(relation, snapshot, visible, names) : [],
    key: key.length === relation.primaryKey.length ? key : [],
    reads,
    creates: create === null ? null : writableFields(relation, create),
    updates: update === null ? null : writableFields(relation, update),
    deletes,
  };
}

function edgesOf(
  relation: Relation,
  snapshot: Snapshot,
  visible: Visible,
  names: ComponentNames,
): DocumentedEdge[] {
  if (relation.resource.kind === "VIEW") return [];
  const { byName } = snapshot.catalogue.edgesOf(relation);
  return [...byName.keys()].flatMap((name) => {
    const found = visible.edgeByName(name);
    if (found === undefined) return [];
    return [{ name, kind: found.edge.kind, target: names.of(found.target.relation) }];
  });
}

function writableFields(relation: Relation, grants: readonly EffectiveGrant[]): WritableField[] {
  return relation.columns
    .filter((column) => isWritable(relation, grants, column.name))
    .map((column) => ({
      column,
      required:
        !column.nullable &&
        !column.hasDefault &&
        column.identity === null &&
        // Where one grant presets it and another does not, it may be left out.
        grants.every((grant) => covers(grant, column.name) || !grant.presets.has(column.name)),
    }));
}
