import type { Filter } from "@rowhouse/access";
import { ownColumns } from "@rowhouse/db";
import { AppError, createError, type Fault, throwFaults } from "@rowhouse/errors";
import type { DeepRequest } from "../parse/request.ts";
import { type FieldTerm, termsMax } from "../parse/terms.ts";
import {
  type AggregateResult,
  type GroupResult,
  havingOf,
  type ResultOrder,
  requireDistinct,
  resolveGroups,
  resultOrder,
} from "./aggregates.ts";
import { placeOfAliased, placeOfPath } from "./field-place.ts";
import {
  addPlace,
  createDraft,
  type DocumentProjection,
  type ProjectionDraft,
  refuseBoth,
} from "./projection-draft.ts";
import { type PathOptions, type VisibleFilter, visibleFilter } from "./resolve-path.ts";
import { type SortKey, sortKeys } from "./sort-keys.ts";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

/** The fields and related rows that a response includes for each row. */
export interface Projection {
  readonly visible: Visible;
  readonly fields: readonly ProjectedField[];
  readonly documents: readonly DocumentProjection[];
  readonly related: readonly RelatedProjection[];
}

export interface ProjectedField {
  /** The name of its member in the response. */
  readonly name: string;
  readonly field: VisibleField;
}

export interface RelatedProjection {
  /** The name of its member in the response. */
  readonly name: string;
  readonly edge: VisibleEdge;
  readonly projection: Projection;
  /** The rows of a to-many relation; null for a to-one relation. */
  readonly rows: RelatedRows | null;
  /** The numbers that take the place of the rows of a to-many relation; null for the rows. */
  readonly numbers: RelatedNumbers | null;
}

/** A projection with the paths of the members that its terms select. */
export interface ProjectedFields {
  readonly projection: Projection;
  /** In the order of the terms; null without terms. */
  readonly paths: readonly string[] | null;
}

/** Maximum number of relations with an alias: each is a query of its own for each row. */
const aliasedMax = 20;

/**
 * Resolves the terms of `fields`; null stands for every field of the relation itself.
 *
 * @throws AppError FIELD_UNKNOWN for every path that is missing or hidden from the principal, QUERY_INVALID for a path
 * that is ambiguous or too deep, for two members of one name, and for a `deep` path outside `fields`
 */
export function projectFields(
  visible: Visible,
  terms: readonly FieldTerm[] | null,
  deep: ReadonlyMap<string, DeepRequest>,
  depthMax: number,
): ProjectedFields {
  const root = createDraft(visible);
  const options: PathOptions = { parameter: "fields", depthMax };
  const faults: Fault[] = [];
  const paths: string[] = [];
  for (const term of terms ?? ["*"]) {
    try {
      const place =
        typeof term === "string"
          ? placeOfPath(visible, term, options)
          : placeOfAliased(visible, term, options);
      paths.push(addPlace(root, place));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(...error.faults);
    }
  }
  throwFaults(faults);
  refuseBoth(root);
  const { numbers, values, aliased } = countParts(root, "");
  if (values > termsMax) throw tooMany(`${termsMax} values inside documents`);
  if (aliased > aliasedMax) throw tooMany(`${aliasedMax} relations with an alias`);
  const lists = new Set(listsOf(root, ""));
  for (const path of deep.keys()) {
    if (!lists.has(path)) {
      throw createError("QUERY_INVALID", {
        path: `deep[${path}]`,
        message: "deep requires a to-many relation that fields includes",
      });
    }
  }
  const projection = finish(root, "", deep, depthMax);
  if (numbers + countSorting(projection) > termsMax) {
    throw tooMany(`${termsMax} numbers of related rows`);
  }
  return { projection, paths: terms === null ? null : paths };
}

/** Counts the numbers that order related rows: each is computed for each of these. */
function countSorting({ related }: Projection): number {
  return related.reduce(
    (sum, { rows, projection }) =>
      sum +
      (rows?.order ?? []).filter(({ kind }) => kind === "NUMBER").length +
      countSorting(projection),
    0,
  );
}

function tooMany(message: string): AppError {
  return createError("QUERY_INVALID", { path: "fields", message: `This takes at most ${message}` });
}

function* listsOf(draft: ProjectionDraft, prefix: string): Generator<string> {
  for (const [name, { edge, draft: inner }] of draft.related) {
    if (edge.edge.kind === "MANY") yield `${prefix}${name}`;
    yield* listsOf(inner, `${prefix}${name}.`);
  }
}

/**
 * Counts the numbers of related rows, the values inside documents, and the relations with an alias.
 *
 * @throws AppError QUERY_INVALID for the rows of a relation beside their numbers: an object has one member per name
 */
function countParts(
  draft: ProjectionDraft,
  prefix: string,
): { readonly numbers: number; readonly values: number; readonly aliased: number } {
  let values = 0;
  for (const { size } of draft.documents.values()) values += size;
  let numbers = 0;
  let aliased = 0;
  for (const [name, { isAlias, draft: inner }] of draft.related) {
    const path = `${prefix}${name}`;
    const members = inner.fields.size + inner.documents.size + inner.related.size;
    if (inner.numbers.size > 0 && members > 0) {
      throw createError("QUERY_INVALID", {
        path: "fields",
        message: `${path} has either its rows or their numbers: name one of them, or give one an alias`,
      });
    }
    const counted = countParts(inner, `${path}.`);
    numbers += inner.numbers.size + counted.numbers;
    values += counted.values;
    aliased += (isAlias ? 1 : 0) + counted.aliased;
  }
  return { numbers, values, aliased };
}

