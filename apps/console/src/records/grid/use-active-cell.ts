import { type RefObject, useEffect, useRef } from "react";
import type { PlacedColumn } from "./grid-column.ts";

/** Pixels of the header. */
export const headHeight = 33;

interface ActiveCell {
  readonly row: number;
  readonly rowHeight: number;
  readonly pinnedWidth: number;
  readonly isEditing: boolean;
}

/** Scrolls to the active cell when it moves, and returns the focus to the grid after an edit. */
export function useActiveCell(
  place: RefObject<HTMLElement | null>,
  column: PlacedColumn | undefined,
  { row, rowHeight, pinnedWidth, isEditing }: ActiveCell,
): void {
  useEffect(() => {
    if (place.current === null || column === undefined) return;
    reveal(place.current, row, column, { rowHeight, pinnedWidth });
  }, [place, row, column, rowHeight, pinnedWidth]);
  const wasEditing = useRef(false);
  useEffect(() => {
    // An editor that closes had the focus; the keys go on at its cell.
    if (wasEditing.current && !isEditing) place.current?.focus();
    wasEditing.current = isEditing;
  }, [place, isEditing]);
}

/** Scrolls as little as is needed to show a cell beside the header and the pinned columns. */
function reveal(
  element: HTMLElement,
  row: number,
  { item, left }: PlacedColumn,
  { rowHeight, pinnedWidth }: { readonly rowHeight: number; readonly pinnedWidth: number },
): void {
  if (row >= 0) {
    const top = row * rowHeight;
    const bottom = top + rowHeight + headHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = bottom - element.clientHeight;
    }
  }
  if (item.isPinned) return;
  if (left - pinnedWidth < element.scrollLeft) element.scrollLeft = left - pinnedWidth;
  else if (left + item.width > element.scrollLeft + element.clientWidth) {
    element.scrollLeft = left + item.width - element.clientWidth;
  }
}
