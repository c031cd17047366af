/** Quotes an SQL identifier with double quotes. A name may contain dots, quotes, spaces and any letter. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns `"schema"."name"`. */
export function quoteQualified(schema: string, name: string): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** Quotes an SQL string literal, for the few positions in DDL that accept no parameter. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** Returns the text form of a PostgreSQL array of texts, for a parameter that is cast to an array type. */
export function arrayLiteral(values: readonly (string | null)[], delimiter = ","): string {
  const items = values.map((value) =>
    value === null ? "NULL" : `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `{${items.join(delimiter)}}`;
}
