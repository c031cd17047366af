import { quoteIdentifier } from "@rowhouse/db";
import type { Document } from "../../model/document.ts";
import type { ColumnDocument, TableDocument } from "./table-document.ts";

/** A document whose columns take no values from sequences that documents do not describe. */
export interface WithIdentities {
  readonly document: Document<TableDocument>;
  /** The columns whose default is another one in the database, each with the default that its document has. */
  readonly defaults: readonly string[];
}

/**
 * Returns a document in which the sequence of a `serial` column is an identity, which does the same. A default that takes its
 * values from another sequence, or an identity in its place, stays as it is in the database: no document creates a sequence.
 *
 * @param before the table as it is; undefined for a new one
 */
export function withIdentities(
  document: Document<TableDocument>,
  before: TableDocument | undefined,
): WithIdentities {
  const [schema = "", name = ""] = document.names;
  const defaults: string[] = [];
  const columns = Object.entries(document.value.columns).map(([key, column]) => {
    const former = before?.columns[key];
    const sequence = sequenceOf(column.default);
    if (sequence === undefined || former?.default === column.default) return [key, column] as const;
    const own = [schema, `${name}_${key}_seq`].map(bareOrQuoted).join(".");
    const isOwn = former === undefined ? sequence === own : former.identity === "BY_DEFAULT";
    if (isOwn && !column.nullable) return [key, asIdentity(column)] as const;
    defaults.push(`${key}: ${column.default}`);
    const { default: standard = null, identity = null } = former ?? {};
    return [key, { ...column, default: standard, identity }] as const;
  });
  const value = { ...document.value, columns: Object.fromEntries(columns) };
  return { document: { ...document, value }, defaults };
}

function asIdentity(column: ColumnDocument): ColumnDocument {
  return { ...column, default: null, identity: "BY_DEFAULT" };
}

/**
 * Returns the sequence of a default as PostgreSQL writes it, with its schema; undefined for a default that takes its values
 * from elsewhere.
 */
function sequenceOf(text: string | null): string | undefined {
  return /^nextval\('((?:[^']|'')+)'::regclass\)$/.exec(text ?? "")?.[1]?.replaceAll("''", "'");
}

function bareOrQuoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name);
}
