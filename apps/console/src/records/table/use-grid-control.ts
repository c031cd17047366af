import {
  type KeyboardEvent,
  useCallback,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useTranslations } from "use-intl";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { DataGridProps } from "../grid/data-grid.tsx";
import { cellOf, type GridColumn } from "../grid/grid-column.ts";
import {
  clampSelection,
  type GridPosition,
  type GridSelection,
  rangeOf,
  selectCell,
} from "../grid/grid-position.ts";
import type { UnsavedCells } from "../grid/unsaved-cell.tsx";
import { recordPath } from "../model/record-path.ts";
import { referencedKey, targetOf } from "../model/reference.ts";
import { titleOf } from "../model/resource.ts";
import { useEmptyPaste, useGridClipboard } from "../paste/use-grid-clipboard.ts";
import type { OpenPaste } from "../paste/use-paste.ts";
import type { GridRow, RowStore, RowsState } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { addDecimals, isDecimal } from "../values/decimal.ts";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { orderOf, sortOf, toggleSort } from "./rows-search.ts";
import type { TableView } from "./table-view.ts";
import { useUnsavedCells } from "./unsaved-cells.tsx";
import { type EditStart, useCellEditing } from "./use-cell-editing.tsx";

type GridPart = Pick<
  DataGridProps,
  | "selection"
  | "onSelect"
  | "checked"
  | "checkedRows"
  | "onCheck"
  | "onCheckAll"
  | "sort"
  | "rowHeight"
  | "editor"
  | "isEditing"
  | "unsaved"
  | "onKey"
  | "onActivate"
  | "onFollow"
  | "onCopy"
  | "onPaste"
>;

/** How the grid of a page is worked with. */
export interface GridControl {
  readonly gridProps: GridPart;
  readonly selection: GridSelection;
  readonly checked: CheckedRows;
  readonly unsaved: UnsavedCells;
  /** A paste with faults, or one that its person has to confirm. */
  readonly paste: OpenPaste | null;
  /** Copies the selected cells, with the titles of the rows that they refer to. */
  copyTitles(): void;
  /** Makes the first row the active one, where rows that were just created stand. */
  activateFirst(): void;
  /** What is selected, in words. */
  readonly summary: string;
  /** Opens the record of a row beside the grid. */
  open(row: GridRow): void;
}

interface ControlParts {
  readonly view: TableView;
  readonly store: RowStore;
  readonly state: RowsState;
  readonly resources: readonly NavigationResource[];
  readonly changes: RowChanges;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onMenu: (column: number, beside: Element) => void;
}

