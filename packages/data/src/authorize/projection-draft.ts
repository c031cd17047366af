import { type AppError, createError } from "@rowhouse/errors";
import { mapExpression } from "../parse/expression.ts";
import type { AggregateResult } from "./aggregates.ts";
import type { FieldEnd, FieldPlace, FieldStep } from "./field-place.ts";
import type { FieldPath } from "./resolve-path.ts";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

/** The members of one object of a response, while the terms of `fields` are placed in it. */
export interface ProjectionDraft {
  readonly visible: Visible;
  readonly fields: Map<string, DraftField>;
  readonly related: Map<string, DraftRelation>;
  /** Parts of documents, by the names of their members. */
  readonly documents: Map<string, DocumentDraft>;
  /** Numbers of the rows, by the names of their results. */
  readonly numbers: Map<string, AggregateResult>;
}

interface DraftField {
  readonly field: VisibleField;
  /** Whether a term names the field; false if only `*` includes it. */
  readonly isNamed: boolean;
  readonly isAlias: boolean;
}

interface DraftRelation {
  readonly edge: VisibleEdge;
  readonly isAlias: boolean;
  readonly draft: ProjectionDraft;
}

export function createDraft(visible: Visible): ProjectionDraft {
  return {
    visible,
    fields: new Map(),
    related: new Map(),
    documents: new Map(),
    numbers: new Map(),
  };
}

/**
 * Adds what a term selects.
 *
 * @returns the path of its member: `plate`, `driver.*`, `trips.sum_distance`
 * @throws AppError QUERY_INVALID if another term has given the member another meaning
 */
export function addPlace(root: ProjectionDraft, { steps, end }: FieldPlace): string {
  let inner = root;
  let prefix = "";
  for (const step of steps) {
    inner = addStep(inner, step, prefix);
    prefix += `${step.name}.`;
  }
  return `${prefix}${addEnd(inner, end, prefix)}`;
}

function addStep(
  draft: ProjectionDraft,
  { name, edge, isAlias }: FieldStep,
  prefix: string,
): ProjectionDraft {
  const known = draft.related.get(name);
  if (known === undefined) {
    const added = { edge, isAlias, draft: createDraft(edge.target) };
    draft.related.set(name, added);
    return added.draft;
  }
  if (known.edge.edge !== edge.edge) throw twoMeanings(`${prefix}${name}`);
  return known.draft;
}

function addEnd(draft: ProjectionDraft, end: FieldEnd, prefix: string): string {
  switch (end.kind) {
    case "ALL":
      for (const field of draft.visible.fields) {
        addField(draft, prefix, { name: field.column.name, field, isNamed: false, isAlias: false });
      }
      return "*";
    case "FIELD":
      addField(draft, prefix, { ...end, isNamed: true });
      return end.name;
    case "DOCUMENT": {
      const { name, field, inside, isAlias } = end;
      const known = draft.documents.get(name) ?? new DocumentDraft(field, isAlias);
      if (known.field !== field) throw twoMeanings(`${prefix}${name}`);
      draft.documents.set(name, known);
      const path = [name, ...inside].join(".");
      known.add(inside, `${prefix}${path}`);
      return path;
    }
    case "NUMBER": {
      const { name } = end.result;
      const known = draft.numbers.get(name);
      if (known !== undefined && !isSameResult(known, end.result)) {
        throw twoMeanings(`${prefix}${name}`);
      }
      draft.numbers.set(name, end.result);
      return name;
    }
    default:
      return end satisfies never;
  }
}

function addField(
  draft: ProjectionDraft,
  prefix: string,
  { name, field, isNamed, isAlias }: DraftField & { readonly name: string },
): void {
  const known = draft.fields.get(name);
  if (known !== undefined && known.field !== field) throw twoMeanings(`${prefix}${name}`);
  draft.fields.set(name, {
    field,
    isNamed: isNamed || known?.isNamed === true,
    isAlias: isAlias || known?.isAlias === true,
  });
}

function isSameResult(one: AggregateResult, other: AggregateResult): boolean {
  return JSON.stringify(meaningOf(one)) === JSON.stringify(meaningOf(other));
}

function meaningOf({ apply, path, expression }: AggregateResult): unknown {
  return [apply, path && textOf(path), expression && mapExpression(expression, textOf)];
}

