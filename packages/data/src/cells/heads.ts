import type { Column, Relation } from "@rowhouse/db";
import type { NameSource } from "./title-sql.ts";

/** What cells of references contain: keys, titles, or the keys and beside them the titles. */
export const referenceForms = ["key", "title", "both"] as const;
export type ReferenceForm = (typeof referenceForms)[number];

/** What the first line of a file has: the names of the columns, or their labels. */
export const headForms = ["name", "label"] as const;
export type HeadForm = (typeof headForms)[number];

/** The forms of a CSV file that people read. */
export interface ReaderForms {
  readonly references: ReferenceForm;
  readonly heads: HeadForm;
}

export const plainForms: ReaderForms = { references: "key", heads: "name" };

/** The end of the head of a column with titles, beside that of the keys. */
export const titleSuffix = " (title)";

/** Returns the label of a column; null if it has none, or if it could be taken for another one of the columns. */
export function headLabel(
  column: Column,
  columns: readonly Column[],
  relation: Relation,
  { snapshot }: Pick<NameSource, "snapshot">,
): string | null {
  const presented = snapshot.presentations.get(relation.resource.id);
  const label = (each: Column) => presented?.get(each.attributeNumber)?.label ?? null;
  const own = label(column);
  const isTaken = columns.some(
    (other) => other !== column && (other.name === own || label(other) === own),
  );
  return isTaken ? null : own;
}
