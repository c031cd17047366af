import type { KeyboardEvent } from "react";
import type { GridColumn } from "../grid/grid-column.ts";
import type { GridPosition, GridSelection } from "../grid/grid-position.ts";
import type { GridRow, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import type { CheckedRows } from "./use-checked.ts";

/** What the keys of a grid act on. */
interface GridWork {
  readonly state: RowsState;
  readonly columns: readonly GridColumn[];
  readonly changes: RowChanges;
  readonly checked: CheckedRows;
  readonly clipboard: { clear(): Promise<void> };
  readonly active: GridPosition;
  open(row: GridRow): void;
  follow(position: GridPosition): void;
  activate(position: GridPosition, isShift: boolean): void;
  choose(selection: GridSelection): void;
  beginEdit(position: GridPosition, typed?: string): boolean;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onMenu: (column: number, beside: Element) => void;
}

/** Handles the keys of a grid that do not move. Returns whether the key was used. */
export function pressGridKey(event: KeyboardEvent<HTMLElement>, work: GridWork): boolean {
  const { key } = event;
  const { active, checked, changes, columns } = work;
  const { rows } = work.state;
  const isControl = event.ctrlKey || event.metaKey;
  const row = rows[active.row];
  if (key === "Enter" && event.altKey) work.follow(active);
  else if (key === "ArrowDown" && event.altKey && active.row === -1) {
    const head = `[data-row="-1"] [data-column="${active.column}"]`;
    work.onMenu(active.column, event.currentTarget.querySelector(head) ?? event.currentTarget);
  } else if (key === "Enter" && isControl) {
    if (row !== undefined) work.open(row);
  } else if (key === "Enter" || key === "F2") work.activate(active, event.shiftKey);
  else if (key === " ") {
    if (active.row >= 0) checked.toggle(active.row, event.shiftKey);
  } else if (isControl && key.toLowerCase() === "z") {
    void (event.shiftKey ? changes.redo() : changes.undo());
  } else if (isControl && key.toLowerCase() === "y") void changes.redo();
  else if (isControl && key.toLowerCase() === "a") {
    work.choose({
      anchor: { row: 0, column: 0 },
      active: { row: rows.length - 1, column: columns.length - 1 },
    });
  } else if (key === "Delete" && event.shiftKey) {
    work.onDelete(checked.rows.length > 0 ? checked.rows : row === undefined ? [] : [row]);
  } else if (key === "Delete" || key === "Backspace") void work.clipboard.clear();
  else if (key === "Escape" && checked.rows.length > 0) checked.setAll(false);
  else if (key.length === 1 && !isControl && !event.altKey && active.row >= 0) {
    return work.beginEdit(active, key);
  } else return false;
  return true;
}
