import type { Catalogue } from "@rowhouse/db";
import { readRelationKey, relationKey } from "../documents/document-name.ts";
import type { Document } from "../model/document.ts";

type Renaming = Document<{ readonly renamedFrom: string | null }>;

/** Returns the new names of the relations that documents rename, by their former ones that no document takes up again. */
export function movedRelations(
  catalogue: Catalogue,
  documents: Iterable<Renaming>,
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  const taken = new Set<string>();
  for (const { names, value } of documents) {
    const [schema = "", name = ""] = names;
    const own = relationKey(schema, name);
    taken.add(own);
    const from = value.renamedFrom === null ? undefined : readRelationKey(value.renamedFrom);
    if (from === undefined || catalogue.relationByName(schema, name) !== undefined) continue;
    if (catalogue.relationByName(from.schema, from.name) === undefined) continue;
    moved.set(relationKey(from.schema, from.name), own);
  }
  for (const own of taken) moved.delete(own);
  return moved;
}

/** What a fault says of a text with a former name. */
export function formerNameMessage(former: string, now: string): string {
  return `These files rename ${former} to ${now}; write the new name here`;
}
