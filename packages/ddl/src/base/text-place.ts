/** A place in a text; both numbers start at 1. A column counts UTF-16 units, as editors do. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Returns the place of an offset in UTF-16 units. */
export function placeAt(text: string, offset: number): TextPlace {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Returns the place of an offset in bytes of UTF-8, as the nodes and tokens of PostgreSQL's grammar have it. */
export function placeAtByte(text: string, byte: number): TextPlace {
  return placeAt(text, Buffer.from(text).subarray(0, byte).toString().length);
}

/** Returns the place of an offset in characters, as PostgreSQL's errors have it. */
export function placeAtCharacter(text: string, character: number): TextPlace {
  return placeAt(text, [...text].slice(0, character).join("").length);
}
