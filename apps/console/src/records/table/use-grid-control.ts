import { type KeyboardEvent, useCallback, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { DataGridProps } from "../grid/data-grid.tsx";
import type { GridColumn } from "../grid/grid-column.ts";
import {
  clampSelection,
  type GridPosition,
  type GridSelection,
  selectCell,
} from "../grid/grid-position.ts";
import { referencedKey, targetOf } from "../model/reference.ts";
import { recordPath } from "../panel/record-path.ts";
import type { GridRow, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { pressGridKey } from "./grid-keys.ts";
import type { Paste } from "./paste.ts";
import { orderOf, sortOf, toggleSort } from "./rows-search.ts";
import type { TableView } from "./table-view.ts";
import { useCellEditing } from "./use-cell-editing.tsx";
import { type CheckedRows, useChecked } from "./use-checked.ts";
import { useGridClipboard } from "./use-grid-clipboard.ts";
import { useRowHeight } from "./use-row-height.ts";
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
  readonly view: TableView;
  readonly state: RowsState;
  readonly resources: readonly NavigationResource[];
  readonly changes: RowChanges;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onMenu: (column: number, beside: Element) => void;
}

/** Selection, keys, editing and the clipboard of a grid. */
export function useGridControl(parts: ControlParts): GridControl {
  const { view, state, resources, changes } = parts;
  const { columns, resource } = view;
  const { rows } = state;
  const rowHeight = useRowHeight();
  const checked = useChecked(rows);
  const [chosen, choose] = useState(() => selectCell({ row: 0, column: 0 }));
  const bounds = { rows: rows.length, columns: columns.length, page: 1 };
  const selection = clampSelection(chosen, bounds);
  const { active } = selection;
  const sort = sortOf(view.orderBy);
  const isUpdatable = useCallback(
    (row: GridRow, { column }: GridColumn) => row.key !== null && column.updatable,
    [],
  );

  const editing = useCellEditing({ view, state, resources, changes, active, choose, isUpdatable });
  const clipboard = useGridClipboard({ view, state, changes, selection, isUpdatable });
  const open = (row: GridRow): void => {
    if (row.key !== null) view.openRecords([recordPath(resource, row.key)], true);
  };
  const follow = ({ row, column }: GridPosition): void => {
    const item = columns[column];
    const target = targetOf(resources, item?.reference);
    const values = rows[row]?.values;
    if (item?.reference === undefined || target === undefined || values === undefined) return;
    const key = referencedKey(item.reference, target, values);
    if (key !== null) view.openRecords([recordPath(target, key)], true);
  };
  const activate = (position: GridPosition, isShift: boolean): void => {
    const column = columns[position.column];
    const row = rows[position.row];
    if (position.row === -1 && column !== undefined) {
      view.setOrder(orderOf(toggleSort(sort, column.name, isShift)));
    } else if (row !== undefined && !editing.begin(position)) open(row);
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): boolean =>
    pressGridKey(event, {
      ...{ state, changes, checked, clipboard, active, columns },
      ...{ open, follow, activate, choose, beginEdit: editing.begin },
      ...{ onDelete: parts.onDelete, onMenu: parts.onMenu },
    });
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
      ...{ selection, sort, rowHeight, onKey },
      editor: editing.editor,
      isEditing: editing.editor !== null,
      onCopy: (event) => {
        if (editing.editor === null) clipboard.onCopy(event);
      },
      onPaste: (event) => {
        if (editing.editor === null) clipboard.onPaste(event);
      },
      onSelect: (next) => {
        choose(next);
      },
      checked: checked.ids,
      checkedRows: checked.extent,
      onCheck: checked.toggle,
      onCheckAll: checked.setAll,
      onActivate: activate,
      onFollow: follow,
    },
  };
}
