import type { Catalogue, Column, Edge, Relation } from "@rowhouse/db";
import { isBoundedPath, walkPath } from "./walk-path.ts";

/** A column in a grant, of the grant's own relation or of a related one. */
export interface GrantPath {
  readonly edges: readonly Edge[];
  readonly column: Column;
  /** The relation that the column belongs to. */
  readonly relation: Relation;
}

/** Maximum number of edges in a path. */
const depthMax = 5;

/**
 * Resolves a path in a grant. Administrators write grants, so a path may name every relation and column, independent
 * of the grant's role. A column whose name contains dots takes precedence over an equal path.
 */
export function resolveGrantPath(
  catalogue: Catalogue,
  relation: Relation,
  path: string,
): GrantPath | undefined {
  const own = relation.columnByName(path);
  if (own !== undefined) return { edges: [], column: own, relation };
  for (const { steps, target, end } of relationsOn(catalogue, relation, path)) {
    const column = target.columnByName(path.slice(end + 1));
    if (column !== undefined) return { edges: steps, column, relation: target };
  }
  return undefined;
}

/** Returns the number of edges that two paths from one relation share at their beginning. */
export function sharedEdges(one: readonly Edge[], other: readonly Edge[]): number {
  const differs = one.findIndex((edge, index) => edge !== other[index]);
  return differs < 0 ? one.length : differs;
}

/** Resolves a path to a relation in a grant. */
export function resolveGrantEdges(
  catalogue: Catalogue,
  relation: Relation,
  path: string,
): readonly Edge[] | undefined {
  return relationsOn(catalogue, relation, path).find(({ end }) => end === path.length)?.steps;
}

function relationsOn(catalogue: Catalogue, relation: Relation, path: string) {
  if (!isBoundedPath(path)) return [];
  return walkPath<Edge, Relation>(path, relation, depthMax, (node, name) =>
    catalogue.edgesOf(node).byName.get(name),
  ).found;
}
