import { type ClipboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../grid/grid-column.ts";
import { type GridSelection, rangeOf } from "../grid/grid-position.ts";
import { readTable, writeTable } from "../grid/spreadsheet-text.ts";
import type { GridRow, RowStore, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { readText } from "../values/read-text.ts";
import { plainText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { type Paste, placePaste } from "./paste.ts";
import type { TableView } from "./table-view.ts";

/** Rows that a paste loads, which reach further than those that are loaded. */
const loadedMax = 1_000;

type Table = readonly (readonly string[])[];

interface ClipboardParts {
  readonly view: TableView;
  readonly store: RowStore;
  readonly state: RowsState;
  readonly changes: RowChanges;
  readonly selection: GridSelection;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
}

/** Copies, pastes and empties the selected cells of a grid. */
export function useGridClipboard(parts: ClipboardParts) {
  const { view, store, state, changes, selection, isUpdatable } = parts;
  const { columns, resource } = view;
  const { rows } = state;
  const ways = useWays();
  const t = useTranslations("grid");
  const [paste, setPaste] = useState<Paste | null>(null);
  const place = (table: Table, { rows, isComplete }: RowsState = state): Paste =>
    placePaste(table, {
      ...{ rows, columns, isUpdatable, range: rangeOf(selection) },
      // Below the last loaded row of a longer list stand rows that are not seen yet.
      mayCreate: resource.actions.includes("CREATE") && isComplete,
      required: resource.columns.filter(({ required }) => required),
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
    onPaste: async (event: ClipboardEvent<HTMLElement>): Promise<void> => {
      event.preventDefault();
      const table = readTable(event.clipboardData.getData("text/plain"));
      if (table.length === 0 || selection.active.row < 0) return;
      const end = rangeOf(selection).top + table.length;
      // While another list loads, the rows of the last one are shown.
      const isShown = store.state.rows.length >= rows.length;
      const wanted = Math.min(end, rows.length + loadedMax);
      const loaded = isShown ? await store.loadTo(wanted) : state;
      if (loaded.error !== undefined) return;
      const placed = place(table, loaded);
      const { faults, leftOver, creates } = placed;
      await write(placed, faults.length === 0 && leftOver === 0 && creates.length === 0);
    },
  };
}
