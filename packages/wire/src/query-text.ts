export interface QueryParameter {
  readonly name: string;
  /** Undefined if the name or the value is not UTF-8 in well-formed percent-encoding; the name is then as it was received. */
  readonly value: string | undefined;
}

/** Maximum number of characters of a received name that an error repeats. */
const receivedNameMax = 100;

/** Reads a query string, with or without its question mark. */
export function* readQueryText(search: string): Generator<QueryParameter> {
  for (const part of (search.startsWith("?") ? search.slice(1) : search).split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const written = equals < 0 ? part : part.slice(0, equals);
    const name = decodeParameter(written);
    if (name === undefined) yield { name: written.slice(0, receivedNameMax), value: undefined };
    else yield { name, value: equals < 0 ? "" : decodeParameter(part.slice(equals + 1)) };
  }
}

/** Decodes a name or a value of a query string; undefined for malformed percent-encoding. */
export function decodeParameter(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** The message for a parameter that is not text. */
export const malformedEncoding = "Malformed percent-encoding";

/** Returns a key as a segment of a path, which cannot be empty: a comma alone is the empty text of a key with one column. */
export function writeRowId(key: readonly string[]): string {
  const isEmptyText = key.length === 1 && key[0] === "";
  return isEmptyText ? "," : key.map(encodeURIComponent).join(",");
}
