import { quoteIdentifier } from "@rowhouse/db";
import { readRelationKey } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import type { PartChange } from "../../model/part.ts";
import {
  type ColumnDocument,
  type PresentTable,
  pathOfTable,
  type TableDocument,
} from "./table-document.ts";

/**
 * Returns the present tables, those that a document describes as a whole with their structure: other tools had managed them, or
 * no document could create them.
 */
export function asWritten(
  present: PartChange<PresentTable>["present"],
  wanted: PartChange<PresentTable>["wanted"],
): ReadonlyMap<string, PresentTable> {
  const written = new Set<string>();
  for (const [path, { value }] of wanted) {
    if (value.managed !== null) continue;
    const former = value.renamedFrom === null ? undefined : readRelationKey(value.renamedFrom);
    written.add(path);
    if (former !== undefined) written.add(pathOfTable(former));
  }
  return new Map(
    [...present].map(([path, table]) => {
      const { managed, actual } = table;
      const isWritten = managed !== null && actual !== undefined && written.has(path);
      if (!isWritten) return [path, table];
      const { codedDefaults: _, primaryKeyName: __, ...structure } = actual;
      return [path, { ...table, managed: null, ...structure }];
    }),
  );
}

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
    const { default: present = null, identity = null } = actual?.columns[key] ?? {};
    // Another tool may have put a plain default or an identity in the place of what it owns.
    const isLeft = others.has(`default of ${key}`) && standard === null && column.identity === null;
    if (isLeft) return [key, { ...column, default: present, identity }];
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
