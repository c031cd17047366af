import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { typedValue, UnreadText } from "../editors/draft.ts";
import { RowPicker } from "../editors/row-picker.tsx";
import { ValueEditor } from "../editors/value-editor.tsx";
import type { GridColumn } from "../grid/grid-column.ts";
import { titleOf } from "../model/resource.ts";
import { useWays } from "../values/ways.ts";

interface CellEditorProps {
  readonly item: GridColumn;
  /** The resource that the column refers to, if the person may see it. */
  readonly target: NavigationResource | undefined;
  readonly value: unknown;
  /** The text by which people recognize the row that the value refers to. */
  readonly text: string | undefined;
  readonly typed: string | undefined;
  readonly onCommit: (
    value: unknown,
    move: { readonly row: number; readonly column: number },
  ) => void;
  readonly onCancel: () => void;
}

/** Edits the value of one cell in its place. Enter goes down, Tab to the side, Escape leaves the value as it was. */
export function CellEditor(props: CellEditorProps) {
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
