import { type ReactNode, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { type GridColumn, referenceText } from "../grid/grid-column.ts";
import { type GridPosition, type GridSelection, selectCell } from "../grid/grid-position.ts";
import { isEqual } from "../model/is-equal.ts";
import { targetOf } from "../model/reference.ts";
import type { GridRow, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { CellEditor } from "./cell-editor.tsx";
import type { TableView } from "./table-view.ts";

interface EditingParts {
  readonly view: TableView;
  readonly state: RowsState;
  readonly resources: readonly NavigationResource[];
  readonly changes: RowChanges;
  readonly active: GridPosition;
  readonly choose: (selection: GridSelection) => void;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
}

interface Editing {
  readonly row: number;
  readonly column: number;
  /** What was typed on the cell, which begins its new text. */
  readonly typed: string | undefined;
}

/** Edits the cells of a grid, one at a time. */
export function useCellEditing(parts: EditingParts): {
  /** Null while no cell is edited. */
  readonly editor: ReactNode;
  /** Begins to edit a cell; returns whether the person may change it. */
  begin(position: GridPosition, typed?: string): boolean;
} {
  const { view, state, resources, changes, active, choose, isUpdatable } = parts;
  const { columns } = view;
  const { rows } = state;
  const [editing, setEditing] = useState<Editing | null>(null);
  const row = rows[editing?.row ?? -1];
  const column = columns[editing?.column ?? -1];
  const commit = async (value: unknown, move: GridPosition): Promise<void> => {
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
  let editor: ReactNode = null;
  if (editing !== null && row !== undefined && column !== undefined) {
    editor = (
      <CellEditor
        item={column}
        target={targetOf(resources, column.reference)}
        value={row.values[column.name]}
        text={referenceText(column, row.values)}
        typed={editing.typed}
        onCommit={(value, move) => void commit(value, move)}
        onCancel={() => setEditing(null)}
      />
    );
  }
  return {
    editor,
    begin: (position, typed) => {
      const nextRow = rows[position.row];
      const nextColumn = columns[position.column];
      if (nextRow === undefined || nextColumn === undefined) return false;
      if (!isUpdatable(nextRow, nextColumn)) return false;
      changes.dismiss();
      choose(selectCell(position));
      setEditing({ ...position, typed });
      return true;
    },
  };
}
