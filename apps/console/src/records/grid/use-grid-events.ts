import type { KeyboardEvent, MouseEvent, RefObject } from "react";
import {
  type GridBounds,
  type GridPosition,
  type GridSelection,
  moveSelection,
  selectCell,
} from "./grid-position.ts";

/** What the grid calls when it is worked with. */
export interface GridEvents {
  readonly selection: GridSelection;
  readonly onSelect: (selection: GridSelection) => void;
  /** Checks or unchecks a row; with Shift, all from the last one on. */
  readonly onCheck: (position: number, isRange: boolean) => void;
  /** Keys that do not move; returns whether the key was used. */
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => boolean;
  /** A double press on a cell, or a press on a header. */
  readonly onActivate: (position: GridPosition, isShift: boolean) => void;
  /** A press on the arrow to a related row. */
  readonly onFollow: (position: GridPosition) => void;
}

/** The handlers of keys and presses of a grid, whose cells name their places in data attributes. */
export function useGridEvents(
  place: RefObject<HTMLElement | null>,
  props: GridEvents,
  bounds: GridBounds,
) {
  const { selection } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || event.nativeEvent.isComposing) return;
    const { key, shiftKey: isShift } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const moved = moveSelection(selection, { key, isShift, isControl }, bounds);
    if (moved !== null && !event.altKey) props.onSelect(moved);
    else if (!props.onKey(event)) return;
    event.preventDefault();
  };

  const onMouseDown = (event: MouseEvent<HTMLElement>): void => {
    const cell = cellOf(event.target);
    // A note is there while the grid has the focus.
    if (event.target instanceof Element && event.target.closest("[data-note]") !== null) {
      event.preventDefault();
      return;
    }
    if (cell === null || event.button !== 0 || isInEditor(event.target)) return;
    // The focus stays on the grid, and Shift selects cells rather than texts.
    event.preventDefault();
    place.current?.focus({ preventScroll: true });
    const { row } = cell;
    if (row >= 0) {
      const anchor = event.shiftKey ? selection.anchor : cell;
      props.onSelect({ active: cell, anchor });
    }
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const { target } = event;
    if (!(target instanceof Element) || isInEditor(target)) return;
    if (target.closest("[data-box]") !== null) {
      props.onCheck(rowOf(target), event.shiftKey);
      return;
    }
    const cell = cellOf(target);
    if (cell === null) return;
    if (target.closest("[data-follow]") !== null) props.onFollow(cell);
    else if (cell.row === -1 && target.closest("[data-menu], [data-resize]") === null) {
      props.onSelect(selectCell(cell));
      props.onActivate(cell, event.shiftKey);
    }
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>): void => {
    const cell = cellOf(event.target);
    if (cell !== null && cell.row >= 0 && !isInEditor(event.target)) props.onActivate(cell, false);
  };
  return { onKeyDown, onMouseDown, onClick, onDoubleClick };
}

/** Returns the cell that an element is in. */
function cellOf(target: EventTarget): GridPosition | null {
  if (!(target instanceof Element)) return null;
  const column = target.closest<HTMLElement>("[data-column]")?.dataset.column;
  return column === undefined ? null : { row: rowOf(target), column: Number(column) };
}

function rowOf(target: Element): number {
  return Number(target.closest<HTMLElement>("[data-row]")?.dataset.row ?? -1);
}

function isInEditor(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-editor]") !== null;
}
