import { type KeyboardEvent, type ReactNode, useCallback, useState } from "react";
import type { DataGridProps } from "../../records/grid/data-grid.tsx";
import { type GridColumn, referenceText } from "../../records/grid/grid-column.ts";
import {
  clampSelection,
  type GridPosition,
  type GridSelection,
  selectCell,
} from "../../records/grid/grid-position.ts";
import { isEqual } from "../../records/model/is-equal.ts";
import { referencedKey, targetOf } from "../../records/model/reference.ts";
import type { GridRow, RowsState } from "../../records/rows/row-store.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { recordPath } from "../panel/record-path.ts";
import { CellEditor } from "./cell-editor.tsx";
import type { Paste } from "./paste.ts";
import { orderOf, sortOf, toggleSort } from "./rows-search.ts";
import { type CheckedRows, useChecked } from "./use-checked.ts";
import { useGridClipboard } from "./use-grid-clipboard.ts";
import type { RowChanges } from "./use-row-changes.ts";
import { useRowHeight } from "./use-row-height.ts";
import type { RowsView } from "./use-rows-view.ts";
import { useSummary } from "./use-summary.ts";

type GridPart = Pick<
  DataGridProps,
  | "selection"
  | "onSelect"
  | "checked"
  | "checkedRows"
  | "onCheck"
  | "onCheckAll"
  | "sort"
  | "rowHeight"
  | "editor"
  | "isEditing"
  | "onKey"
  | "onActivate"
  | "onFollow"
  | "onCopy"
  | "onPaste"
>;

/** How the grid of a page is worked with. */
export interface GridControl {
  readonly gridProps: GridPart;
  readonly selection: GridSelection;
  readonly checked: CheckedRows;
  /** A paste that cannot be written, with its faults. */
  readonly paste: Paste | null;
  closePaste(): void;
  /** What is selected, in words. */
  readonly summary: string;
  /** Opens the record of a row beside the grid. */
  open(row: GridRow): void;
}

interface ControlParts {
  readonly view: RowsView;
  readonly state: RowsState;
  readonly resources: readonly NavigationResource[];
  readonly changes: RowChanges;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onMenu: (column: number, beside: Element) => void;
}

interface Editing {
  readonly row: number;
  readonly column: number;
  /** What was typed on the cell, which begins its new text. */
  readonly typed: string | undefined;
}

