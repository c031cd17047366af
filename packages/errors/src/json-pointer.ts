/** Escapes a key or an index as one segment of a JSON pointer (RFC 6901), without its slash. */
export function escapePointer(segment: string | number): string {
  return String(segment).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the key or index of one segment of a JSON pointer, the inverse of `escapePointer`. */
export function unescapePointer(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
