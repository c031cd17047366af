import { randomUUID } from "node:crypto";

/**
 * Marks, in the text of a response, a to-many list with more rows than the response shows. PostgreSQL appends the mark
 * as the last element; `takeMarks` removes it. The mark is a secret of this process, so that no row can contain it.
 */
export const cutMark = `more ${randomUUID()}`;

const marks = new RegExp(`,"${cutMark}\\.(\\d+)"`, "g");

/** Removes the marks; returns the text and the paths of the relations whose lists had one. */
export function takeMarks(
  data: string,
  paths: readonly string[],
): { readonly data: string; readonly more: readonly string[] } {
  if (paths.length === 0 || !data.includes(cutMark)) return { data, more: [] };
  const found = new Set<number>();
  const bare = data.replaceAll(marks, (_mark, index: string) => {
    found.add(Number(index));
    return "";
  });
  return { data: bare, more: paths.filter((_path, index) => found.has(index)) };
}