/** Selection, keys, editing and the clipboard of a grid. */
export function useGridControl(parts: ControlParts): GridControl {
  const { view, state, resources, changes } = parts;
  const { columns, resource, search } = view;
  const { rows } = state;
  const rowHeight = useRowHeight();
  const checked = useChecked(rows);
  const [chosen, choose] = useState(() => selectCell({ row: 0, column: 0 }));
  const [editing, setEditing] = useState<Editing | null>(null);
  const bounds = { rows: rows.length, columns: columns.length, page: 1 };
  const selection = clampSelection(chosen, bounds);
  const { active } = selection;
  const sort = sortOf(search.order_by);
  const isUpdatable = useCallback(
    (row: GridRow, { column }: GridColumn) => row.key !== null && column.updatable,
    [],
  );

  const clipboard = useGridClipboard({ view, state, changes, selection, isUpdatable });
  const open = (row: GridRow): void => {
    if (row.key !== null) view.change({ open: [recordPath(resource, row.key)] }, true);
  };
  const follow = ({ row, column }: GridPosition): void => {
    const item = columns[column];
    const target = targetOf(resources, item?.reference);
    const values = rows[row]?.values;
    if (item?.reference === undefined || target === undefined || values === undefined) return;
    const key = referencedKey(item.reference, target, values);
    if (key !== null) view.change({ open: [recordPath(target, key)] }, true);
  };
  const beginEdit = (position: GridPosition, typed?: string): boolean => {
    const row = rows[position.row];
    const column = columns[position.column];
    if (row === undefined || column === undefined) return false;
    if (!isUpdatable(row, column)) return false;
    changes.dismiss();
    choose(selectCell(position));
    setEditing({ ...position, typed });
    return true;
  };
  const activate = (position: GridPosition, isShift: boolean): void => {
    const column = columns[position.column];
    const row = rows[position.row];
    if (position.row === -1 && column !== undefined) {
      view.change({ order_by: orderOf(toggleSort(sort, column.name, isShift)) });
    } else if (row !== undefined && !beginEdit(position)) open(row);
  };
  const commit = async (
    value: unknown,
    move: { readonly row: number; readonly column: number },
  ) => {
    const row = rows[editing?.row ?? -1];
    const column = columns[editing?.column ?? -1];
    setEditing(null);
    if (row === undefined || column === undefined) return;
    choose(
      selectCell({
        row: Math.min(rows.length - 1, active.row + move.row),
        column: Math.max(0, Math.min(columns.length - 1, active.column + move.column)),
      }),
    );
    if (isEqual(value, row.values[column.name])) return;
    await changes.write({ changes: [{ row, after: { [column.name]: value } }] });
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): boolean => {
    const { key } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const row = rows[active.row];
    if (key === "Enter" && event.altKey) follow(active);
    else if (key === "ArrowDown" && event.altKey && active.row === -1) {
      parts.onMenu(
        active.column,
        event.currentTarget.querySelector(`[data-row="-1"] [data-column="${active.column}"]`) ??
          event.currentTarget,
      );
    } else if (key === "Enter" && isControl) {
      if (row !== undefined) open(row);
    } else if (key === "Enter" || key === "F2") activate(active, event.shiftKey);
    else if (key === " ") {
      if (active.row >= 0) checked.toggle(active.row, event.shiftKey);
    } else if (isControl && key.toLowerCase() === "z") {
      void (event.shiftKey ? changes.redo() : changes.undo());
    } else if (isControl && key.toLowerCase() === "y") void changes.redo();
    else if (isControl && key.toLowerCase() === "a") {
      choose({
        anchor: { row: 0, column: 0 },
        active: { row: rows.length - 1, column: columns.length - 1 },
      });
    } else if (key === "Delete" && event.shiftKey) {
      parts.onDelete(checked.rows.length > 0 ? checked.rows : row === undefined ? [] : [row]);
    } else if (key === "Delete" || key === "Backspace") void clipboard.clear();
    else if (key === "Escape" && checked.rows.length > 0) checked.setAll(false);
    else if (key.length === 1 && !isControl && !event.altKey && active.row >= 0) {
      return beginEdit(active, key);
    } else return false;
    return true;
  };
  const editedRow = rows[editing?.row ?? -1];
  const editedColumn = columns[editing?.column ?? -1];
  let editor: ReactNode = null;
  if (editing !== null && editedRow !== undefined && editedColumn !== undefined) {
    editor = (
      <CellEditor
        item={editedColumn}
        target={targetOf(resources, editedColumn.reference)}
        value={editedRow.values[editedColumn.name]}
        text={referenceText(editedColumn, editedRow.values)}
        typed={editing.typed}
        onCommit={(value, move) => void commit(value, move)}
        onCancel={() => setEditing(null)}
      />
    );
  }
  return {
    ...{
      selection,
      checked,
      open,
      paste: clipboard.paste,
      summary: useSummary(columns, rows, selection, checked.rows),
    },
    closePaste: clipboard.close,
    gridProps: {
      ...{ selection, sort, rowHeight, editor, onKey },
      onCopy: (event) => {
        if (editing === null) clipboard.onCopy(event);
      },
      onPaste: (event) => {
        if (editing === null) clipboard.onPaste(event);
      },
      onSelect: (next) => {
        choose(next);
      },
      checked: checked.ids,
      checkedRows: checked.extent,
      onCheck: checked.toggle,
      onCheckAll: checked.setAll,
      isEditing: editor !== null,
      onActivate: activate,
      onFollow: follow,
    },
  };
}
