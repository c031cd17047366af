import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
} from "react";
import { useTranslations } from "use-intl";
import type { GridRow } from "../rows/row-store.ts";
import { type GridColumn, type PlacedColumn, placeColumns, visibleColumns } from "./grid-column.ts";
import { GridHead, type HeadProps } from "./grid-head.tsx";
import {
  type GridBounds,
  type GridPosition,
  type GridSelection,
  moveSelection,
  rangeOf,
  selectCell,
} from "./grid-position.ts";
import { GridRowView, type GridWords, WaitingRow } from "./grid-row.tsx";
import { useScrollWindow } from "./use-scroll-window.ts";

const headHeight = 33;
/** Rows before the last loaded one at which the next page is requested. */
const nearEnd = 60;
/** Rows that stand for those that are being loaded. */
const waitingRows = [0, 1, 2] as const;

/** What the grid shows, and what it calls. The state of the view is its page's. */
export interface DataGridProps extends Omit<HeadProps, "placed" | "gridId" | "activeColumn"> {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  /** The number of all rows, if it is known. */
  readonly count: number | undefined;
  /** Pixels of a row. */
  readonly rowHeight: number;
  readonly selection: GridSelection;
  readonly onSelect: (selection: GridSelection) => void;
  readonly checked: ReadonlySet<string>;
  /** Checks or unchecks a row; with Shift, all from the last one on. */
  readonly onCheck: (position: number, isRange: boolean) => void;
  /** The editor of the cell that is being edited. */
  readonly editor: ReactNode;
  readonly isEditing: boolean;
  /** Keys that do not move; returns whether the key was used. */
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => boolean;
  /** A double press on a cell, or a press on a header. */
  readonly onActivate: (position: GridPosition, isShift: boolean) => void;
  /** A press on the arrow to a related row. */
  readonly onFollow: (position: GridPosition) => void;
  readonly onCopy: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onNearEnd: () => void;
}

/**
 * A grid with one tab stop after the pattern of ARIA: the focus stays on the grid, and `aria-activedescendant` names the
 * active cell, which may be scrolled out of sight. Rows and columns are drawn where they are seen.
 */
export function DataGrid(props: DataGridProps) {
  const { columns, rows, selection, rowHeight, isComplete, onNearEnd, isEditing } = props;
  const gridId = useId();
  const t = useTranslations("grid");
  const words = useMemo(
    (): GridWords => ({
      follow: t("follow"),
      EDITED: t("EDITED"),
      NEW: t("NEW"),
      selectRow: (number) => t("selectRow", { number }),
    }),
    [t],
  );
  const place = useRef<HTMLDivElement>(null);
  const { window, onScroll } = useScrollWindow(place, rowHeight, headHeight);
  const { placed, pinnedWidth, totalWidth } = useMemo(() => placeColumns(columns), [columns]);
  const shown = useMemo(
    () => visibleColumns(placed, window.left, window.right),
    [placed, window.left, window.right],
  );
  const bounds: GridBounds = { rows: rows.length, columns: columns.length, page: window.page };
  const range = rangeOf(selection);
  const { active } = selection;

  useEffect(() => {
    if (!isComplete && window.endRow + nearEnd > rows.length) onNearEnd();
  }, [isComplete, window.endRow, rows.length, onNearEnd]);

  const activeColumn = placed[active.column];
  const { row: activeRow } = active;
  useEffect(() => {
    if (place.current === null || activeColumn === undefined) return;
    reveal(place.current, activeRow, activeColumn, { rowHeight, pinnedWidth });
  }, [activeRow, activeColumn, rowHeight, pinnedWidth]);

  const wasEditing = useRef(false);
  useEffect(() => {
    // An editor that closes had the focus; the keys go on at its cell.
    if (wasEditing.current && !isEditing) place.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

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

  const drawn = rows.slice(window.firstRow, window.endRow);
  const height = (rows.length + (isComplete ? 0 : waitingRows.length)) * rowHeight;
  const isActiveDrawn =
    active.row < 0 || (active.row >= window.firstRow && active.row < window.endRow);
  return (
    <div
      ref={place}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={props.count === undefined ? -1 : props.count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-busy={props.isLoading}
      aria-activedescendant={isActiveDrawn ? `${gridId}-${active.row}-${active.column}` : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onCopy={props.onCopy}
      onPaste={props.onPaste}
      className="group/grid relative min-h-0 flex-1 overflow-auto overscroll-contain bg-surface outline-none contain-strict"
    >
      <div role="presentation" className="relative min-w-full" style={{ width: totalWidth }}>
        <GridHead
          {...props}
          gridId={gridId}
          placed={shown}
          activeColumn={active.row === -1 ? active.column : undefined}
        />
        <div role="rowgroup" className="relative" style={{ height }}>
          {drawn.map((row, index) => {
            const position = window.firstRow + index;
            const isInRange = position >= range.top && position <= range.bottom;
            return (
              <GridRowView
                key={row.id}
                gridId={gridId}
                words={words}
                row={row}
                position={position}
                height={rowHeight}
                placed={shown}
                left={isInRange ? range.left : -1}
                right={isInRange ? range.right : -1}
                activeColumn={position === active.row ? active.column : -1}
                isChecked={props.checked.has(row.id)}
                editor={isEditing && position === active.row ? props.editor : null}
              />
            );
          })}
          {!isComplete &&
            waitingRows.map((index) => (
              <WaitingRow
                key={`waiting ${index}`}
                top={(rows.length + index) * rowHeight}
                height={rowHeight}
                placed={shown}
              />
            ))}
        </div>
      </div>
    </div>
  );
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
