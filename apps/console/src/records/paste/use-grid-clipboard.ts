import { type ClipboardEvent as GridClipboardEvent, useEffect, useMemo, useRef } from "react";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { cellOf, type GridColumn, referenceText } from "../grid/grid-column.ts";
import { type GridSelection, rangeOf } from "../grid/grid-position.ts";
import { readTable, writeTable } from "../grid/spreadsheet-text.ts";
import { referenceOf } from "../model/resource.ts";
import type { GridRow, RowStore, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { plainText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import {
  arrangePaste,
  fillRange,
  type PastedTable,
  type PastePlace,
  placedMapping,
} from "./paste.ts";
import { usePaste } from "./use-paste.ts";

/** Rows that a paste loads, which reach further than those that are loaded. */
const loadedMax = 1_000;

interface ClipboardParts {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly columns: readonly GridColumn[];
  readonly store: RowStore;
  readonly state: RowsState;
  readonly changes: RowChanges;
  readonly selection: GridSelection;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
}

/** Copies, pastes, fills and empties the selected cells of a grid. */
export function useGridClipboard(parts: ClipboardParts) {
  const { resource, resources, columns, store, state, changes, selection, isUpdatable } = parts;
  const { rows } = state;
  const ways = useWays();
  const { begin, open } = usePaste({ resource, resources, changes });
  const others = useMemo(
    () =>
      resource.columns
        .filter(({ name }) => !columns.some((item) => item.name === name))
        .map((column) => hiddenColumn(resource, column)),
    [resource, columns],
  );
  const placeOf = ({ rows: some, isComplete }: RowsState): PastePlace => ({
    ...{ rows: some, isUpdatable, range: rangeOf(selection), isComplete },
    columns: [...columns, ...others],
    shown: columns.length,
    mayCreate: resource.actions.includes("CREATE"),
    required: resource.columns.filter(({ required }) => required),
    primaryKey: resource.primaryKey,
  });
  const textsOf = (isTitled: boolean): string => {
    const { top, bottom, left, right } = rangeOf(selection);
    const items = columns.slice(left, right + 1);
    const lines = rows.slice(Math.max(0, top), bottom + 1).map((row) =>
      items.map((item) => {
        const title = isTitled ? referenceText(item, row.values, ways) : undefined;
        return title ?? plainText(item.column, cellOf(item, row.values));
      }),
    );
    return writeTable(lines);
  };
  /** Writes texts over the selected cells. */
  const over = async (table: PastedTable): Promise<void> => {
    const place = placeOf(state);
    const mapping = placedMapping(table, "OVER", place);
    const draft = { table, mapping, target: "OVER", hasHeads: false, changesKeys: false } as const;
    await begin({ ...draft, skipped: new Set() }, place);
  };
  const paste = async (text: string, isAppended: boolean): Promise<void> => {
    const table = readTable(text);
    const { top } = rangeOf(selection);
    const isOnHead = top < 0 && rows.length > 0 && !isAppended;
    if (table.length === 0 || isOnHead) return;
    // While another list loads, the rows of the last one are shown.
    const isShown = store.state.rows.length >= rows.length;
    const wanted = Math.min(Math.max(0, top) + table.length, rows.length + loadedMax);
    const loaded = isShown && !isAppended ? await store.loadTo(wanted) : state;
    if (loaded.error !== undefined) return;
    const place = placeOf(loaded);
    const filled = isAppended ? table : fillRange(table, place.range);
    await begin(arrangePaste(filled, place, isAppended), place);
  };
  return {
    /** A paste with faults, or one that the person has to confirm. */
    paste: open,
    clear: () => {
      if (selection.active.row < 0) return Promise.resolve();
      return over(fillRange([["\\N"]], rangeOf(selection)));
    },
    /** Gives the selected rows the values of the first of them; a single row those of the row above. */
    fillDown: async (): Promise<void> => {
      const { top, bottom, left, right } = rangeOf(selection);
      const from = bottom > top ? top : top - 1;
      const source = rows[from];
      if (source === undefined || top < 0) return;
      const texts = columns
        .slice(left, right + 1)
        .map((item) => plainText(item.column, cellOf(item, source.values)));
      const table = Array.from({ length: bottom - top + 1 }, () => texts);
      await over(table);
    },
    /** Copies the selected cells, with the titles of the rows that they refer to. */
    copyTitles: () => navigator.clipboard.writeText(textsOf(true)),
    onCopy: (event: GridClipboardEvent<HTMLElement>): void => {
      event.clipboardData.setData("text/plain", textsOf(false));
      event.preventDefault();
    },
    pasteText: paste,
  };
}

/** A column that the grid does not show, which a head of a paste can name. */
function hiddenColumn(resource: NavigationResource, column: NavigationColumn): GridColumn {
  return {
    ...{ name: column.name, column, title: undefined, width: 0 },
    ...{ reference: referenceOf(resource, column), isPinned: false, isNumeric: false },
  };
}

/** Takes a paste on a page whose list is empty, where no grid has the focus. @param paste null for a list with rows */
export function useEmptyPaste(paste: ((text: string) => void) | null): void {
  const latest = useRef(paste);
  latest.current = paste;
  const isEmpty = paste !== null;
  useEffect(() => {
    if (!isEmpty) return;
    const take = (event: ClipboardEvent) => {
      const { target } = event;
      const isElsewhere =
        target instanceof Element &&
        target.closest("input, textarea, select, dialog, [contenteditable], [role=dialog]") !==
          null;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (isElsewhere || event.defaultPrevented || text === "") return;
      event.preventDefault();
      latest.current?.(text);
    };
    document.addEventListener("paste", take);
    return () => document.removeEventListener("paste", take);
  }, [isEmpty]);
}
