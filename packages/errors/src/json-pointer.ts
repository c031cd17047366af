/** Escapes a key or an index as one segment of a JSON pointer (RFC 6901), without its slash. */
export function escapePointer(segment: string | number): string {
  return String(segment).replaceAll("~", "~0").replaceAll("/", "~1");
}