/** Selection, keys, editing and the clipboard of a grid. */
export function useGridControl(parts: ControlParts): GridControl {
  const { view, store, state, resources, changes } = parts;
  const { columns, resource } = view;
  const { rows } = state;
  const rowHeight = useRowHeight();
  const checked = useChecked(rows);
  const [chosen, choose] = useState(() => selectCell({ row: 0, column: 0 }));
  const bounds = { rows: rows.length, columns: columns.length, page: 1 };
  const selection = clampSelection(chosen, bounds);
  const { active } = selection;
  const sort = sortOf(view.orderBy);
  const isUpdatable = useCallback(
    (row: GridRow, { column, fault }: GridColumn) =>
      row.key !== null && column.updatable && fault === undefined,
    [],
  );

  const unsaved = useUnsavedCells(changes);
  const editing = useCellEditing({
    ...{ view, state, resources, changes, unsaved, active, choose, isUpdatable },
  });
  const clipboard = useGridClipboard({
    ...{ resource, resources, columns, store, state, changes, selection, isUpdatable },
  });
  /** Whether the keys of the paste that follows ask for new rows. */
  const isAppending = useRef(false);
  const isEmpty = state.isComplete && rows.length === 0 && resource.actions.includes("CREATE");
  useEmptyPaste(isEmpty ? (text) => void clipboard.pasteText(text, true) : null);
  const open = (row: GridRow): void => {
    if (row.key !== null) view.openRecords([recordPath(resource, row.key)], true);
  };
  const follow = ({ row, column }: GridPosition): void => {
    const item = columns[column];
    const target = targetOf(resources, item?.reference);
    const values = rows[row]?.values;
    if (item?.reference === undefined || target === undefined || values === undefined) return;
    const key = referencedKey(item.reference, target, values);
    if (key !== null) view.openRecords([recordPath(target, key)], true);
  };
  const activate = (position: GridPosition, isShift: boolean, start?: EditStart): void => {
    const column = columns[position.column];
    const row = rows[position.row];
    if (position.row === -1 && column !== undefined) {
      view.setOrder(orderOf(toggleSort(sort, column.name, isShift)));
    } else if (row !== undefined && !editing.begin(position, start)) open(row);
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): boolean => {
    const { ctrlKey, metaKey, shiftKey, key } = event;
    isAppending.current = (ctrlKey || metaKey) && shiftKey && key.toLowerCase() === "v";
    return pressGridKey(event, {
      ...{ state, changes, checked, clipboard, active, columns },
      ...{ open, follow, activate, choose, beginEdit: editing.begin },
      ...{ onDelete: parts.onDelete, onMenu: parts.onMenu },
    });
  };
  return {
    ...{
      selection,
      checked,
      unsaved,
      open,
      paste: clipboard.paste,
      summary: useSummary(columns, rows, selection, checked.rows),
    },
    copyTitles: () => void clipboard.copyTitles(),
    activateFirst: () => choose(selectCell({ row: 0, column: 0 })),
    gridProps: {
      ...{ selection, sort, rowHeight, onKey, unsaved },
      editor: editing.editor,
      isEditing: editing.editor !== null,
      onCopy: (event) => {
        if (editing.editor === null) clipboard.onCopy(event);
      },
      onPaste: (event) => {
        if (editing.editor !== null) return;
        event.preventDefault();
        void clipboard.pasteText(event.clipboardData.getData("text/plain"), isAppending.current);
      },
      onSelect: (next) => {
        choose(next);
      },
      checked: checked.ids,
      checkedRows: checked.extent,
      onCheck: checked.toggle,
      onCheckAll: checked.setAll,
      onActivate: (position, isShift) => activate(position, isShift),
      onFollow: follow,
    },
  };
}

const usual = 30;

/** The pixels of a row, which the person's density sets. */
function useRowHeight(): number {
  return useSyncExternalStore(subscribe, rowHeight);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-density"] });
  return () => observer.disconnect();
}

function rowHeight(): number {
  const height = Number.parseFloat(
    getComputedStyle(document.documentElement).getPropertyValue("--row"),
  );
  return Number.isFinite(height) ? height : usual;
}

/** Columns whose sums are shown. */
const sumsMax = 2;

/** Returns what is selected in words: the number of rows or cells, and the sums of their numbers. */
function useSummary(
  columns: readonly GridColumn[],
  rows: readonly GridRow[],
  selection: GridSelection,
  checked: readonly GridRow[],
): string {
  const t = useTranslations("grid");
  const ways = useWays();
  return useMemo(() => {
    const { top, bottom, left, right } = rangeOf(selection);
    const areRows = checked.length > 0;
    const count = (bottom - top + 1) * (right - left + 1);
    if (!areRows && count <= 1) return "";
    const counted = areRows ? checked : rows.slice(top, bottom + 1);
    // Of whole rows, those numbers that are amounts to people: the sum of a year says nothing.
    const summed = areRows
      ? columns.filter(({ column }) => column.format !== null)
      : columns.slice(left, right + 1);
    const shown = summed
      .filter(({ isNumeric }) => isNumeric)
      .slice(0, sumsMax)
      .flatMap((item) => {
        const { column } = item;
        const texts = counted
          .map((row) => String(cellOf(item, row.values) ?? ""))
          .filter(isDecimal);
        if (texts.length === 0) return [];
        return t("sum", {
          name: titleOf(column),
          sum: valueText({ ...column, baseType: "numeric" }, addDecimals(texts), ways),
        });
      });
    const what = areRows
      ? t("selectedRows", { count: checked.length })
      : t("selectedCells", { count });
    return [what, ...shown].join(" · ");
  }, [columns, rows, selection, checked, t, ways]);
}

