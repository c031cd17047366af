/** The types that most columns have; every other type of PostgreSQL can be typed. */
const usualTypes = [
  "text",
  "bigint",
  "integer",
  "smallint",
  "numeric",
  "numeric(12,2)",
  "double precision",
  "boolean",
  "date",
  "time",
  "timestamptz",
  "timestamp",
  "interval",
  "uuid",
  "jsonb",
  "text[]",
  "integer[]",
  "character varying(255)",
  "bytea",
  "daterange",
  "tstzrange",
  "inet",
] as const;

/** The types that contain a text, the columns' own types first. */
export function findTypes(text: string, own: readonly string[]): readonly string[] {
  const all = [...new Set([...usualTypes, ...own])];
  const wanted = text.trim().toLowerCase();
  // The present type is no search. It is the first, because Enter chooses the first one after typing.
  if (all.includes(wanted)) return [wanted, ...all.filter((type) => type !== wanted)];
  return all.filter((type) => type.toLowerCase().includes(wanted));
}
