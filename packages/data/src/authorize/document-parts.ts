import { type AppError, createError } from "@rowhouse/errors";
import type { VisibleField } from "./visible.ts";

/** The parts of one field's document that a response includes in place of the whole. */
export interface DocumentProjection {
  /** The name of its member in the response. */
  readonly name: string;
  readonly field: VisibleField;
  readonly parts: readonly DocumentPart[];
}

/** A value inside a document, or an object of such values. */
export interface DocumentPart {
  readonly name: string;
  /** The keys from the document to this value. */
  readonly path: readonly string[];
  /** The members of the object; null for the value itself. */
  readonly parts: readonly DocumentPart[] | null;
}

/** The parts of a document while the fields of a request are collected, by their keys; null for the value itself. */
type PartTree = Map<string, PartTree | null>;

/** The parts of one document while the fields of a request are collected. */
export class DocumentDraft {
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

function partsOf(tree: PartTree, parent: readonly string[]): readonly DocumentPart[] {
  return Array.from(tree, ([name, inner]): DocumentPart => {
    const path = [...parent, name];
    return { name, path, parts: inner === null ? null : partsOf(inner, path) };
  });
}

/** Creates the error for a value that is requested beside a part of it, or beside another member of the same name. */
export function bothNamed(written: string): AppError {
  return createError("QUERY_INVALID", {
    path: "fields",
    message: `${written} is named as a whole and in parts: name one of them`,
  });
}
