import { useCallback, useMemo, useRef, useState } from "react";
import type { GridRow } from "../rows/row-store.ts";

/** The rows that are checked, by their ids. */
export interface CheckedRows {
  readonly ids: ReadonlySet<string>;
  readonly rows: readonly GridRow[];
  readonly extent: "ALL" | "SOME" | "NONE";
  /** Turns the box of a row; with `isRange`, those of all rows since the last one. */
  toggle(position: number, isRange: boolean): void;
  setAll(isChecked: boolean): void;
}

/** Keeps the checked rows of a list. A row that leaves the list is no longer checked. */
export function useChecked(rows: readonly GridRow[]): CheckedRows {
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
