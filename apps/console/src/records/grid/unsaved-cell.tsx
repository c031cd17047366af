import { type MouseEvent, type RefObject, useRef } from "react";
import { useTranslations } from "use-intl";
import { CircleAlert } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { floatingClasses, useFloating } from "../../ui/use-floating.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { GridColumn } from "./grid-column.ts";

/** A cell whose value is not stored yet. */
export interface UnsavedCell {
  /** The row as its person saw it. */
  readonly row: GridRow;
  readonly item: GridColumn;
  readonly value: unknown;
  /** Why it could not be saved; undefined while it is being written. */
  readonly fault: string | undefined;
}

/** The cells of a grid that could not be saved, with what was typed. Nothing is sent again without a press. */
export interface UnsavedCells {
  /** All that are not stored yet, by the id of their row and the name of their column. */
  readonly byRow: ReadonlyMap<string, ReadonlyMap<string, UnsavedCell>>;
  /** Those that failed, in the order of their edits. */
  readonly failed: readonly UnsavedCell[];
  retry(cells: readonly UnsavedCell[]): Promise<void>;
  discard(cells: readonly UnsavedCell[]): void;
}

/** Why the active cell could not be saved, beside it while the grid has the focus. Tab leads to its buttons. */
export function UnsavedNote(props: {
  readonly cell: UnsavedCell;
  readonly unsaved: Pick<UnsavedCells, "retry" | "discard">;
}) {
  const { cell, unsaved } = props;
  const t = useTranslations("grid.unsaved");
  const anchor = useRef<HTMLSpanElement>(null);
  const place = useFloating<HTMLDivElement>(anchor as RefObject<HTMLElement | null>, true, true);
  return (
    <>
      {/* Without the focus it is transparent: what is not displayed cannot take the focus from the grid. */}
      <span ref={anchor} aria-hidden="true" className="pointer-events-none absolute inset-0" />
      <div
        ref={place}
        popover="manual"
        data-editor
        data-note
        className={`${floatingClasses} pointer-events-none max-w-90! border-danger! p-2! opacity-0 group-focus-within/grid:pointer-events-auto group-focus-within/grid:opacity-100`}
      >
        <p className="flex gap-1.5 text-danger" dir="auto">
          <CircleAlert size={14} aria-hidden="true" className="mt-0.75 shrink-0" />
          <span className="min-w-0 text-left wrap-break-word whitespace-normal">
            {t("cell", { fault: cell.fault ?? "" })}
          </span>
        </p>
        <div className="mt-2 flex justify-end gap-1.5">
          <ToolButton
            onClick={(event) => {
              toGrid(event);
              unsaved.discard([cell]);
            }}
          >
            {t("discard")}
          </ToolButton>
          <ToolButton
            kind="primary"
            onClick={(event) => {
              toGrid(event);
              void unsaved.retry([cell]);
            }}
          >
            {t("retry")}
          </ToolButton>
        </div>
      </div>
    </>
  );
}

/** The button leaves with its cause; the keys go on in the grid. */
function toGrid({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
}
