/** Names that reach an object's prototype. No name of our own may be one of them; as keys of a caller's data they are data. */
export const prototypeKeys: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

/** Whether PostgreSQL can store a text: it must not contain NUL or a lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * Whether a text can be a name: of a column, a relation, a key within a document. The parser of a request rejects any
 * other text, so that it reaches no statement and no log. Other control characters occur in names.
 */
export function isPossibleName(text: string): boolean {
  return isStorableText(text);
}

/** The message for a text that cannot be a name. */
export const impossibleName = "A name must not contain NUL or an unpaired surrogate";

/** An `Idempotency-Key`, or the id by which a sender marks a repeated delivery. */
export const idempotencyKeyForm = /^[\x21-\x7e]{1,255}$/;
export const malformedIdempotencyKey =
  "An idempotency key must have 1 to 255 printable characters without spaces";

/** Makes a text storable in PostgreSQL: replaces NUL and lone surrogates with U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
