import { memo, type ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import { ChevronRight } from "../../ui/icons.generated.ts";
import type { GridRow } from "../rows/row-store.ts";
import { CellValue } from "../values/cell-value.tsx";
import { boxWidth, type GridColumn, type PlacedColumn } from "./grid-column.ts";
import { GridValue } from "./grid-value.tsx";
import type { UnsavedCell } from "./unsaved-cell.tsx";

/** The texts that every row has. */
export interface GridWords {
  readonly follow: string;
  readonly EDITED: string;
  readonly NEW: string;
  selectRow(number: number): string;
  unsaved(fault: string): string;
}

interface GridRowProps {
  readonly gridId: string;
  readonly row: GridRow;
  readonly position: number;
  readonly height: number;
  readonly placed: readonly PlacedColumn[];
  /** The selected columns; -1 and -1 for none. */
  readonly left: number;
  readonly right: number;
  /** -1 if the active cell is in another row. */
  readonly activeColumn: number;
  /** Rows of the list before the first one of the grid. */
  readonly start: number;
  readonly isChecked: boolean;
  readonly words: GridWords;
  /** Takes the place of the active cell's value. */
  readonly editor: ReactNode;
  /** Cells of this row that are not stored yet, by the names of their columns. */
  readonly unsaved: ReadonlyMap<string, UnsavedCell> | undefined;
  /** Stands beside the active cell. */
  readonly note: ReactNode;
}

/** One row. Presses are handled by the grid, which finds the cell by its `data-` attributes. */
export const GridRowView = memo(function GridRowView(props: GridRowProps) {
  const { gridId, row, position, height, isChecked, words } = props;
  const look = classes(
    "group/row absolute left-0 w-full border-line border-b [contain:layout_style]",
    isChecked ? "bg-accent-soft" : "bg-surface",
  );
  return (
    // The grid has the focus and the keys; a row is no tab stop.
    <div
      role="row"
      aria-rowindex={props.start + position + 2}
      aria-selected={isChecked}
      tabIndex={-1}
      className={look}
      style={{ top: position * height, height }}
      data-row={position}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        tabIndex={-1}
        className="sticky left-0 z-1 float-left grid h-full place-items-center border-line border-r bg-inherit"
        style={{ width: boxWidth }}
      >
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isChecked}
          readOnly
          data-box
          aria-label={words.selectRow(position + 1)}
          className="size-4 accent-accent"
        />
        {row.mark !== undefined && (
          <span
            title={words[row.mark]}
            className="absolute top-0 bottom-0 left-0 w-0.75 bg-accent"
            aria-hidden="true"
          />
        )}
      </div>
      {props.placed.map((column) => (
        <Cell
          key={column.item.name}
          {...{ gridId, row, position, words }}
          placedColumn={column}
          isActive={column.index === props.activeColumn}
          isInRange={
            props.left !== props.right && column.index >= props.left && column.index <= props.right
          }
          editor={column.index === props.activeColumn ? props.editor : null}
          unsaved={props.unsaved?.get(column.item.name)}
          note={column.index === props.activeColumn ? props.note : null}
        />
      ))}
    </div>
  );
});

interface CellProps {
  readonly gridId: string;
  readonly row: GridRow;
  readonly position: number;
  readonly placedColumn: PlacedColumn;
  readonly isActive: boolean;
  readonly isInRange: boolean;
  readonly editor: ReactNode;
  readonly unsaved: UnsavedCell | undefined;
  readonly note: ReactNode;
  readonly words: GridWords;
}

/** A cell renders again only if something of it has changed: a scroll to the side adds cells and leaves the others. */
const Cell = memo(function Cell(props: CellProps) {
  const { placedColumn, row, position, isActive, isInRange, editor, unsaved, words } = props;
  const { item, index, left } = placedColumn;
  const isEdited = editor !== null;
  const isReadOnly = row.key === null || !item.column.updatable;
  const fault = unsaved?.fault === undefined ? undefined : words.unsaved(unsaved.fault);
  return (
    <div
      id={`${props.gridId}-${position}-${index}`}
      role="gridcell"
      aria-colindex={index + 2}
      aria-selected={isActive || isInRange}
      aria-readonly={isReadOnly}
      aria-invalid={fault === undefined ? undefined : true}
      aria-description={fault}
      title={fault}
      tabIndex={-1}
      data-column={index}
      className={classes(
        "top-0 h-full border-line border-r",
        item.isPinned ? "sticky z-1 float-left bg-inherit" : "absolute",
        fault === undefined
          ? isInRange && "bg-accent-soft"
          : "bg-danger-soft! inset-ring inset-ring-danger",
        isActive &&
          "outline-2 -outline-offset-2 outline-transparent group-focus-within/grid:outline-accent",
        isEdited && "z-2",
      )}
      style={{ left, width: item.width }}
    >
      {isEdited ? (
        editor
      ) : (
        <div
          className={classes(
            "flex h-full min-w-0 items-center px-2.25",
            item.isNumeric && "justify-end tabular-nums",
            // Where every column is read-only, none stands out.
            isReadOnly && "group-data-mixed/grid:text-ink-2",
            unsaved !== undefined && fault === undefined && "text-ink-2",
          )}
        >
          {unsaved === undefined ? (
            <Content item={item} row={row} words={words} />
          ) : (
            <CellValue column={item.column} value={unsaved.value} />
          )}
        </div>
      )}
      {props.note}
    </div>
  );
});

/** The value, and beside a reference the mark that opens its row. */
function Content({
  item,
  row,
  words,
}: Pick<CellProps, "row" | "words"> & { readonly item: GridColumn }) {
  const shown = <GridValue item={item} values={row.values} />;
  if (item.reference === undefined || row.values[item.name] === null) return shown;
  return (
    <>
      <span className="min-w-0 flex-1">{shown}</span>
      <span
        data-follow
        title={words.follow}
        className="-mr-1 grid size-6 shrink-0 cursor-pointer place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-accent"
      >
        <ChevronRight size={14} aria-hidden="true" />
      </span>
    </>
  );
}

/** The place of a row that is being loaded. */
export function WaitingRow(props: {
  readonly top: number;
  readonly height: number;
  readonly placed: readonly PlacedColumn[];
}) {
  return (
    <div
      aria-hidden="true"
      className="absolute left-0 w-full border-line border-b"
      style={{ top: props.top, height: props.height }}
    >
      {props.placed.map(({ item, left }) => (
        <div
          key={item.name}
          className="absolute inset-y-0 flex items-center px-2.25"
          style={{ left, width: item.width }}
        >
          <div className="h-3 w-2/3 rounded-control bg-sunken" />
        </div>
      ))}
    </div>
  );
}
