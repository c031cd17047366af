import type { Catalogue } from "@rowhouse/db";
import { isObject } from "@rowhouse/wire";
import type { Document } from "../model/document.ts";
import type { PartChange } from "../model/part.ts";
import { throwAll } from "./document-faults.ts";
import { readRelationKey, relationKey } from "./document-name.ts";

/** What a document renames, as the record of an apply has it. */
export function renameOf(former: string, column?: string): string {
  return column === undefined ? former : `${former} to ${column}`;
}

/** Returns what a document renames: the record itself, and its columns. */
export function formerNamesIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  const { renamedFrom, columns } = value;
  const own = typeof renamedFrom === "string" ? [renameOf(renamedFrom)] : [];
  const named = Object.entries(isObject(columns) ? columns : {}).flatMap(([name, column]) =>
    isObject(column) && typeof column.renamedFrom === "string"
      ? [renameOf(column.renamedFrom, name)]
      : [],
  );
  return [...own, ...named];
}

/** What `formerPath` needs of a change. */
type Change = Pick<PartChange<unknown>, "wanted" | "isStale" | "notes" | "documents"> & {
  readonly present: { readonly has: (path: string) => boolean };
};

/**
 * Returns the present path of a record that its document renames; undefined if there is nothing to rename. If both names
 * exist, a note says that `renamedFrom` has no effect.
 *
 * @param noun `view`
 * @throws AppError with a fault if both exist and the former one is in no file: its deletion is not guessed
 */
export function formerPath(
  {
    path,
    names,
    value: { renamedFrom },
    faultAt,
  }: Document<{ readonly renamedFrom: string | null }>,
  { present, wanted, isStale, notes, documents }: Change,
  {
    noun,
    pathOf,
  }: { readonly noun: string; readonly pathOf: (former: string) => string | undefined },
): string | undefined {
  const former = renamedFrom === null ? undefined : pathOf(renamedFrom);
  if (renamedFrom === null || former === undefined || !present.has(former)) return undefined;
  const refuse = (message: string) => throwAll([faultAt(["renamedFrom"], message)]);
  const from = readRelationKey(renamedFrom);
  if (names.length === 2 && from !== undefined && documents.isOthers(from.schema, from.name)) {
    refuse(`The files leave ${renamedFrom} to other tools, so it is not renamed`);
  }
  if (!present.has(path)) return former;
  const both = `${renamedFrom} and this ${noun} both exist`;
  if (!wanted.has(former) && !isStale(path, renamedFrom)) {
    refuse(`${both}; drop one of them, or remove renamedFrom`);
  }
  notes.push({
    document: path,
    subject: names.length === 2 ? relationKey(names[0] ?? "", names[1] ?? "") : (names[0] ?? ""),
    message: `${both}, so renamedFrom has no effect; remove it`,
  });
  return undefined;
}

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
