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

/** A text as PostgreSQL can hold it: U+FFFD in place of what it does not take. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
