import { useCallback, useEffect, useMemo, useState } from "react";
import type { Row } from "../../records/model/resource.ts";
import { ChangeHistory, type HistoryEntry } from "../../records/rows/change-history.ts";
import type { GridRow, RowStore } from "../../records/rows/row-store.ts";
import {
  PartialChange,
  type RowChange,
  RowConflict,
  RowWriter,
} from "../../records/rows/row-writer.ts";
import type { NavigationResource } from "../../shell/navigation.ts";

/** The writes of a page: their state, and what can be taken back. */
export interface RowChanges {
  readonly isBusy: boolean;
  /** The failure of the last write, until the next one or until it is dismissed. */
  readonly error: unknown;
  /** The row that another person has changed meanwhile; the person decides. */
  readonly conflict: RowConflict | null;
  readonly nextUndo: HistoryEntry | undefined;
  readonly nextRedo: HistoryEntry | undefined;
  /** Each returns whether the write succeeded. */
  change(changes: readonly RowChange[]): Promise<boolean>;
  create(rows: readonly Row[]): Promise<readonly GridRow[] | null>;
  remove(rows: readonly GridRow[]): Promise<boolean>;
  /** Changes the rows of a filter, at most as many as the person has confirmed. */
  changeMatching(where: Row | undefined, after: Row, count: number): Promise<boolean>;
  removeMatching(where: Row | undefined, count: number): Promise<boolean>;
  undo(): Promise<boolean>;
  redo(): Promise<boolean>;
  dismiss(): void;
}

/** Writes rows of the grid, one write after the other. */
export function useRowChanges(
  resource: NavigationResource,
  fields: readonly string[],
  store: RowStore,
): RowChanges {
  const writer = useMemo(() => new RowWriter(resource, fields, store), [resource, fields, store]);
  const history = useHistory(writer, store);
  const [error, setError] = useState<unknown>();
  const [running, setRunning] = useState(0);
  const run = useCallback(async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    setRunning((count) => count + 1);
    setError(undefined);
    try {
      return await work();
    } catch (failure) {
      setError(failure);
      return null;
    } finally {
      setRunning((count) => count - 1);
    }
  }, []);
  const isBusy = running > 0;
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);
  return {
    isBusy,
    error: error instanceof RowConflict ? undefined : error,
    conflict: error instanceof RowConflict ? error : null,
    nextUndo: history.nextUndo,
    nextRedo: history.nextRedo,
    dismiss: () => setError(undefined),
    change: async (changes) => {
      const written = await run(() =>
        writer.change(changes).catch((failure: unknown) => {
          if (!(failure instanceof PartialChange)) throw failure;
          // What was written can be taken back.
          history.add({ kind: "CHANGE", changes: failure.written });
          throw failure.cause;
        }),
      );
      if (written !== null) history.add({ kind: "CHANGE", changes: written });
      return written !== null;
    },
    create: async (values) => {
      const rows = await run(() => writer.create(values));
      if (rows !== null && rows.length > 0) history.add({ kind: "CREATE", rows, values });
      return rows;
    },
    remove: async (rows) => (await run(() => writer.remove(rows).then(() => true))) ?? false,
    changeMatching: async (where, after, count) =>
      (await run(() => writer.changeMatching(where, after, count).then(() => true))) ?? false,
    removeMatching: async (where, count) =>
      (await run(() => writer.removeMatching(where, count).then(() => true))) ?? false,
    undo: async () => (await run(() => history.undo().then(() => true))) ?? false,
    redo: async () => (await run(() => history.redo().then(() => true))) ?? false,
  };
}

/** The history outlives a change of filter, order or columns; another table has a page of its own. */
function useHistory(writer: RowWriter, store: RowStore): ChangeHistory {
  const [history] = useState(() => new ChangeHistory(writer, store));
  useEffect(() => history.use(writer, store), [history, writer, store]);
  return history;
}
