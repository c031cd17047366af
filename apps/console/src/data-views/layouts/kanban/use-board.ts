import { writeJson } from "@rowhouse/client";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { cellOf, type GridColumn } from "../../../records/grid/grid-column.ts";
import { rowsOfAnswer } from "../../../records/readings/reading-rows.ts";
import { type GridRow, RowStore } from "../../../records/rows/row-store.ts";
import { chosenRows, type ViewGroup } from "../../model/open-view.ts";
import type { LayoutProps } from "../layout-parts.tsx";

/** Cards of a page of a column. */
const pageSize = 25;
/** Positions of rows without a key differ between columns. */
const columnOffset = 1_000_000;

/** A column of the board with the cards that are loaded. */
export interface BoardColumn {
  /** The value as JSON, which identifies the column. */
  readonly key: string;
  readonly group: ViewGroup;
  readonly rows: readonly GridRow[];
  /** All cards of the column, with those that this person has moved. */
  readonly count: number;
  readonly isLoading: boolean;
  /** Whether more cards can be loaded. */
  readonly hasMore: boolean;
  readonly error: unknown;
}

interface Loaded {
  readonly isLoading: boolean;
  /** Null after the last page; undefined before the first. */
  readonly cursor?: string | null;
  readonly error?: unknown;
}

interface Board {
  readonly store: RowStore;
  readonly columns: readonly BoardColumn[];
  /** Loads the next cards of a column. Does nothing while some are loading, and after the last. */
  load(key: string): void;
}

/** Returns the column of a value. */
export function groupKey(value: unknown): string {
  return writeJson(value ?? null);
}

/**
 * The columns of a kanban. All cards are rows of one store, and stand in the column of their value: a card that is written,
 * or whose write is taken back, changes its column by itself.
 *
 * @param moving columns in which cards are shown while their writes run, by the ids of the cards
 */
export function useBoard(
  { answer, source, resource, state }: LayoutProps,
  item: GridColumn | undefined,
  moving: ReadonlyMap<string, string>,
): Board {
  const { groups = noGroups } = answer.data;
  const { where, search } = state;
  // A new answer begins the board anew.
  const begun = useMemo(() => {
    void answer;
    return {
      store: emptyStore(),
      origins: new Map<string, string>(),
      abort: new AbortController(),
    };
  }, [answer]);
  const [loaded, setLoaded] = useState<{
    readonly of: object;
    readonly columns: ReadonlyMap<string, Loaded>;
  }>({ of: begun, columns: new Map() });
  const columnsLoaded = loaded.of === begun ? loaded.columns : nothingLoaded;
  const latest = useRef(columnsLoaded);
  latest.current = columnsLoaded;
  useEffect(() => () => begun.abort.abort(), [begun]);
  const rows = useSyncExternalStore(begun.store.subscribe, () => begun.store.state).rows;
  const load = useCallback(
    (key: string) => {
      const index = groups.findIndex(({ value }) => groupKey(value) === key);
      const group = groups[index];
      const known = latest.current.get(key);
      if (group === undefined || known?.isLoading === true || known?.cursor === null) return;
      const set = (next: Loaded) => {
        latest.current = new Map([...latest.current, [key, next]]);
        setLoaded({ of: begun, columns: latest.current });
      };
      const { signal } = begun.abort;
      const cursor = known?.cursor;
      set({ ...known, isLoading: true, error: undefined });
      const query = {
        ...chosenRows({ where, search }),
        group: group.value ?? null,
        limit: pageSize,
      };
      source.read(cursor == null ? query : { ...query, cursor }, signal).then(
        (page) => {
          if (signal.aborted) return;
          const offset = (index + 1) * columnOffset + begun.origins.size;
          const found = rowsOfAnswer(resource, page, offset);
          // A card that was moved here meanwhile keeps the column in which it was counted.
          for (const { id } of found) if (!begun.origins.has(id)) begun.origins.set(id, key);
          begun.store.append(found);
          set({ isLoading: false, cursor: page.meta?.nextCursor ?? null });
        },
        (error: unknown) => {
          if (!signal.aborted) set({ ...known, isLoading: false, error });
        },
      );
    },
    [groups, begun, source, resource, where, search],
  );
  const columns = useMemo(() => {
    const placeOf = (row: GridRow) =>
      moving.get(row.id) ?? (item === undefined ? "" : groupKey(cellOf(item, row.values)));
    return groups.map((group): BoardColumn => {
      const key = groupKey(group.value);
      const own = rows.filter((row) => placeOf(row) === key);
      const had = rows.filter(({ id }) => begun.origins.get(id) === key);
      const isNew = ({ id }: GridRow) => begun.origins.get(id) !== key;
      const state = columnsLoaded.get(key);
      return {
        ...{ key, group },
        // A card that was moved here is seen without scrolling.
        rows: [...own.filter(isNew), ...own.filter((row) => !isNew(row))],
        count: group.count + own.length - had.length,
        isLoading: state?.isLoading === true,
        hasMore: state?.cursor !== null,
        error: state?.error,
      };
    });
  }, [groups, rows, moving, item, columnsLoaded, begun]);
  return { store: begun.store, columns, load };
}

const noGroups: readonly ViewGroup[] = [];
const nothingLoaded: ReadonlyMap<string, Loaded> = new Map();

function emptyStore(): RowStore {
  return new RowStore(async () => ({ rows: [], next: null }));
}
