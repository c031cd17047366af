import { isDeepStrictEqual } from "node:util";
import {
  type CarriedOf,
  type DocumentedOf,
  documentSchema,
  type Kind,
  type KindField,
  type StoredOf,
} from "@rowhouse/db";
import type { z } from "zod";

/** What the documents of a kind of record have of its fields. */
export interface RecordDocuments<K extends Kind> {
  /** The members of the schema, with their defaults. */
  readonly shape: { readonly [Name in keyof DocumentedOf<K>]: z.ZodType<DocumentedOf<K>[Name]> };
  /** @param nameOf returns the name of the record that a field refers to */
  read(record: StoredOf<K>, nameOf?: (id: string) => string | undefined): DocumentedOf<K>;
  /** Leaves out what the schema completes. */
  write(document: DocumentedOf<K>): object;
  /**
   * Returns the fields as they are stored.
   *
   * @param idOf returns the id of the record that a field refers to
   */
  given(document: DocumentedOf<K>, idOf?: (name: string) => string | undefined): CarriedOf<K>;
  /** Returns the name of a field in documents, by that in the API. */
  nameOf(field: string): string;
}

interface DocumentedField {
  readonly name: string;
  /** Its name in documents. */
  readonly own: string;
  readonly field: KindField & { readonly document: NonNullable<KindField["document"]> };
}

/** Returns what configuration documents have of the fields of a kind. */
export function documentsOf<K extends Kind>({ fields }: K): RecordDocuments<K> {
  const documented = Object.entries(fields).flatMap(([name, field]): DocumentedField[] => {
    const { document } = field;
    if (document === undefined) return [];
    return [{ name, own: document.name ?? name, field: { ...field, document } }];
  });
  const map = (to: (entry: DocumentedField) => readonly [string, unknown] | undefined) =>
    Object.fromEntries(documented.flatMap((entry) => [to(entry) ?? []].filter(isPair)));
  const valuesOf = (from: object) => from as Readonly<Record<string, unknown>>;
  return {
    shape: map(({ own, field }) => [own, documentSchema(field)]) as RecordDocuments<K>["shape"],
    read: (record, nameOf = () => undefined) =>
      map(({ name, own, field }) => {
        const value = valuesOf(record)[name];
        if (field.type !== "reference") return [own, value];
        return [own, typeof value === "string" ? (nameOf(value) ?? null) : null];
      }) as DocumentedOf<K>,
    write: (document) =>
      map(({ own, field: { document: rule } }) => {
        const value = valuesOf(document)[own];
        const isImplied = rule.always !== true && isDeepStrictEqual(value, rule.default);
        return isImplied ? undefined : [own, value];
      }),
    given: (document, idOf = () => undefined) =>
      map(({ name, own, field }) => {
        const value = valuesOf(document)[own];
        if (field.type !== "reference") return [name, value];
        return [name, typeof value === "string" ? (idOf(value) ?? null) : null];
      }) as CarriedOf<K>,
    nameOf: (name) => fields[name]?.document?.name ?? name,
  };
}

function isPair(pair: readonly unknown[]): pair is readonly [string, unknown] {
  return pair.length === 2;
}
