import {
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
} from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import type { GridRow } from "../rows/row-store.ts";
import {
  boxWidth,
  type GridColumn,
  type PlacedColumn,
  placeColumns,
  visibleColumns,
} from "./grid-column.ts";
import { GridHead, type HeadProps } from "./grid-head.tsx";
import { type GridBounds, rangeOf } from "./grid-position.ts";
import { GridRowView, type GridWords, WaitingRow } from "./grid-row.tsx";
import { type UnsavedCells, UnsavedNote } from "./unsaved-cell.tsx";
import { type GridEvents, useGridEvents } from "./use-grid-events.ts";
import { useScrollWindow } from "./use-scroll-window.ts";

/** Rows before the last loaded one at which the next page is requested. */
const nearEnd = 60;
/** Rows that stand for those that are being loaded. */
const waitingRows = [0, 1, 2] as const;

/** What the grid shows, and what it calls. The state of the view is its page's. */
export interface DataGridProps
  extends Omit<HeadProps, "placed" | "gridId" | "activeColumn">,
    GridEvents {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  /** The number of all rows, if it is known. */
  readonly count: number | undefined;
  /** Pixels of a row. */
  readonly rowHeight: number;
  readonly checked: ReadonlySet<string>;
  /** The editor of the cell that is being edited. */
  readonly editor: ReactNode;
  readonly isEditing: boolean;
  readonly unsaved: UnsavedCells;
  readonly onCopy: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onNearEnd: () => void;
  /** Rows of the list before the first one. */
  readonly start?: number;
  /** What stands below columns, by their names. */
  readonly foot?: ReadonlyMap<string, ReactNode> | undefined;
}

/**
 * A grid with one tab stop after the pattern of ARIA: the focus stays on the grid, and `aria-activedescendant` names the
 * active cell, which may be scrolled out of sight. Rows and columns are drawn where they are seen.
 */
export function DataGrid(props: DataGridProps) {
  const { columns, rows, selection, rowHeight, isComplete, onNearEnd, isEditing } = props;
  const gridId = useId();
  const words = useGridWords();
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
  const { unsaved } = props;
  const activeName = columns[active.column]?.name ?? "";
  const activeUnsaved = unsaved.byRow.get(rows[active.row]?.id ?? "")?.get(activeName);
  const note =
    activeUnsaved?.fault === undefined || isEditing ? null : (
      <UnsavedNote cell={activeUnsaved} unsaved={unsaved} />
    );

  useEffect(() => {
    if (!isComplete && window.endRow + nearEnd > rows.length) onNearEnd();
  }, [isComplete, window.endRow, rows.length, onNearEnd]);

  useActiveCell(place, placed[active.column], {
    row: active.row,
    rowHeight,
    pinnedWidth,
    isEditing,
  });
  const events = useGridEvents(place, props, bounds);
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
      data-mixed={columns.some(({ column }) => column.updatable) ? "" : undefined}
      aria-busy={props.isLoading}
      aria-activedescendant={isActiveDrawn ? `${gridId}-${active.row}-${active.column}` : undefined}
      onScroll={onScroll}
      {...events}
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
                start={props.start ?? 0}
                height={rowHeight}
                placed={shown}
                left={isInRange ? range.left : -1}
                right={isInRange ? range.right : -1}
                activeColumn={position === active.row ? active.column : -1}
                isChecked={props.checked.has(row.id)}
                editor={isEditing && position === active.row ? props.editor : null}
                unsaved={unsaved.byRow.get(row.id)}
                note={position === active.row ? note : null}
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
        {props.foot !== undefined && (
          <GridFoot foot={props.foot} placed={shown} rowIndex={rows.length + 2} />
        )}
      </div>
    </div>
  );
}

function useGridWords(): GridWords {
  const t = useTranslations("grid");
  return useMemo(
    (): GridWords => ({
      follow: t("follow"),
      EDITED: t("EDITED"),
      NEW: t("NEW"),
      unsaved: (fault) => t("unsaved.cell", { fault }),
      selectRow: (number) => t("selectRow", { number }),
    }),
    [t],
  );
}

/** What a grid says of whole columns, below them and always in view. */
function GridFoot(props: {
  /** By the names of the columns. */
  readonly foot: ReadonlyMap<string, ReactNode>;
  readonly placed: readonly PlacedColumn[];
  readonly rowIndex: number;
}) {
  const t = useTranslations("grid");
  return (
    <div role="rowgroup" className="sticky bottom-0 z-3 h-8 border-line border-t bg-canvas">
      <div
        role="row"
        aria-rowindex={props.rowIndex}
        tabIndex={-1}
        data-foot
        className="relative h-full bg-canvas"
      >
        <div
          role="gridcell"
          aria-colindex={1}
          aria-label={t("summary.label")}
          tabIndex={-1}
          className="sticky left-0 z-1 float-left h-full border-line border-r bg-canvas"
          style={{ width: boxWidth }}
        />
        {props.placed.map(({ item, index, left }) => (
          <div
            key={item.name}
            role="gridcell"
            aria-colindex={index + 2}
            tabIndex={-1}
            className={classes(
              "top-0 flex h-full items-center border-line border-r bg-canvas px-2.25 font-medium",
              item.isPinned ? "sticky z-1 float-left" : "absolute",
              item.isNumeric && "justify-end",
            )}
            style={{ left, width: item.width }}
          >
            {props.foot.get(item.name)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Pixels of the header. */
const headHeight = 33;

interface ActiveCell {
  readonly row: number;
  readonly rowHeight: number;
  readonly pinnedWidth: number;
  readonly isEditing: boolean;
}

/** Scrolls to the active cell when it moves, and returns the focus to the grid after an edit. */
function useActiveCell(
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
