import { createError } from "@rowhouse/errors";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

/** A field of a relation or of one related to it, for a principal who may know of all of it. */
export interface FieldPath {
  readonly edges: readonly VisibleEdge[];
  readonly field: VisibleField;
}

/** A way to a related relation. */
export interface RelationPath {
  readonly edges: readonly VisibleEdge[];
  readonly target: Visible;
}

export interface PathOptions {
  /** Where the path was written, for faults. */
  readonly parameter: string;
  /** Edges at most (contract §3, relation depth). */
  readonly depthMax: number;
}

/**
 * Finds what a path means. A column whose own name holds dots comes before a path that reads the same.
 *
 * @throws AppError FIELD_UNKNOWN where there is no such field for the principal, QUERY_INVALID where a relation's name is
 * ambiguous (with the choices that the principal may know of) or the path is too long
 */
export function resolveField(visible: Visible, path: string, options: PathOptions): FieldPath {
  const field = visible.fieldByName(path);
  if (field !== undefined) return { edges: [], field };
  const found = walk(visible, path, options, [], (last, rest) => last.fieldByName(rest));
  if (found === undefined) throw unknown(path, options);
  return { edges: found.edges, field: found.result };
}

/** Finds the relation that a path names; the same errors as `resolveField`. */
export function resolveRelation(
  visible: Visible,
  path: string,
  options: PathOptions,
): RelationPath {
  const edge = edgeOf(visible, path, options);
  if (edge !== undefined) {
    requireDepth([edge], options);
    return { edges: [edge], target: edge.target };
  }
  const found = walk(visible, path, options, [], (last, rest) => edgeOf(last, rest, options));
  if (found === undefined) throw unknown(path, options);
  const edges = [...found.edges, found.result];
  requireDepth(edges, options);
  return { edges, target: found.result.target };
}

function requireDepth(edges: readonly VisibleEdge[], options: PathOptions): void {
  if (edges.length <= options.depthMax) return;
  throw createError("QUERY_INVALID", {
    path: options.parameter,
    message: `A path crosses at most ${options.depthMax} relations`,
  });
}

function walk<Result>(
  visible: Visible,
  path: string,
  options: PathOptions,
  edges: readonly VisibleEdge[],
  finish: (last: Visible, rest: string) => Result | undefined,
): { readonly edges: readonly VisibleEdge[]; readonly result: Result } | undefined {
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const edge = edgeOf(visible, path.slice(0, dot), options);
    if (edge === undefined) continue;
    const rest = path.slice(dot + 1);
    const inner = [...edges, edge];
    requireDepth(inner, options);
    const result = finish(edge.target, rest);
    if (result !== undefined) return { edges: inner, result };
    const deeper = walk(edge.target, rest, options, inner, finish);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function edgeOf(visible: Visible, name: string, options: PathOptions): VisibleEdge | undefined {
  const edge = visible.edgeByName(name);
  if (edge !== undefined) return edge;
  const choices = visible.choicesOf(name);
  if (choices.length === 0) return undefined;
  throw createError("QUERY_INVALID", {
    path: options.parameter,
    message: `${name} is ambiguous; choose one of ${choices.join(", ")}`,
  });
}

function unknown(path: string, options: PathOptions): Error {
  return createError("FIELD_UNKNOWN", {
    path: options.parameter,
    message: `Unknown field ${path}`,
  });
}
