import type { PointerEvent } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  Lock,
  Pin,
  TriangleAlert,
} from "../../ui/icons.generated.ts";
import { titleOf } from "../model/resource.ts";
import { boxWidth, type PlacedColumn, widthBounds } from "./grid-column.ts";

/** A column by which the rows are sorted. */
export interface SortTerm {
  readonly name: string;
  readonly isDescending: boolean;
}

/** What the header shows, and what it calls. */
export interface HeadProps {
  readonly gridId: string;
  readonly placed: readonly PlacedColumn[];
  /** Undefined if the active cell is in a row. */
  readonly activeColumn: number | undefined;
  readonly sort: readonly SortTerm[];
  /** Whether all loaded rows are checked, or some. */
  readonly checkedRows: "ALL" | "SOME" | "NONE";
  readonly onCheckAll: (isChecked: boolean) => void;
  readonly onResize: (name: string, width: number) => void;
  /** Opens the menu of a column beside an element. */
  readonly onMenu: (column: number, beside: Element) => void;
}

/** The header: names, order, widths, and the way to the menu of each column. */
export function GridHead(props: HeadProps) {
  const t = useTranslations("grid");
  const { placed, checkedRows } = props;
  return (
    <div role="rowgroup" className="sticky top-0 z-3 h-8.25 border-line border-b bg-canvas">
      <div
        role="row"
        aria-rowindex={1}
        tabIndex={-1}
        data-row={-1}
        className="relative h-full bg-canvas"
      >
        <div
          role="columnheader"
          aria-colindex={1}
          tabIndex={-1}
          className="sticky left-0 z-1 float-left grid h-full place-items-center border-line border-r bg-canvas"
          style={{ width: boxWidth }}
        >
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t("selectAll")}
            checked={checkedRows === "ALL"}
            ref={(box) => {
              if (box !== null) box.indeterminate = checkedRows === "SOME";
            }}
            onChange={(event) => props.onCheckAll(event.target.checked)}
            className="size-4 accent-accent"
          />
        </div>
        {placed.map((column) => (
          <Head key={column.item.name} {...props} placedColumn={column} />
        ))}
      </div>
    </div>
  );
}

function Head({
  gridId,
  placedColumn,
  activeColumn,
  sort,
  onMenu,
  onResize,
}: HeadProps & { readonly placedColumn: PlacedColumn }) {
  const t = useTranslations("grid");
  const { item, index, left } = placedColumn;
  const rank = sort.findIndex(({ name }) => name === item.name);
  const term = sort[rank];
  const Arrow = term?.isDescending === true ? ArrowDown : ArrowUp;
  const order = term === undefined ? "none" : term.isDescending ? "descending" : "ascending";
  const title = titleOf(item.column);
  return (
    <div
      id={`${gridId}--1-${index}`}
      role="columnheader"
      aria-colindex={index + 2}
      aria-sort={order}
      tabIndex={-1}
      data-column={index}
      title={item.fault ?? `${item.name} · ${item.column.dataType}`}
      aria-description={item.fault}
      className={classes(
        "group/head top-0 flex h-full cursor-default items-center gap-1 border-line border-r bg-canvas pr-1 pl-2.25 font-medium text-ink-2",
        item.isPinned ? "sticky z-1 float-left" : "absolute",
        item.isNumeric && "flex-row-reverse pr-2.25 pl-1",
        index === activeColumn &&
          "outline-2 -outline-offset-2 outline-transparent group-focus-within/grid:outline-accent",
      )}
      style={{ left, width: item.width }}
    >
      <span className="min-w-0 truncate" dir="auto">
        {title}
      </span>
      {item.fault !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          data-menu
          aria-label={t("columnFault", { name: title, fault: item.fault })}
          onClick={(event) => onMenu(index, event.currentTarget)}
          className="grid size-6 shrink-0 place-items-center rounded-control text-danger hover:bg-danger-soft"
        >
          <TriangleAlert size={14} aria-hidden="true" />
        </button>
      )}
      {!item.column.updatable && (
        <Lock
          size={11}
          aria-label={t("readOnly")}
          className="hidden shrink-0 text-ink-3 group-data-mixed/grid:block"
        />
      )}
      {item.isPinned && <Pin size={11} aria-label={t("pinned")} className="shrink-0 text-ink-3" />}
      {term !== undefined && (
        <span className="flex shrink-0 items-center text-accent">
          <Arrow size={13} aria-hidden="true" />
          {sort.length > 1 && <span className="text-1">{rank + 1}</span>}
        </span>
      )}
      <span className="flex-1" />
      <button
        type="button"
        tabIndex={-1}
        data-menu
        aria-label={t("columnMenu", { name: title })}
        onClick={(event) => onMenu(index, event.currentTarget)}
        className="grid size-6 shrink-0 place-items-center rounded-control text-ink-3 opacity-0 hover:bg-sunken hover:text-ink focus-visible:opacity-100 group-hover/head:opacity-100 max-md:opacity-100"
      >
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      <div
        aria-hidden="true"
        data-resize
        onPointerDown={(event) => resize(event, item.width, (width) => onResize(item.name, width))}
        className="absolute top-0 -right-1 z-1 h-full w-2 cursor-col-resize hover:bg-accent-line"
      />
    </div>
  );
}

/** Follows the pointer until it is released. The menu of the column sets widths without dragging. */
function resize(
  event: PointerEvent<HTMLElement>,
  width: number,
  set: (width: number) => void,
): void {
  event.preventDefault();
  event.stopPropagation();
  const { currentTarget: handle, pointerId, clientX: start } = event;
  handle.setPointerCapture(pointerId);
  const move = ({ clientX }: globalThis.PointerEvent) => {
    set(Math.round(Math.max(widthBounds.min, Math.min(widthBounds.max, width + clientX - start))));
  };
  const end = () => {
    handle.removeEventListener("pointermove", move);
    handle.removeEventListener("pointerup", end);
    handle.removeEventListener("pointercancel", end);
  };
  handle.addEventListener("pointermove", move);
  handle.addEventListener("pointerup", end);
  handle.addEventListener("pointercancel", end);
}
