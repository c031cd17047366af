/** Names and values of a query in their order; undefined values are omitted. */
export type Query = readonly (readonly [name: string, value: string | undefined])[];

/** Formats a query with its question mark, or returns an empty text. */
export function writeQuery(query: Query): string {
  const parts = query.flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(value)}`],
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/**
 * Encodes one segment of a path.
 *
 * @throws TypeError for a text that a URL cannot have there: `.` and `..` in any spelling, an empty text, an unpaired
 * surrogate
 */
export function encodeSegment(text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`A path of a URL cannot contain the name or key ${JSON.stringify(text)}`);
  }
  return encode(text);
}

/** @throws TypeError for an unpaired surrogate */
export function encode(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("A URL cannot contain an unpaired surrogate");
  return encodeURIComponent(text);
}
