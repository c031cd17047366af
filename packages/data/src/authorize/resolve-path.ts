import {
  documentKeysMax,
  documentKeysOf,
  type Filter,
  type FilterResolver,
  isBoundedPath,
  isDocument,
  looseNames,
  pathLengthMax,
  pathNamesMax,
  plainPath,
  resolveFilter,
  type WalkedPath,
  walkPath,
  wholeName,
} from "@rowhouse/access";
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
 * Resolves a path to a field. A column whose name contains dots takes precedence over a path of the same text, unless quotes
 * or the keys of a filter separate its names.
 *
 * @param written the path as `readPath` returns it
 * @throws AppError FIELD_UNKNOWN if the field is missing or hidden from the principal, QUERY_INVALID if the path is
 * too deep or a relation's name is ambiguous (with the choices visible to the principal)
 */
function resolveField(visible: Visible, written: string, options: PathOptions): FieldPath {
  const path = looseNames(written);
  const own = namedField(visible, path);
  if (own !== undefined) return { edges: [], field: own };
  const dot = path.lastIndexOf(".");
  if (dot < 0) throw unknownField(plainPath(path), options.parameter);
  const { found, fault } = relationsOn(visible, path.slice(0, dot), options);
  for (const { steps, target, end } of found) {
    const field = namedField(target, path.slice(end + 1));
    if (field !== undefined) return { edges: steps, field };
  }
  throw fault ?? unknownField(plainPath(path), options.parameter);
}

/** Returns the field that a path of `readPath`, or a part of one, names as a whole. */
export function namedField(visible: Visible, path: string): VisibleField | undefined {
  const name = wholeName(path);
  return name === undefined ? undefined : visible.fieldByName(name);
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
  const found = resolveDocument(visible, path, options) ?? resolveField(visible, path, options);
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
): Required<FieldPath> | undefined {
  if (!path.includes(".") || namedField(visible, path) !== undefined) return undefined;
  const { found } = relationsOn(visible, path, options);
  for (const { steps, target, end } of [{ steps: [], target: visible, end: -1 }, ...found]) {
    const document = documentAt(target, path.slice(end + 1), options);
    if (document !== undefined) return { edges: steps, ...document };
  }
  return undefined;
}

/** Maximum number of characters of a column's name in a path of `readPath`. */
const columnLengthMax = 126;

function documentAt(
  visible: Visible,
  path: string,
  options: PathOptions,
): { readonly field: VisibleField; readonly inside: readonly string[] } | undefined {
  const before = (end: number) => path.lastIndexOf(".", end);
  for (let dot = before(columnLengthMax); dot > 0; dot = before(dot - 1)) {
    const field = namedField(visible, path.slice(0, dot));
    if (field === undefined || !isDocument(field.column.type)) continue;
    const inside = documentKeysOf(path.slice(dot + 1));
    if (inside === undefined || visible.edgeByName(field.column.name) !== undefined) continue;
    if (inside.length <= documentKeysMax) return { field, inside };
    const message = `A path into a document has at most ${documentKeysMax} keys`;
    throw createError("QUERY_INVALID", { path: options.parameter, message });
  }
  return undefined;
}

/** Resolves a path to a relation, with the same errors as `resolveField`. */
export function resolveRelation(
  visible: Visible,
  written: string,
  options: PathOptions,
): RelationPath {
  const path = looseNames(written);
  const { found, fault } = relationsOn(visible, path, options);
  const whole = found.find(({ end }) => end === path.length);
  if (whole === undefined) throw fault ?? unknownField(plainPath(path), options.parameter);
  return { edges: whole.steps, target: whole.target };
}

/** The relations at the beginning of a path, and why there are no others that the path may mean. */
export interface VisibleRelations {
  readonly found: WalkedPath<VisibleEdge, Visible>["found"];
  /** QUERY_INVALID for a path that is too deep, or for a name that is ambiguous. */
  readonly fault: AppError | undefined;
}

/**
 * Finds the visible relations that a path crosses.
 *
 * @param path with or without the marks of `readPath`
 * @throws AppError QUERY_INVALID for a path that is too long
 */
export function relationsOn(
  visible: Visible,
  path: string,
  options: PathOptions,
): VisibleRelations {
  const { parameter, depthMax } = options;
  if (!isBoundedPath(path)) {
    const message = `A path has at most ${pathNamesMax} names and ${pathLengthMax} characters`;
    throw createError("QUERY_INVALID", { path: parameter, message });
  }
  let fault: AppError | undefined;
  const { found, isTooDeep } = walkPath<VisibleEdge, Visible>(
    path,
    visible,
    depthMax,
    (node, written) => {
      const name = wholeName(written);
      if (name === undefined) return undefined;
      const edge = node.edgeByName(name);
      if (edge === undefined) fault ??= ambiguous(name, node.choicesOf(name), parameter);
      return edge;
    },
  );
  if (isTooDeep) fault ??= tooDeep(options);
  return { found, fault };
}

/** @throws AppError QUERY_INVALID for a path that crosses too many relations */
export function requireDepth(edges: readonly unknown[], options: PathOptions): void {
  if (edges.length > options.depthMax) throw tooDeep(options);
}

function tooDeep({ parameter, depthMax }: PathOptions): AppError {
  const message = `A path crosses at most ${depthMax} relations`;
  return createError("QUERY_INVALID", { path: parameter, message });
}

function ambiguous(
  name: string,
  choices: readonly string[],
  parameter: string,
): AppError | undefined {
  if (choices.length === 0) return undefined;
  const message = `${name} is ambiguous; choose one of ${choices.join(", ")}`;
  return createError("QUERY_INVALID", { path: parameter, message });
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

/** A filter whose every field and relation the principal may read. */
export type VisibleFilter = Filter<FieldPath, RelationPath>;

/**
 * Resolves the names in a caller's filter.
 *
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID as `resolveField` does
 */
export function visibleFilter(filter: Filter, visible: Visible, depthMax: number): VisibleFilter {
  return resolveFilter(filter, resolverOf(visible, depthMax));
}

function resolverOf(visible: Visible, depthMax: number): FilterResolver<FieldPath, RelationPath> {
  return {
    field: (name, parameter) => resolveField(visible, name, { parameter, depthMax }),
    relation: (name, parameter) => {
      const relation = resolveRelation(visible, name, { parameter, depthMax });
      return { relation, inner: resolverOf(relation.target, depthMax) };
    },
  };
}
