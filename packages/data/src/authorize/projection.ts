import { ownColumns } from "@rowhouse/db";
import { AppError, createError, type Fault, throwFaults } from "@rowhouse/errors";
import type { FieldTerm } from "../parse/field-term.ts";
import { termsMax } from "../parse/parse-aggregate.ts";
import type { DeepRequest } from "../parse/request.ts";
import type { DocumentProjection } from "./document-parts.ts";
import { placeOfAliased, placeOfPath } from "./field-place.ts";
import { addPlace, createDraft, type Draft, refuseBoth } from "./projection-draft.ts";
import {
  countedRows,
  type RelatedNumbers,
  type RelatedRows,
  relatedNumbers,
  relatedRows,
} from "./related-rows.ts";
import type { PathOptions } from "./resolve-path.ts";
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

/** Returns the paths of the to-many relations. */
function* listsOf(draft: Draft, prefix: string): Generator<string> {
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
  draft: Draft,
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
  draft: Draft,
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
