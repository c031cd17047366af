import { quoteIdentifier } from "@rowhouse/db";
import type { Document } from "../../model/document.ts";
import type { ColumnDocument, PresentTable, TableDocument } from "./table-document.ts";

/**
 * Returns a document as `pull` would have written it: earlier versions wrote the default of a `serial` column, which is an
 * identity now, and defaults that take their values from code of the database's users or from another sequence. These
 * belong to other tools.
 *
 * @param actual the table as it is; undefined for a new one
 */
export function withIdentities(
  document: Document<TableDocument>,
  actual: PresentTable["actual"],
): Document<TableDocument> {
  const [schema = "", name = ""] = document.names;
  const others = new Set(document.value.elsewhere);
  const columns = Object.entries(document.value.columns).map(([key, column]) => {
    const { default: standard } = column;
    const sequence = sequenceOf(standard);
    const own = [schema, `${name}_${key}_seq`].map(bareOrQuoted).join(".");
    const identity = actual?.columns[key]?.identity ?? null;
    const isOwn = actual === undefined ? sequence === own : identity === "BY_DEFAULT";
    if (sequence !== undefined && isOwn && !column.nullable) return [key, asIdentity(column)];
    const isCoded = standard !== null && standard === actual?.codedDefaults[key];
    if (!isCoded && (sequence === undefined || actual !== undefined)) return [key, column];
    others.add(`default of ${key}`);
    return [key, { ...column, default: null }];
  });
  const value = {
    ...document.value,
    columns: Object.fromEntries(columns) as TableDocument["columns"],
    elsewhere: [...others].toSorted(),
  };
  return { ...document, value };
}

function asIdentity(column: ColumnDocument): ColumnDocument {
  return { ...column, default: null, identity: "BY_DEFAULT" };
}

/** Returns the sequence of a default as PostgreSQL writes it, with its schema; undefined for another default. */
function sequenceOf(text: string | null): string | undefined {
  return /^nextval\('((?:[^']|'')+)'::regclass\)$/.exec(text ?? "")?.[1]?.replaceAll("''", "'");
}

function bareOrQuoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name);
}
