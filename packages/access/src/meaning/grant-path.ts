import type { Catalogue, Column, Edge, Relation } from "@rowhouse/db";
import { looseNames, wholeName } from "../filter/language/written-name.ts";
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
 *
 * @param written with or without the marks of `readPath`
 */
export function resolveGrantPath(
  catalogue: Catalogue,
  relation: Relation,
  written: string,
): GrantPath | undefined {
  const path = looseNames(written);
  const columnOf = (of: Relation, part: string) => {
    const name = wholeName(part);
    return name === undefined ? undefined : of.columnByName(name);
  };
  const own = columnOf(relation, path);
  if (own !== undefined) return { edges: [], column: own, relation };
  for (const { steps, target, end } of relationsOn(catalogue, relation, path)) {
    const column = columnOf(target, path.slice(end + 1));
    if (column !== undefined) return { edges: steps, column, relation: target };
  }
  return undefined;
}

/** Whether two paths cross the same relations to the same column. */
export function isSameEnd(one: GrantPath, other: GrantPath | undefined): boolean {
  return (
    other !== undefined &&
    one.column === other.column &&
    one.edges.length === other.edges.length &&
    sharedEdges(one.edges, other.edges) === one.edges.length
  );
}

/** Returns the number of edges that two paths from one relation share at their beginning. */
export function sharedEdges(one: readonly Edge[], other: readonly Edge[]): number {
  const differs = one.findIndex((edge, index) => edge !== other[index]);
  return differs < 0 ? one.length : differs;
}

export function resolveGrantEdges(
  catalogue: Catalogue,
  relation: Relation,
  written: string,
): readonly Edge[] | undefined {
  const path = looseNames(written);
  return relationsOn(catalogue, relation, path).find(({ end }) => end === path.length)?.steps;
}

function relationsOn(catalogue: Catalogue, relation: Relation, path: string) {
  if (!isBoundedPath(path)) return [];
  return walkPath<Edge, Relation>(path, relation, depthMax, (node, part) => {
    const name = wholeName(part);
    return name === undefined ? undefined : catalogue.edgesOf(node).byName.get(name);
  }).found;
}
