import { quoteIdentifier, quoteQualified } from "@rowhouse/db";

interface ObjectName {
  readonly schema: string;
  readonly name: string;
}

/** Returns the statements that give an object of the catalogue another schema and name: `view`, `materialized view`, `type`. */
export function renameSql(kind: string, from: ObjectName, to: ObjectName): string[] {
  const move = `alter ${kind} ${quoteQualified(from.schema, from.name)} set schema ${quoteIdentifier(to.schema)}`;
  const rename = `alter ${kind} ${quoteQualified(to.schema, from.name)} rename to ${quoteIdentifier(to.name)}`;
  return [...(from.schema === to.schema ? [] : [move]), ...(from.name === to.name ? [] : [rename])];
}
