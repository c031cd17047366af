import type { Catalogue, Column, Edge, Relation } from "@rowhouse/db";

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
  edges: readonly Edge[] = [],
): GrantPath | undefined {
  const column = relation.columnByName(path);
  if (column !== undefined) return { edges, column, relation };
  if (edges.length >= depthMax) return undefined;
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const edge = catalogue.edgesOf(relation).byName.get(path.slice(0, dot));
    if (edge === undefined) continue;
    const found = resolveGrantPath(catalogue, edge.target, path.slice(dot + 1), [...edges, edge]);
    if (found !== undefined) return found;
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
  const edges = catalogue.edgesOf(relation).byName;
  const only = edges.get(path);
  if (only !== undefined) return [only];
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const edge = edges.get(path.slice(0, dot));
    if (edge === undefined) continue;
    const rest = resolveGrantEdges(catalogue, edge.target, path.slice(dot + 1));
    if (rest !== undefined) return [edge, ...rest];
  }
  return undefined;
}
