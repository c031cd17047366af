import { randomUUID } from "node:crypto";
import { createError } from "@rowhouse/errors";

/**
 * Marks a to-many list in the text of a response. It is a secret of this process, so that no row can contain it.
 * PostgreSQL writes it as the last element of a list with more rows than the response shows, as the cursor of a page of
 * related rows, with the position of the last row, and in place of a page whose cursor belongs to another row.
 */
export const listMark = `more ${randomUUID()}`;

const cuts = new RegExp(`,"${listMark}\\.(\\d+)"`, "g");
const positions = new RegExp(`"${listMark}>(\\d+) ((?:[^"\\\\]|\\\\.)*)"`, "g");
const misplaced = new RegExp(`"${listMark}!(\\d+)"`);

/**
 * Removes the marks.
 *
 * @param paths the paths of the lists, by the number in their mark
 * @param cursorAt returns the cursor of a position in the rows of a relation
 * @returns the text and the paths of the relations of which a list has more rows
 * @throws AppError QUERY_INVALID for a cursor of another row
 */
export function takeMarks(
  data: string,
  paths: readonly string[],
  cursorAt: (path: string, position: string) => string,
): { readonly data: string; readonly more: readonly string[] } {
  if (paths.length === 0 || !data.includes(listMark)) return { data, more: [] };
  const [, other] = misplaced.exec(data) ?? [];
  if (other !== undefined) {
    throw createError("QUERY_INVALID", {
      path: `deep[${paths[Number(other)]}][cursor]`,
      message: "This is a cursor of another row",
    });
  }
  const found = new Set<number>();
  const bare = data
    .replaceAll(cuts, (_mark, index: string) => {
      found.add(Number(index));
      return "";
    })
    .replaceAll(positions, (_mark, index: string, written: string) => {
      const position = JSON.parse(`"${written}"`) as string;
      return `"${cursorAt(paths[Number(index)] ?? "", position)}"`;
    });
  return { data: bare, more: paths.filter((_path, index) => found.has(index)) };
}