/** What the keys of a grid act on. */
interface GridWork {
  readonly state: RowsState;
  readonly columns: readonly GridColumn[];
  readonly changes: RowChanges;
  readonly checked: CheckedRows;
  readonly clipboard: {
    clear(): Promise<void>;
    fillDown(): Promise<void>;
    copyTitles(): Promise<void>;
  };
  readonly active: GridPosition;
  open(row: GridRow): void;
  follow(position: GridPosition): void;
  activate(position: GridPosition, isShift: boolean, start?: EditStart): void;
  choose(selection: GridSelection): void;
  beginEdit(position: GridPosition, start: EditStart): boolean;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onMenu: (column: number, beside: Element) => void;
}

/** Handles the keys of a grid that do not move. Returns whether the key was used. */
function pressGridKey(event: KeyboardEvent<HTMLElement>, work: GridWork): boolean {
  const { key } = event;
  const { active, checked, changes, columns } = work;
  const { rows } = work.state;
  const isControl = event.ctrlKey || event.metaKey;
  const row = rows[active.row];
  if (key === "Enter" && event.altKey) work.follow(active);
  else if (key === "ArrowDown" && event.altKey && active.row === -1) {
    const head = `[data-row="-1"] [data-column="${active.column}"]`;
    work.onMenu(active.column, event.currentTarget.querySelector(head) ?? event.currentTarget);
  } else if (key === "Enter" && isControl) {
    if (row !== undefined) work.open(row);
  } else if (key === "Enter") work.activate(active, event.shiftKey);
  else if (key === "F2") work.activate(active, event.shiftKey, { isContinued: true });
  else if (key === " ") {
    if (active.row >= 0) checked.toggle(active.row, event.shiftKey);
  } else if (isControl && key.toLowerCase() === "z") {
    void (event.shiftKey ? changes.redo() : changes.undo());
  } else if (isControl && key.toLowerCase() === "y") void changes.redo();
  else if (isControl && !event.altKey && key.toLowerCase() === "d") void work.clipboard.fillDown();
  else if (isControl && event.altKey && key.toLowerCase() === "c") void work.clipboard.copyTitles();
  else if (isControl && key.toLowerCase() === "a") {
    work.choose({
      anchor: { row: 0, column: 0 },
      active: { row: rows.length - 1, column: columns.length - 1 },
    });
  } else if (key === "Delete" && event.shiftKey) {
    work.onDelete(checked.rows.length > 0 ? checked.rows : row === undefined ? [] : [row]);
  } else if (key === "Delete" || key === "Backspace") void work.clipboard.clear();
  else if (key === "Escape" && checked.rows.length > 0) checked.setAll(false);
  else if (key.length === 1 && !isControl && !event.altKey && active.row >= 0) {
    return work.beginEdit(active, { typed: key });
  } else return false;
  return true;
}

/** The rows that are checked, by their ids. */
interface CheckedRows {
  readonly ids: ReadonlySet<string>;
  readonly rows: readonly GridRow[];
  readonly extent: "ALL" | "SOME" | "NONE";
  /** Turns the box of a row; with `isRange`, those of all rows since the last one. */
  toggle(position: number, isRange: boolean): void;
  setAll(isChecked: boolean): void;
}

/** Keeps the checked rows of a list. A row that leaves the list is no longer checked. */
function useChecked(rows: readonly GridRow[]): CheckedRows {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef(0);
  const checked = useMemo(() => rows.filter(({ id }) => chosen.has(id)), [rows, chosen]);
  const toggle = useCallback(
    (position: number, isRange: boolean) => {
      const row = rows[position];
      if (row === undefined) return;
      const from = isRange ? Math.min(last.current, position) : position;
      const to = isRange ? Math.max(last.current, position) : position;
      last.current = position;
      setChosen((before) => {
        const next = new Set(before);
        for (const { id } of rows.slice(from, to + 1)) {
          if (before.has(row.id)) next.delete(id);
          else next.add(id);
        }
        return next;
      });
    },
    [rows],
  );
  const setAll = useCallback(
    (isChecked: boolean) => setChosen(new Set(isChecked ? rows.map(({ id }) => id) : [])),
    [rows],
  );
  return useMemo(() => {
    const extent = checked.length === 0 ? "NONE" : checked.length === rows.length ? "ALL" : "SOME";
    return { ids: new Set(checked.map(({ id }) => id)), rows: checked, extent, toggle, setAll };
  }, [checked, rows.length, toggle, setAll]);
}
