import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { titleOf } from "../model/resource.ts";
import { readText } from "../values/read-text.ts";
import { plainText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";

interface CellEditorProps {
  readonly item: GridColumn;
  /** The resource that the column refers to, if the person may see it. */
  readonly target: NavigationResource | undefined;
  readonly value: unknown;
  readonly typed: string | undefined;
  readonly onCommit: (
    value: unknown,
    move: { readonly row: number; readonly column: number },
  ) => void;
  readonly onCancel: () => void;
}

/** Edits the value of one cell in its place. Enter goes down, Tab to the side, Escape leaves the value as it was. */
export function CellEditor({ item, value, typed, onCommit, onCancel }: CellEditorProps) {
  const ways = useWays();
  const place = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(typed ?? (value === null ? "" : plainText(item.column, value)));
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    place.current?.focus();
    if (typed === undefined) place.current?.select();
  }, [typed]);
  const commit = (row: number, column: number): void => {
    const isUntouched = text === "" && value === null;
    const reading = isUntouched ? { value } : readText(item.column, text, ways);
    if ("fault" in reading) setFault(reading.fault);
    else onCommit(reading.value, { row, column });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const { key, shiftKey } = event;
    if (key === "Escape") onCancel();
    else if (key === "Enter") commit(shiftKey ? -1 : 1, 0);
    else if (key === "Tab") commit(0, shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div data-editor className="relative h-full">
      <input
        ref={place}
        aria-label={titleOf(item.column)}
        aria-invalid={fault !== undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFault(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (fault === undefined) commit(0, 0);
        }}
        className="h-full w-full bg-surface px-2 outline-2 -outline-offset-2 outline-accent aria-invalid:outline-danger"
      />
      {fault !== undefined && (
        <p
          role="alert"
          className="absolute top-full left-0 z-4 w-max max-w-72 rounded-control border border-danger bg-danger-soft px-2 py-1 text-2 text-danger"
        >
          {fault}
        </p>
      )}
    </div>
  );
}
