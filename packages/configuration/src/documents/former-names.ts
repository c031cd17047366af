import { isObject } from "@rowhouse/wire";

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