function finish(
  draft: ProjectionDraft,
  prefix: string,
  deep: ReadonlyMap<string, DeepRequest>,
  depthMax: number,
): Projection {
  const related = Array.from(draft.related, ([name, { edge, draft: inner }]): RelatedProjection => {
    const path = `${prefix}${name}`;
    const projection = finish(inner, `${path}.`, deep, depthMax);
    const { target } = edge;
    const options = deep.get(path);
    const results = [...inner.numbers.values()];
    if (results.length > 0) {
      const numbers = relatedNumbers(target, path, options, results, depthMax);
      const rows = countedRows(target, path, options, depthMax);
      return { name, edge, projection, rows, numbers };
    }
    const own = ownColumns(edge.edge).length;
    const isMany = edge.edge.kind === "MANY";
    const rows = isMany ? relatedRows(target, path, options, own, depthMax) : null;
    return { name, edge, projection, rows, numbers: null };
  });
  // If a relation has the name of its foreign key column, the related row replaces the column. So do parts of a document.
  const names = new Set([...draft.related.keys(), ...draft.documents.keys()]);
  const fields = Array.from(draft.fields, ([name, { field }]) => ({ name, field })).filter(
    ({ name }) => !names.has(name),
  );
  const documents = Array.from(draft.documents, ([name, document]) => document.finish(name));
  return { visible: draft.visible, fields, documents, related };
}

/** The rows of a to-many relation that a row shows, by the `deep` parameter for it. */
export interface RelatedRows {
  /** The path of the relation in the response, by which `deep` names it. */
  readonly path: string;
  readonly where: VisibleFilter | null;
  /** Empty for numbers of the rows. */
  readonly order: readonly SortKey[];
  /** Maximum number of rows or groups; null if the request gives none. */
  readonly limit: number | null;
  readonly hasOffset: boolean;
  /** Null for a list without cursors. */
  readonly page: RelatedPage | null;
}

interface RelatedPage {
  /** For each value of the cursor, whether it is null: the columns that identify the parent row, then the order. Null for the first page. */
  readonly after: readonly boolean[] | null;
}

/** The numbers that take the place of a to-many relation's rows. */
export interface RelatedNumbers {
  readonly results: readonly AggregateResult[];
  /** Null for one group of all rows. */
  readonly groups: RelatedGroups | null;
}

export interface RelatedGroups {
  readonly groups: readonly GroupResult[];
  /** Its fields are positions in `groups`, followed by the results. */
  readonly having: Filter<number, never> | null;
  readonly order: readonly ResultOrder[];
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID for options that do not apply to rows */
function relatedRows(
  target: Visible,
  path: string,
  deep: DeepRequest | undefined,
  own: number,
  depthMax: number,
): RelatedRows {
  const where = whereOf(target, deep, depthMax);
  if (deep === undefined) {
    const order = sortKeys([], target, { parameter: "deep", depthMax });
    return { path, where, order, limit: null, hasOffset: false, page: null };
  }
  const { limit, offset, isPaged, after } = deep;
  if (deep.groups.length > 0 || deep.having !== null) {
    const option = deep.groups.length > 0 ? "group_by" : "having";
    throw invalid(path, option, "This requires numbers of the relation in fields, such as count");
  }
  const parameter = `deep[${path}][order_by]`;
  const order = sortKeys(deep.order, target, { parameter, depthMax });
  if (after !== null && after.length !== own + order.length) {
    throw invalid(path, "cursor", "The table's key has changed");
  }
  const page = { after: after?.map((value) => value === null) ?? null };
  return { path, where, order, limit, hasOffset: offset > 0, page: isPaged ? page : null };
}

/** Returns the rows from which numbers are computed. */
function countedRows(
  target: Visible,
  path: string,
  deep: DeepRequest | undefined,
  depthMax: number,
): RelatedRows {
  const { limit = null, offset = 0 } = deep ?? {};
  const where = whereOf(target, deep, depthMax);
  return { path, where, order: [], limit, hasOffset: offset > 0, page: null };
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID for options that do not apply to numbers */
function relatedNumbers(
  target: Visible,
  path: string,
  deep: DeepRequest | undefined,
  results: readonly AggregateResult[],
  depthMax: number,
): RelatedNumbers {
  if (deep === undefined) return { results, groups: null };
  const { limit, offset, order, isPaged, having } = deep;
  if (isPaged) throw invalid(path, "cursor", "Numbers of related rows have no cursor");
  if (deep.groups.length === 0) {
    if (limit === null && offset === 0 && order.length === 0 && having === null) {
      return { results, groups: null };
    }
    const message =
      "Numbers of related rows take only a where, unless they are grouped by group_by";
    throw createError("QUERY_INVALID", { path: `deep[${path}]`, message });
  }
  const parameter = `deep[${path}][group_by]`;
  const groups = resolveGroups(target, deep.groups, { parameter, depthMax });
  const names = [...groups, ...results].map(({ name }) => name);
  requireDistinct(names, parameter);
  return {
    results,
    groups: {
      groups,
      having: havingOf(having, names),
      order: resultOrder(order, names, `deep[${path}][order_by]`),
    },
  };
}

function whereOf(
  target: Visible,
  deep: DeepRequest | undefined,
  depthMax: number,
): VisibleFilter | null {
  return deep?.where == null ? null : visibleFilter(deep.where, target, depthMax);
}

function invalid(path: string, option: string, message: string): Error {
  return createError("QUERY_INVALID", { path: `deep[${path}][${option}]`, message });
}
