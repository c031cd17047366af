import { documentKeysMax, isDocument, keysOf, plainPath } from "@rowhouse/access";
import { AppError, createError, createFault, type Fault } from "@rowhouse/errors";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

/** A field of a relation or of a related one, where the principal may see every step. */
export interface FieldPath {
  readonly edges: readonly VisibleEdge[];
  readonly field: VisibleField;
  /** The keys that lead to a value inside the field's document; undefined for the field itself. */
  readonly inside?: readonly string[];
}

/** The edges from a relation to a related one. */
export interface RelationPath {
  readonly edges: readonly VisibleEdge[];
  readonly target: Visible;
}

export interface PathOptions {
  /** The request parameter that contains the path; errors name it. */
  readonly parameter: string;
  /** Maximum number of edges: the setting `data.max_relation_depth`. */
  readonly depthMax: number;
}

/**
 * Resolves a path to a field. A column whose name contains dots takes precedence over a path of the same text.
 *
 * @throws AppError FIELD_UNKNOWN if the field is missing or hidden from the principal, QUERY_INVALID if the path is
 * too deep or a relation's name is ambiguous (with the choices visible to the principal)
 */
export function resolveField(visible: Visible, path: string, options: PathOptions): FieldPath {
  const field = visible.fieldByName(path);
  if (field !== undefined) return { edges: [], field };
  const found = walk(visible, path, options, [], (last, rest) => last.fieldByName(rest));
  if (found === undefined) throw unknownField(path, options.parameter);
  return { edges: found.edges, field: found.result };
}

/** Resolves a path to a field, with the same errors; undefined if the path crosses a to-many relation. */
export function resolveToOne(
  visible: Visible,
  path: string,
  options: PathOptions,
): FieldPath | undefined {
  const found = resolveField(visible, path, options);
  return isToOne(found) ? found : undefined;
}

function isToOne({ edges }: FieldPath): boolean {
  return edges.every(({ edge }) => edge.kind === "ONE");
}

/**
 * Resolves a path to a field or to a value inside its document, with the same errors; undefined if the path crosses a to-many
 * relation.
 *
 * @param path as `readPath` returns it
 */
export function resolveToOneValue(
  visible: Visible,
  path: string,
  options: PathOptions,
): FieldPath | undefined {
  const found =
    resolveDocument(visible, path, options) ?? resolveField(visible, plainPath(path), options);
  return isToOne(found) ? found : undefined;
}

/**
 * Resolves a path to a value inside a document; undefined if the path leads to a field, or to no document that the principal
 * may see. A relation takes precedence over a document of its name.
 *
 * @param path as `readPath` returns it
 * @throws AppError QUERY_INVALID if the path is too deep
 */
export function resolveDocument(
  visible: Visible,
  path: string,
  options: PathOptions,
  edges: readonly VisibleEdge[] = [],
): Required<FieldPath> | undefined {
  if (visible.fieldByName(plainPath(path)) !== undefined) return undefined;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = plainPath(path.slice(0, dot));
    const field = visible.fieldByName(name);
    if (field === undefined || !isDocument(field.column.type)) continue;
    const inside = keysOf(path.slice(dot + 1));
    if (inside === undefined || visible.edgeByName(name) !== undefined) continue;
    if (inside.length <= documentKeysMax) return { edges, field, inside };
    const message = `A path into a document has at most ${documentKeysMax} keys`;
    throw createError("QUERY_INVALID", { path: options.parameter, message });
  }
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const edge = visible.edgeByName(plainPath(path.slice(0, dot)));
    if (edge === undefined) continue;
    const inner = [...edges, edge];
    requireDepth(inner, options);
    const found = resolveDocument(edge.target, path.slice(dot + 1), options, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Resolves a path to a relation, with the same errors as `resolveField`. */
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
  if (found === undefined) throw unknownField(path, options.parameter);
  const edges = [...found.edges, found.result];
  requireDepth(edges, options);
  return { edges, target: found.result.target };
}

/** @throws AppError QUERY_INVALID for a path that crosses too many relations */
export function requireDepth(edges: readonly unknown[], options: PathOptions): void {
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

/**
 * Creates the error for a field that is missing or hidden from the principal.
 *
 * @param field as the caller wrote it
 */
export function unknownField(field: string, path: string): AppError {
  return new AppError([unknownFieldFault(field, path)]);
}

export function unknownFieldFault(field: string, path: string): Fault {
  return createFault("FIELD_UNKNOWN", {
    path,
    message: `Unknown field ${field}`,
    details: { field },
  });
}
