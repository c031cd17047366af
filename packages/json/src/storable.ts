/** Names that reach an object's prototype; no key and no path from outside may be one of them. */
export const prototypeKeys: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

/** Whether PostgreSQL can hold a text: it takes neither NUL nor half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * Whether a text can be a name: of a column, a relation, a key within a document, whatever a request names. A name that is
 * none is refused where it is read, so that no statement and no log has to hold it. Other control characters do occur in
 * names.
 */
export function isPossibleName(text: string): boolean {
  return isStorableText(text);
}

/** What is said of a text that is no name. */
export const impossibleName = "A name must not contain NUL or an unpaired surrogate";

/** A text as PostgreSQL can hold it: U+FFFD in place of what it does not take. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
