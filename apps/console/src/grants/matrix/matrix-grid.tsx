import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import type { ResourceEntry } from "../../shell/resource-queries.ts";
import { classes } from "../../ui/classes.ts";
import { useWide } from "../../ui/use-wide.ts";
import type { Role } from "../model/grant-queries.ts";
import type { GrantIndex } from "./cell-mark.tsx";
import { MatrixHead } from "./matrix-head.tsx";
import {
  type CellPosition,
  cellWidth,
  clampCell,
  groupSize,
  groupWidth,
  headHeight,
  headIndex,
  moveCell,
  ownGroups,
  placeOf,
  rowHeight,
} from "./matrix-layout.ts";
import { MatrixRow, useMatrixWords } from "./matrix-row.tsx";

interface MatrixGridProps {
  readonly label: string;
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly grants: GrantIndex;
  /** Keys of the methods and grants that are not yet stored. */
  readonly pending: ReadonlySet<string>;
  /** Ids of the selected resources. */
  readonly selected: ReadonlySet<string>;
  /** A cell or a head was pressed, or Enter or Space on it. */
  readonly onActivate: (position: CellPosition, cell: Element) => void;
  /** The menu of a cell is wanted. */
  readonly onMenu: (position: CellPosition, cell: Element) => void;
  /** A row is to be selected or no longer; with `isRange`, those up to the last one too. `headIndex` means all rows. */
  readonly onSelect: (row: number, isRange: boolean) => void;
}

const nameWidths = { wide: 304, narrow: 148 };

/**
 * The matrix as a grid after the pattern of ARIA, with one tab stop: `aria-activedescendant` names the active cell. Rows
 * and groups of columns are drawn where they are seen. Shift and Space select the row, Control and A all of them.
 */
export function MatrixGrid(props: MatrixGridProps) {
  const { label, resources, roles, grants, pending, selected, onActivate, onMenu, onSelect } =
    props;
  const gridId = useId();
  const words = useMatrixWords();
  const nameWidth = useWide() ? nameWidths.wide : nameWidths.narrow;
  const place = useRef<HTMLDivElement>(null);
  const { window, onScroll } = useScrollWindow(place, rowHeight, headHeight);
  const groups = ownGroups + roles.length;
  const bounds = { rows: resources.length, columns: groups * groupSize, page: window.page };
  const [chosen, choose] = useState<CellPosition>({ row: 0, column: 0 });
  const active = clampCell(chosen, bounds);
  const firstGroup = Math.max(0, Math.floor(window.left / groupWidth));
  const endGroup = Math.max(
    firstGroup,
    Math.min(groups, Math.ceil((window.right - nameWidth) / groupWidth)),
  );
  useEffect(() => {
    if (place.current !== null) reveal(place.current, active.row, active.column, nameWidth);
  }, [active.row, active.column, nameWidth]);

  const elementOf = ({ row, column }: CellPosition) =>
    document.getElementById(`${gridId}-${row}-${column}`);
  const activate = (position: CellPosition, isRange: boolean): void => {
    const cell = elementOf(position);
    if (position.column === headIndex) onSelect(position.row, isRange);
    else if (cell !== null) onActivate(position, cell);
  };
  const openMenu = (position: CellPosition): void => {
    const cell = elementOf(position);
    if (cell === null || position.column === headIndex) return;
    if (position.row === headIndex) onActivate(position, cell);
    else onMenu(position, cell);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey) return;
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const moved = moveCell(active, { key, isControl }, bounds);
    if (moved !== null) choose(moved);
    else if (key === "ContextMenu" || (key === "F10" && shiftKey)) openMenu(active);
    else if (key.toLowerCase() === "a" && isControl) onSelect(headIndex, false);
    else if (key === " " && shiftKey) onSelect(active.row, false);
    else if (key === "Enter" || key === " ") activate(active, false);
    else return;
    event.preventDefault();
  };
  /** The cell below the pointer, which becomes the active one. */
  const press = ({ target }: MouseEvent<HTMLElement>): CellPosition | null => {
    const cell =
      target instanceof Element ? target.closest<HTMLElement>("[data-column],[data-select]") : null;
    if (cell === null) return null;
    const { column = headIndex, select } = cell.dataset;
    const row = select ?? cell.closest<HTMLElement>("[data-row]")?.dataset.row ?? headIndex;
    const pressed = { row: Number(row), column: Number(column) };
    place.current?.focus({ preventScroll: true });
    choose(pressed);
    return pressed;
  };
  const drawn = resources.slice(window.firstRow, window.endRow);
  const { group } = placeOf(active.column);
  const isRowDrawn =
    active.row === headIndex || (active.row >= window.firstRow && active.row < window.endRow);
  const isColumnDrawn = active.column === headIndex || (group >= firstGroup && group < endGroup);
  const shownSelected = resources.filter(({ id }) => selected.has(id)).length;
  const selection =
    shownSelected === resources.length ? "ALL" : shownSelected > 0 ? "SOME" : "NONE";
  return (
    <div
      ref={place}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable
      aria-rowcount={resources.length + 2}
      aria-colcount={bounds.columns + 1}
      aria-activedescendant={
        isRowDrawn && isColumnDrawn ? `${gridId}-${active.row}-${active.column}` : undefined
      }
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const pressed = press(event);
        if (pressed !== null) activate(pressed, event.shiftKey);
      }}
      onContextMenu={(event) => {
        const pressed = press(event);
        if (pressed === null || pressed.column === headIndex) return;
        event.preventDefault();
        openMenu(pressed);
      }}
      className={classes(
        "group/matrix relative min-h-48 select-none overflow-auto overscroll-contain bg-surface focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent",
        // The bar of the selection lies above the end of the page.
        shownSelected > 0 ? "max-h-[calc(100dvh-26rem)]" : "max-h-[calc(100dvh-21rem)]",
      )}
    >
      <div
        role="presentation"
        className="relative min-w-full"
        style={{ width: nameWidth + groups * groupWidth }}
      >
        <MatrixHead {...{ gridId, roles, nameWidth, firstGroup, endGroup, active, selection }} />
        <div role="rowgroup" className="relative" style={{ height: resources.length * rowHeight }}>
          {drawn.map((resource, index) => {
            const position = window.firstRow + index;
            return (
              <MatrixRow
                key={resource.id}
                {...{ gridId, resource, position, roles, grants, pending, words, nameWidth }}
                {...{ firstGroup, endGroup }}
                isSelected={selected.has(resource.id)}
                activeColumn={position === active.row ? active.column : undefined}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Scrolls as little as is needed to show a cell beside the heads. */
function reveal(element: HTMLElement, row: number, column: number, nameWidth: number): void {
  if (row !== headIndex) {
    const top = row * rowHeight;
    const bottom = top + rowHeight + headHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = bottom - element.clientHeight;
    }
  }
  if (column === headIndex) return;
  const { group, slot } = placeOf(column);
  const left = group * groupWidth + slot * cellWidth;
  const right = left + cellWidth + 1 + nameWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + element.clientWidth) {
    element.scrollLeft = right - element.clientWidth;
  }
}
