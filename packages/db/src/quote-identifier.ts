/** An SQL identifier in double quotes. Dots, quotes, spaces and any letter may be part of a name. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"schema"."name"`. */
export function quoteQualified(schema: string, name: string): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** An SQL string literal, for the few places of DDL that take no parameter. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** The text form of a Postgres array of texts, for a parameter that is cast to an array type. */
export function arrayLiteral(values: readonly (string | null)[]): string {
  const items = values.map((value) =>
    value === null ? "NULL" : `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `{${items.join(",")}}`;
}
