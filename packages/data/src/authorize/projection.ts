import { AppError, createError, type Fault, throwFaults } from "@rowhouse/errors";
import { termsMax } from "../parse/parse-aggregate.ts";
import type { DeepRequest } from "../parse/request.ts";
import type { AggregateResult } from "./aggregate-result.ts";
import { resolveNumber } from "./child-numbers.ts";
import { type PathOptions, resolveRelation, unknownField } from "./resolve-path.ts";
import { type SortKey, sortKeys } from "./sort-keys.ts";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";
import { type VisibleFilter, visibleFilter } from "./visible-filter.ts";

/** The fields and related rows that a response includes for each row. */
export interface Projection {
  readonly visible: Visible;
  readonly fields: readonly VisibleField[];
  readonly related: readonly RelatedProjection[];
}

export interface RelatedProjection {
  readonly name: string;
  readonly edge: VisibleEdge;
  readonly projection: Projection;
  /** The rows of a to-many relation; null for a to-one relation. */
  readonly rows: RelatedRows | null;
  /** The numbers that take the place of the rows of a to-many relation; null for the rows. */
  readonly numbers: readonly AggregateResult[] | null;
}

/** The rows of a to-many relation that a list shows, by the `deep` parameter for it. */
export interface RelatedRows {
  readonly where: VisibleFilter | null;
  readonly order: readonly SortKey[];
  /** Maximum number of rows; null if the request gives none. */
  readonly limit: number | null;
}

interface Draft {
  readonly visible: Visible;
  readonly fields: Map<string, VisibleField>;
  readonly related: Map<string, { readonly edge: VisibleEdge; readonly draft: Draft }>;
  /** Numbers of the rows, by the names of their results. */
  readonly numbers: Map<string, AggregateResult>;
}

/**
 * Resolves a list of paths to fields and relations; null stands for every field of the relation itself.
 *
 * @throws AppError FIELD_UNKNOWN for every path that is missing or hidden from the principal, QUERY_INVALID for a path
 * that is ambiguous or too deep, for a field requested beside the relation of the same name, and for a `deep` path
 * outside `fields`
 */
export function projectFields(
  visible: Visible,
  paths: readonly string[] | null,
  deep: ReadonlyMap<string, DeepRequest>,
  depthMax: number,
): Projection {
  const root = createDraft(visible);
  const options: PathOptions = { parameter: "fields", depthMax };
  const faults: Fault[] = [];
  for (const path of paths ?? ["*"]) {
    try {
      place(root, path, options);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(...error.faults);
    }
  }
  throwFaults(faults);
  refuseBoth(root, new Set(paths), "");
  if (refuseMixed(root, "") > termsMax) {
    const message = `This takes at most ${termsMax} numbers of related rows`;
    throw createError("QUERY_INVALID", { path: "fields", message });
  }
  const lists = new Set(listsOf(root, ""));
  for (const path of deep.keys()) {
    if (!lists.has(path)) {
      throw createError("QUERY_INVALID", {
        path: `deep[${path}]`,
        message: "deep requires a to-many relation that fields includes",
      });
    }
  }
  return finish(root, "", deep, depthMax);
}

/** Returns the paths of the to-many relations. */
function* listsOf(draft: Draft, prefix: string): Generator<string> {
  for (const [name, { edge, draft: inner }] of draft.related) {
    if (edge.edge.kind === "MANY") yield `${prefix}${name}`;
    yield* listsOf(inner, `${prefix}${name}.`);
  }
}

/**
 * Rejects a request for a field and for the relation of the same name: an object has one member per name, so the field
 * would be lost.
 *
 * @throws AppError QUERY_INVALID that says how to get both
 */
function refuseBoth(draft: Draft, paths: ReadonlySet<string>, prefix: string): void {
  for (const [name, { edge, draft: inner }] of draft.related) {
    const path = `${prefix}${name}`;
    if (draft.fields.has(name) && paths.has(path)) {
      const key = edge.edge.columns.find(([own]) => own === name)?.[1];
      const other = key === undefined ? "" : `; ${path}.${key} has the value of the field`;
      throw createError("QUERY_INVALID", {
        path: "fields",
        message: `${path} is a field and a relation: name one of them${other}`,
      });
    }
    refuseBoth(inner, paths, `${path}.`);
  }
}

/**
 * Counts the numbers of related rows.
 *
 * @throws AppError QUERY_INVALID for the rows of a relation beside their numbers: an object has one member per name
 */
