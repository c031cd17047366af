import type { Snapshot } from "@rowhouse/db";
import { isReservedSchema } from "@rowhouse/ddl";
import { readRelationKey, relationKey } from "../documents/document-name.ts";
import type { Document } from "../model/document.ts";
import type { Documents } from "../model/part.ts";
import { tablesPart } from "./tables/tables-part.ts";
import { viewsPart } from "./views.ts";

/** A relation that exists once the documents have been applied. */
export interface RelationAfter {
  /** True for a view of the documents, whose columns only PostgreSQL knows. */
  hasColumn(name: string): boolean;
}

/**
 * Returns a function that finds a relation by its key, as it is once the documents have been applied: those of the
 * documents, and those that exist and that no document may drop.
 */
export function relationsAfter(
  documents: Documents,
  { catalogue }: Snapshot,
): (key: string) => RelationAfter | undefined {
  const tables = byKey(documents.of(tablesPart));
  const views = byKey(documents.of(viewsPart));
  return (key) => {
    const { schema = "", name = "" } = readRelationKey(key) ?? {};
    const table = tables.get(key)?.value;
    if (table?.managed === null) {
      return { hasColumn: (column) => table.columns[column] !== undefined };
    }
    if (views.has(key)) return { hasColumn: () => true };
    const relation = catalogue.relationByName(schema, name);
    if (relation === undefined) return undefined;
    const part = relation.resource.kind === "VIEW" ? viewsPart : tablesPart;
    const isDropped =
      documents.parts.has(part.name) && table === undefined && !isReservedSchema(schema);
    if (isDropped) return undefined;
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
