import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { useScrollWindow } from "../../records/grid/use-scroll-window.ts";
import type { ResourceEntry } from "../../shell/resource-queries.ts";
import { useWide } from "../../ui/use-wide.ts";
import type { Role } from "../access-queries.ts";
import type { GrantIndex } from "./cell-state.ts";
import { MatrixHead } from "./matrix-head.tsx";
import {
  type CellPosition,
  cellWidth,
  clampCell,
  groupSize,
  groupWidth,
  headHeight,
  moveCell,
  ownGroups,
  placeOf,
  rowHeight,
} from "./matrix-layout.ts";
import { MatrixRow } from "./matrix-row.tsx";
import { useMatrixWords } from "./use-matrix-words.ts";

interface MatrixGridProps {
  readonly label: string;
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly grants: GrantIndex;
  /** A cell was pressed, or Enter or Space on it. */
  readonly onActivate: (position: CellPosition) => void;
}

const nameWidths = { wide: 280, narrow: 132 };

/**
 * The matrix as a grid after the pattern of ARIA, with one tab stop: `aria-activedescendant` names the active cell. Rows
 * and groups of columns are drawn where they are seen.
 */
export function MatrixGrid({ label, resources, roles, grants, onActivate }: MatrixGridProps) {
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

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey) return;
    const isControl = event.ctrlKey || event.metaKey;
    const moved = moveCell(active, { key: event.key, isControl }, bounds);
    if (moved !== null) choose(moved);
    else if (event.key === "Enter" || event.key === " ") onActivate(active);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent<HTMLElement>): void => {
    const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
    const row = cell?.closest<HTMLElement>("[data-row]")?.dataset.row;
    if (cell === null || row === undefined) return;
    const pressed = { row: Number(row), column: Number(cell.dataset.column) };
    place.current?.focus({ preventScroll: true });
    choose(pressed);
    onActivate(pressed);
  };
  const drawn = resources.slice(window.firstRow, window.endRow);
  const { group } = placeOf(active.column);
  const isActiveDrawn =
    active.row >= window.firstRow &&
    active.row < window.endRow &&
    group >= firstGroup &&
    group < endGroup;
  return (
    <div
      ref={place}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={resources.length + 2}
      aria-colcount={bounds.columns + 1}
      aria-activedescendant={isActiveDrawn ? `${gridId}-${active.row}-${active.column}` : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={onClick}
      className="group/matrix relative h-[calc(100dvh-19rem)] min-h-72 overflow-auto overscroll-contain rounded-panel border border-line bg-surface focus-visible:outline-2 focus-visible:outline-accent"
    >
      <div
        role="presentation"
        className="relative min-w-full"
        style={{ width: nameWidth + groups * groupWidth }}
      >
        <MatrixHead {...{ roles, words, nameWidth, firstGroup, endGroup }} />
        <div role="rowgroup" className="relative" style={{ height: resources.length * rowHeight }}>
          {drawn.map((resource, index) => {
            const position = window.firstRow + index;
            return (
              <MatrixRow
                key={resource.id}
                {...{ gridId, resource, position, roles, grants, words, nameWidth }}
                {...{ firstGroup, endGroup }}
                activeColumn={position === active.row ? active.column : -1}
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
  const top = row * rowHeight;
  const bottom = top + rowHeight + headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight) {
    element.scrollTop = bottom - element.clientHeight;
  }
  const { group, slot } = placeOf(column);
  const left = group * groupWidth + slot * cellWidth;
  const right = left + cellWidth + 1 + nameWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  else if (right > element.scrollLeft + element.clientWidth) {
    element.scrollLeft = right - element.clientWidth;
  }
}
