import { actionMethods } from "../model/grant-queries.ts";

/** Pixels of the matrix: all rows have one height, all cells one width, which a word of a head fits. */
export const rowHeight = 32;
export const cellWidth = 52;
export const roleHeadHeight = 32;
const actionHeadHeight = 42;
export const headHeight = roleHeadHeight + actionHeadHeight;

/** Cells of a group: the methods of a resource, or the actions of a role. */
export const groupSize = actionMethods.length;
export const groupWidth = cellWidth * groupSize + 1;

/** Groups before those of the roles: the exposure. */
export const ownGroups = 1;

/** The row of the heads, and the column of the names. */
export const headIndex = -1;

/** A cell by its row and column; columns of all groups count on. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Returns the group of a column, and the place in it. */
export function placeOf(column: number): { readonly group: number; readonly slot: number } {
  return { group: Math.floor(column / groupSize), slot: column % groupSize };
}

/** Returns the cell that a key moves to; null for any other key. */
export function moveCell(
  { row, column }: CellPosition,
  { key, isControl }: { readonly key: string; readonly isControl: boolean },
  bounds: { readonly rows: number; readonly columns: number; readonly page: number },
): CellPosition | null {
  const last = { row: bounds.rows - 1, column: bounds.columns - 1 };
  const targets: Readonly<Record<string, CellPosition>> = {
    ArrowUp: { row: isControl ? 0 : row - 1, column },
    ArrowDown: { row: isControl ? last.row : row + 1, column },
    ArrowLeft: { row, column: isControl ? 0 : column - 1 },
    ArrowRight: { row, column: isControl ? last.column : column + 1 },
    Home: { row: isControl ? 0 : row, column: 0 },
    End: { row: isControl ? last.row : row, column: last.column },
    PageUp: { row: Math.max(0, row - bounds.page), column },
    PageDown: { row: row + bounds.page, column },
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target === undefined ? null : clampCell(target, bounds);
}

/** Returns the nearest cell within a matrix, its heads included. */
export function clampCell(
  { row, column }: CellPosition,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): CellPosition {
  return {
    row: Math.max(headIndex, Math.min(row, rows - 1)),
    column: Math.max(headIndex, Math.min(column, columns - 1)),
  };
}
