import type { Catalogue, Column, Edge, Relation } from "@rowhouse/db";

/** A column that a grant names, of its own relation or of one related to it. */
export interface GrantPath {
  readonly edges: readonly Edge[];
  readonly column: Column;
  /** The relation that the column belongs to. */
  readonly relation: Relation;
}

/** Edges that a path crosses at most. */
const depthMax = 5;

/**
 * Finds what a grant's path means. Administrators wrote it: it may name every relation and column, whoever it is for. A
 * column whose own name holds dots comes before a path that reads the same.
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

/** Finds the relation that a grant's path names. */
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
