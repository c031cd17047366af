import type { NavigationColumn } from "../../shell/navigation.ts";

/** For each name of the file, the column that receives its values; null for a name that is not imported. */
export type Mapping = readonly (string | null)[];

type Column = Pick<NavigationColumn, "name" | "label">;

/** The end of the head of a column with titles, in the files of the service. */
const titleSuffix = /\s*\(title\)$/i;

/** Returns the head of the column to which a head with titles belongs; null for another head. */
export function subjectOfTitles(head: string): string | null {
  return titleSuffix.test(head) ? head.replace(titleSuffix, "") : null;
}

/**
 * Maps names of a file to columns, each at most once: by name, then by name or label without regard to case and signs, and
 * titles to their column unless the file has its keys too.
 */
export function guessMapping(names: readonly string[], columns: readonly Column[]): Mapping {
  const taken = new Set<string>();
  const take = (column: Column | undefined): string | null => {
    if (column === undefined || taken.has(column.name)) return null;
    taken.add(column.name);
    return column.name;
  };
  const exact = names.map((name) => take(columns.find((column) => column.name === name)));
  return names.map((name, index) => {
    const key = plain(subjectOfTitles(name) ?? name);
    const alike = (column: Column) =>
      key !== "" && (plain(column.name) === key || plain(column.label ?? "") === key);
    return exact[index] ?? take(columns.find((column) => alike(column) && !taken.has(column.name)));
  });
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Returns the columns that every new row needs and that no name is mapped to. */
export function missingColumns<Required extends Pick<NavigationColumn, "name" | "required">>(
  mapping: Mapping,
  columns: readonly Required[],
): readonly Required[] {
  return columns.filter(({ name, required }) => required && !mapping.includes(name));
}
