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

/** The words that PostgreSQL accepts as the name of a schema between quotes only. After a dot every word is a name. */
const reserved = new Set(
  (
    "all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation " +
    "column concurrently constraint create cross current_catalog current_date current_role current_schema current_time " +
    "current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze " +
    "from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit " +
    "localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references " +
    "returning right select session_user similar some symmetric system_user table tablesample then to trailing true " +
    "union unique user using variadic verbose when where window with"
  ).split(" "),
);
const plain = /^[a-z_][a-z0-9_]*$/;

/** Returns the name of a table with its schema as SQL has it, quoted where necessary. */
export function qualifiedName(schema: string, table: string): string {
  return `${reserved.has(schema) ? quote(schema) : named(schema)}.${named(table)}`;
}

function named(name: string): string {
  return plain.test(name) ? name : quote(name);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
