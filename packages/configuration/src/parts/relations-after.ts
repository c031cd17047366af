import type { Snapshot } from "@rowhouse/db";
import { readRelationKey, relationKey } from "../documents/document-name.ts";
import type { Document } from "../model/document.ts";
import type { Documents } from "../model/part.ts";
import { tablesPart } from "./tables/tables-part.ts";
import { viewsPart } from "./views/views-part.ts";

/** A relation that exists once the documents have been applied. */
export interface RelationAfter {
  /** True for a view of the documents, whose columns only PostgreSQL knows. */
  hasColumn(name: string): boolean;
}

/**
 * Returns a function that finds a relation by its key, as it is once the documents have been applied: those of the
 * documents, and those that exist and that no document may drop. `MISSING` is one that other tools have not created yet.
 */
export function relationsAfter(
  documents: Documents,
  { catalogue }: Snapshot,
): (key: string) => RelationAfter | "MISSING" | undefined {
  const tables = byKey(documents.of(tablesPart));
  const views = byKey(documents.of(viewsPart));
  return (key) => {
    const { schema = "", name = "" } = readRelationKey(key) ?? {};
    const table = tables.get(key)?.value;
    const isSql = (table ?? views.get(key)?.value)?.managed === "sql";
    if (table?.managed === null) {
      return { hasColumn: (column) => table.columns[column] !== undefined };
    }
    const view = views.get(key)?.value;
    if (view?.managed === null) return { hasColumn: () => true };
    const relation = catalogue.relationByName(schema, name);
    if (isSql && relation === undefined) return { hasColumn: () => true };
    const isElsewhere = (table ?? view) !== undefined || documents.isOthers(schema, name);
    if (relation === undefined) return isElsewhere ? "MISSING" : undefined;
    const part = relation.resource.kind === "VIEW" ? viewsPart : tablesPart;
    if (documents.parts.has(part.name) && !isElsewhere) return undefined;
    return { hasColumn: (column) => relation.columnByName(column) !== undefined };
  };
}

function byKey<Doc>(documents: ReadonlyMap<string, Document<Doc>>): Map<string, Document<Doc>> {
  return new Map(
    [...documents.values()].map((document) => {
      const [schema = "", name = ""] = document.names;
      return [relationKey(schema, name), document];
    }),
  );
}
