import { readName, writeName } from "@rowhouse/access/written-name";

/** Returns the field of a term such as `-created_at:nulls_last`. */
export function fieldOfTerm(term: string): string {
  return readName(term.replace(/^-/, "").replace(/:nulls_(?:first|last)$/, ""));
}

/** Whether a term sorts from the greatest value down. */
export function isDescending(term: string): boolean {
  return term.startsWith("-");
}

/** Writes the term of a field. */
export function termOf(field: string, isDown: boolean): string {
  return `${isDown ? "-" : ""}${writeName(field)}`;
}