function textOf({ edges, field, inside }: FieldPath): string {
  return JSON.stringify([edges.map(({ edge }) => edge.name), field.column.name, inside]);
}

/**
 * Rejects a field, a relation and parts of a document of one name: an object has one member per name, so the others would be
 * lost. A related row and parts of a document take the place of a field that only `*` includes.
 *
 * @throws AppError QUERY_INVALID that says how to get both
 */
export function refuseBoth(draft: ProjectionDraft, prefix = ""): void {
  for (const [name, { edge, isAlias, draft: inner }] of draft.related) {
    const path = `${prefix}${name}`;
    const field = draft.fields.get(name);
    if (field !== undefined && (isAlias || field.isAlias)) throw twoMeanings(path);
    if (field?.isNamed === true) {
      const pairs = edge.edge.foreignKey === "JUNCTION" ? [] : edge.edge.columns;
      const key = pairs.find(([own]) => own === name)?.[1];
      const other = key === undefined ? "" : `; ${path}.${key} has the value of the field`;
      throw createError("QUERY_INVALID", {
        path: "fields",
        message: `${path} is a field and a relation: name one of them, or give the relation an alias${other}`,
      });
    }
    refuseBoth(inner, `${path}.`);
  }
  for (const [name, { isAlias }] of draft.documents) {
    const path = `${prefix}${name}`;
    const field = draft.fields.get(name);
    const isOther = draft.related.has(name) || (field !== undefined && (isAlias || field.isAlias));
    if (isOther) throw twoMeanings(path);
    if (field?.isNamed === true) throw bothNamed(path);
  }
}

function twoMeanings(path: string): Error {
  return createError("QUERY_INVALID", {
    path: "fields",
    message: `${path} names two members of one object: choose another alias`,
  });
}

/** The parts of one field's document that a response includes in place of the whole. */
export interface DocumentProjection {
  /** The name of its member in the response. */
  readonly name: string;
  readonly field: VisibleField;
  readonly parts: readonly DocumentMember[];
}

/** A value inside a document, or an object of such values. */
export interface DocumentMember {
  readonly name: string;
  /** The keys from the document to this value. */
  readonly path: readonly string[];
  /** The members of the object; null for the value itself. */
  readonly parts: readonly DocumentMember[] | null;
}

/** The parts of a document while the fields of a request are collected, by their keys; null for the value itself. */
type PartTree = Map<string, PartTree | null>;

/** The parts of one document while the fields of a request are collected. */
class DocumentDraft {
  readonly field: VisibleField;
  readonly isAlias: boolean;
  readonly #tree: PartTree = new Map();
  /** The number of values. */
  size = 0;

  constructor(field: VisibleField, isAlias: boolean) {
    this.field = field;
    this.isAlias = isAlias;
  }

  /**
   * Adds the value at a path.
   *
   * @param written names it in the error
   * @throws AppError QUERY_INVALID for a value beside a part of it: an object has one member per name
   */
  add(path: readonly string[], written: string): void {
    let tree = this.#tree;
    for (const [index, key] of path.entries()) {
      const isLast = index === path.length - 1;
      const known = tree.get(key);
      if (known === undefined) {
        const inner: PartTree | null = isLast ? null : new Map();
        tree.set(key, inner);
        if (inner === null) this.size += 1;
        else tree = inner;
      } else if (known === null || isLast) {
        if (known === null && isLast) return;
        throw bothNamed(written);
      } else tree = known;
    }
  }

  /** @param name the name of its member in the response */
  finish(name: string): DocumentProjection {
    return { name, field: this.field, parts: partsOf(this.#tree, []) };
  }
}

function partsOf(tree: PartTree, parent: readonly string[]): readonly DocumentMember[] {
  return Array.from(tree, ([name, inner]): DocumentMember => {
    const path = [...parent, name];
    return { name, path, parts: inner === null ? null : partsOf(inner, path) };
  });
}

/** Creates the error for a value that is requested beside a part of it, or beside another member of the same name. */
function bothNamed(written: string): AppError {
  return createError("QUERY_INVALID", {
    path: "fields",
    message: `${written} is named as a whole and in parts: name one of them`,
  });
}
