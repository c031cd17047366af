import { type ClipboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../grid/grid-column.ts";
import { type GridSelection, rangeOf } from "../grid/grid-position.ts";
import { readTable, writeTable } from "../grid/spreadsheet-text.ts";
import type { GridRow, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { readText } from "../values/read-text.ts";
import { plainText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { type Paste, placePaste } from "./paste.ts";
import type { TableView } from "./table-view.ts";

interface ClipboardParts {
  readonly view: TableView;
  readonly state: RowsState;
  readonly changes: RowChanges;
  readonly selection: GridSelection;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
}

/** Copies, pastes and empties the selected cells of a grid. */
export function useGridClipboard(parts: ClipboardParts) {
  const { view, state, changes, selection, isUpdatable } = parts;
  const { columns, resource } = view;
  const { rows } = state;
  const ways = useWays();
  const t = useTranslations("grid");
  const [paste, setPaste] = useState<Paste | null>(null);
  // Below the last loaded row of a longer list stand rows that are not seen yet.
  const mayCreate = resource.actions.includes("CREATE") && state.isComplete;
  const place = (table: readonly (readonly string[])[]): Paste =>
    placePaste(table, {
      ...{ rows, columns, isUpdatable, mayCreate, range: rangeOf(selection) },
      read: (item, text) => readText(item.column, text, ways),
      locked: t("locked"),
    });
  const write = async (placed: Paste, isConfirmed: boolean): Promise<void> => {
    if (!isConfirmed) setPaste(placed);
    else if (placed.changes.length > 0) await changes.write({ changes: placed.changes });
  };
  return {
    /** A paste with faults, or one that the person has to confirm. */
    paste,
    close: () => setPaste(null),
    clear: async (): Promise<void> => {
      const placed = place([["\\N"]]);
      await write(placed, placed.faults.length === 0);
    },
    onCopy: (event: ClipboardEvent<HTMLElement>): void => {
      const { top, bottom, left, right } = rangeOf(selection);
      const items = columns.slice(left, right + 1);
      const lines = rows
        .slice(top, bottom + 1)
        .map((row) => items.map((item) => plainText(item.column, cellOf(item, row.values))));
      event.clipboardData.setData("text/plain", writeTable(lines));
      event.preventDefault();
    },
    onPaste: (event: ClipboardEvent<HTMLElement>): void => {
      event.preventDefault();
      const table = readTable(event.clipboardData.getData("text/plain"));
      if (table.length === 0 || selection.active.row < 0) return;
      const placed = place(table);
      const { faults, leftOver, creates } = placed;
      void write(placed, faults.length === 0 && leftOver === 0 && creates.length === 0);
    },
  };
}
