import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { typedValue, UnreadText } from "../editors/draft.ts";
import { RowPicker } from "../editors/row-picker.tsx";
import { ValueEditor } from "../editors/value-editor.tsx";
import { type GridColumn, referenceText } from "../grid/grid-column.ts";
import { type GridPosition, type GridSelection, selectCell } from "../grid/grid-position.ts";
import { isEqual } from "../model/is-equal.ts";
import { targetOf } from "../model/reference.ts";
import { titleOf } from "../model/resource.ts";
import type { GridRow, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { useWays } from "../values/ways.ts";
import type { TableView } from "./table-view.ts";
import type { useUnsavedCells } from "./unsaved-cells.tsx";

interface EditingParts {
  readonly view: TableView;
  readonly state: RowsState;
  readonly resources: readonly NavigationResource[];
  readonly changes: RowChanges;
  readonly unsaved: ReturnType<typeof useUnsavedCells>;
  readonly active: GridPosition;
  readonly choose: (selection: GridSelection) => void;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
}

interface Editing {
  readonly row: number;
  readonly column: number;
  /** What was typed on the cell, which begins its new text. */
  readonly typed: string | undefined;
  /** Whether the text is continued at its end. */
  readonly isContinued: boolean;
}

/** How a cell begins to be edited: replaced by a typed text, or continued at its end. */
export type EditStart = Partial<Pick<Editing, "typed" | "isContinued">>;

/** Edits the cells of a grid, one at a time. */
export function useCellEditing(parts: EditingParts): {
  /** Null while no cell is edited. */
  readonly editor: ReactNode;
  /** Begins to edit a cell; returns whether the person may change it. */
  begin(position: GridPosition, start?: EditStart): boolean;
} {
  const { view, state, resources, changes, active, choose, isUpdatable, unsaved } = parts;
  const { columns } = view;
  const { rows } = state;
  const ways = useWays();
  const [editing, setEditing] = useState<Editing | null>(null);
  const row = rows[editing?.row ?? -1];
  const column = columns[editing?.column ?? -1];
  const kept = unsaved.byRow.get(row?.id ?? "")?.get(column?.name ?? "");
  const commit = (value: unknown, move: GridPosition): void => {
    setEditing(null);
    if (row === undefined || column === undefined) return;
    choose(
      selectCell({
        row: Math.min(rows.length - 1, active.row + move.row),
        column: Math.max(0, Math.min(columns.length - 1, active.column + move.column)),
      }),
    );
    if (kept !== undefined && isEqual(value, kept.value)) return;
    if (!isEqual(value, row.values[column.name])) {
      // A text that was not saved replaces the value that its person saw first.
      void unsaved.write({ row: kept?.row ?? row, item: column, value });
    } else if (kept !== undefined) unsaved.discard([kept]);
  };
  let editor: ReactNode = null;
  if (editing !== null && row !== undefined && column !== undefined) {
    editor = (
      <CellEditor
        item={column}
        target={targetOf(resources, column.reference)}
        value={kept === undefined ? row.values[column.name] : kept.value}
        text={kept === undefined ? referenceText(column, row.values, ways) : undefined}
        typed={editing.typed}
        isContinued={editing.isContinued}
        onCommit={commit}
        onCancel={() => setEditing(null)}
      />
    );
  }
  return {
    editor,
    begin: (position, { typed, isContinued = false } = {}) => {
      const nextRow = rows[position.row];
      const nextColumn = columns[position.column];
      if (nextRow === undefined || nextColumn === undefined) return false;
      if (!isUpdatable(nextRow, nextColumn)) return false;
      changes.dismiss();
      choose(selectCell(position));
      setEditing({ ...position, typed, isContinued });
      return true;
    },
  };
}

interface CellEditorProps {
  readonly item: GridColumn;
  /** The resource that the column refers to, if the person may see it. */
  readonly target: NavigationResource | undefined;
  readonly value: unknown;
  /** The text by which people recognize the row that the value refers to. */
  readonly text: string | undefined;
  readonly typed: string | undefined;
  readonly isContinued: boolean;
  readonly onCommit: (
    value: unknown,
    move: { readonly row: number; readonly column: number },
  ) => void;
  readonly onCancel: () => void;
}

/** Edits the value of one cell in its place. Enter goes down, Tab to the side, Escape leaves the value as it was. */
function CellEditor(props: CellEditorProps) {
  const { item, target, value, typed, onCommit, onCancel } = props;
  const { column, reference } = item;
  const ways = useWays();
  const [draft, setDraft] = useState<unknown>(() =>
    typed === undefined || target !== undefined ? value : typedValue(column, typed, ways),
  );
  // A choice changes the value and commits it in one event.
  const latest = useRef(draft);
  const isDone = useRef(false);
  const change = (next: unknown) => {
    latest.current = next;
    setDraft(next);
  };
  const commit = (row: number, columns: number): void => {
    if (latest.current instanceof UnreadText || isDone.current) return;
    isDone.current = true;
    onCommit(latest.current, { row, column: columns });
  };
  const cancel = () => {
    isDone.current = true;
    onCancel();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.isDefaultPrevented()) return;
    const { target: field, key, shiftKey } = event;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (key === "Tab" && isField) commit(0, shiftKey ? -1 : 1);
    else if (key === "Enter" && shiftKey && field instanceof HTMLInputElement) commit(-1, 0);
    else if (key === "Escape") cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    // Another window, such as the one that chooses a file, is no end of the work.
    if (!currentTarget.contains(relatedTarget) && document.hasFocus()) commit(0, 0);
  };
  const editor = {
    ...{ column, value: draft, typed, onCancel: cancel, isCell: true, autoFocus: true },
    isContinued: props.isContinued,
    onCommit: () => commit(1, 0),
  };
  return (
    <fieldset
      data-editor
      aria-label={titleOf(column)}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      className="relative h-full min-w-0 bg-surface outline-2 -outline-offset-2 outline-accent"
    >
      {reference !== undefined && target !== undefined ? (
        <RowPicker
          {...editor}
          reference={{ relation: reference, target }}
          text={props.text}
          onChange={change}
          onPick={(values) => {
            change(values?.[column.name] ?? null);
            commit(1, 0);
          }}
        />
      ) : (
        <ValueEditor {...editor} onChange={change} />
      )}
    </fieldset>
  );
}