function refuseMixed(draft: Draft, prefix: string): number {
  let count = 0;
  for (const [name, { draft: inner }] of draft.related) {
    const path = `${prefix}${name}`;
    if (inner.numbers.size > 0 && inner.fields.size + inner.related.size > 0) {
      throw createError("QUERY_INVALID", {
        path: "fields",
        message: `${path} has either its rows or their numbers: name one of them`,
      });
    }
    count += inner.numbers.size + refuseMixed(inner, `${path}.`);
  }
  return count;
}

function createDraft(visible: Visible): Draft {
  return { visible, fields: new Map(), related: new Map(), numbers: new Map() };
}

function place(draft: Draft, path: string, options: PathOptions): void {
  if (path === "*") {
    for (const field of draft.visible.fields) draft.fields.set(field.column.name, field);
    return;
  }
  const field = draft.visible.fieldByName(path);
  if (field !== undefined) {
    draft.fields.set(path, field);
    return;
  }
  const { edges, rest } = splitPath(draft.visible, path, options);
  let inner = draft;
  for (const edge of edges) {
    const { name } = edge.edge;
    const next = inner.related.get(name) ?? { edge, draft: createDraft(edge.target) };
    inner.related.set(name, next);
    inner = next.draft;
  }
  if (typeof rest !== "string") inner.numbers.set(rest.name, rest);
  else if (rest === "*") place(inner, rest, options);
  else {
    const last = inner.visible.fieldByName(rest);
    if (last !== undefined) inner.fields.set(rest, last);
  }
}

/**
 * Splits a path into its edges and the field, number or `*` at its end. A path that ends with a relation means all of its
 * fields.
 */
function splitPath(
  visible: Visible,
  path: string,
  options: PathOptions,
): { readonly edges: readonly VisibleEdge[]; readonly rest: string | AggregateResult } {
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const rest = path.slice(dot + 1);
    const head = tryResolve(visible, path.slice(0, dot), options);
    if (head !== undefined && (rest === "*" || head.target.fieldByName(rest) !== undefined)) {
      return { edges: head.edges, rest };
    }
  }
  try {
    return { edges: resolveRelation(visible, path, options).edges, rest: "*" };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "FIELD_UNKNOWN") throw error;
    const number = resolveNumber(visible, path, options);
    if (number === undefined) throw unknownField(path, "fields");
    return { edges: number.edges, rest: number.result };
  }
}

function tryResolve(
  visible: Visible,
  path: string,
  options: PathOptions,
): ReturnType<typeof resolveRelation> | undefined {
  try {
    return resolveRelation(visible, path, options);
  } catch (error) {
    if (error instanceof AppError && error.code === "FIELD_UNKNOWN") return undefined;
    throw error;
  }
}

function finish(
  draft: Draft,
  prefix: string,
  deep: ReadonlyMap<string, DeepRequest>,
  depthMax: number,
): Projection {
  const related = Array.from(draft.related, ([name, { edge, draft: inner }]): RelatedProjection => {
    const path = `${prefix}${name}`;
    const projection = finish(inner, `${path}.`, deep, depthMax);
    const numbers = inner.numbers.size > 0 ? [...inner.numbers.values()] : null;
    if (numbers !== null) refusePage(path, deep.get(path));
    const rows = edge.edge.kind === "MANY" ? relatedRows(edge, deep.get(path), depthMax) : null;
    return { name, edge, projection, rows, numbers };
  });
  // If a relation has the name of its foreign key column, the related row replaces the column.
  const names = new Set(draft.related.keys());
  const fields = [...draft.fields.values()].filter((field) => !names.has(field.column.name));
  return { visible: draft.visible, fields, related };
}

/** @throws AppError QUERY_INVALID for a limit or an order of rows of which the response has only numbers */
function refusePage(path: string, deep: DeepRequest | undefined): void {
  if (deep === undefined || (deep.limit === null && deep.order.length === 0)) return;
  throw createError("QUERY_INVALID", {
    path: `deep[${path}]`,
    message: "Numbers of related rows take only a where",
  });
}

function relatedRows(
  { target }: VisibleEdge,
  deep: DeepRequest | undefined,
  depthMax: number,
): RelatedRows {
  const where = deep?.where == null ? null : visibleFilter(deep.where, target, depthMax);
  const order = sortKeys(deep?.order ?? [], target, { parameter: "deep", depthMax });
  return { where, order, limit: deep?.limit ?? null };
}
