/** A table or view of the catalogue. */
export interface CatalogTable {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
}

const mentionedMax = 20;

/** Returns the tables whose name is a word of the text. */
export function mentionedTables(
  tables: readonly CatalogTable[],
  text: string,
): readonly CatalogTable[] {
  const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_$]*|"[^"]+"/gu) ?? []);
  const found = tables.filter(
    ({ name }) => words.has(name) || words.has(`"${name}"`) || words.has(name.toUpperCase()),
  );
  return found.slice(0, mentionedMax);
}
