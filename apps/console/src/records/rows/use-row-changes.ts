import { writeName } from "@rowhouse/access/written-name";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { isEqual } from "../model/is-equal.ts";
import { type Row, type RowKey, readableColumns } from "../model/resource.ts";
import { type GridRow, RowStore } from "./row-store.ts";
import { RowWriter } from "./row-writer.ts";
import {
  PartialWrite,
  type RecordLines,
  type RowChange,
  RowConflict,
  type RowWrites,
  type WrittenRows,
} from "./row-writes.ts";

/** The writes of a page: their state, and what can be taken back. */
export interface RowChanges {
  readonly isBusy: boolean;
  /** The failure of the last write, until the next one or until it is dismissed. */
  readonly error: unknown;
  /** The row that another person has changed meanwhile; the person decides. */
  readonly conflict: RowConflict | null;
  readonly nextUndo: WrittenRows | undefined;
  readonly nextRedo: WrittenRows | undefined;
  /** Each returns whether the write succeeded; after a conflict, once the person has decided. */
  write(writes: RowWrites): Promise<boolean>;
  /**
   * Writes values of one row, over the row as the list has it now if the person has seen those that they replace. Returns
   * the failure, which is then not that of the page; undefined once they are written, or the person has decided otherwise.
   */
  writeCell(change: RowChange): Promise<unknown>;
  /**
   * Writes rows as `write` does, and returns the failure, which is then not that of the page; undefined once they are
   * written, or the person has decided otherwise.
   */
  attempt(writes: RowWrites): Promise<FailedWrite | undefined>;
  /** @param lines of the only row, which are created with it */
  create(rows: readonly Row[], lines?: RecordLines): Promise<readonly GridRow[] | null>;
  remove(rows: readonly GridRow[]): Promise<boolean>;
  /** Changes the rows of a filter, at most as many as the person has confirmed. */
  changeMatching(where: Row | undefined, after: Row, count: number): Promise<boolean>;
  removeMatching(where: Row | undefined, count: number): Promise<boolean>;
  /**
   * Ends a conflict: writes the chosen columns over the row as it is now, or leaves it so, and writes the other rows of
   * the same change.
   */
  resolve(current: GridRow, chosen: Row): Promise<void>;
  undo(): Promise<boolean>;
  redo(): Promise<boolean>;
  dismiss(): void;
}

/** A write that failed. */
export interface FailedWrite {
  readonly failure: unknown;
  /** The number of its changes and creates that were made before, in their order. */
  readonly done: number;
}

/** What became of a write; `DROPPED` if its person left it after a conflict. */
interface Outcome {
  readonly state: "WRITTEN" | "FAILED" | "CONFLICT" | "DROPPED";
  readonly failure?: unknown;
  /** The writes that were made before the failure. */
  readonly done?: number;
}

/** A write that waits for its person's decision. */
interface Waiting {
  readonly settle: (outcome: Outcome) => void;
  readonly isOfCell: boolean;
}

/** Writes rows of the grid, one write after the other. */
export function useRowChanges(
  resource: NavigationResource,
  fields: readonly string[],
  store: RowStore,
): RowChanges {
  const writer = useMemo(() => new RowWriter(resource, fields, store), [resource, fields, store]);
  const history = useHistory(writer, store);
  const { run, isBusy, error, setError } = useWrites(resource);
  const conflict = error instanceof RowConflict ? error : null;
  const waiting = useRef<Waiting | null>(null);
  const end = (outcome: Outcome): void => {
    waiting.current?.settle(outcome);
    waiting.current = null;
  };
  const write = async (writes: RowWrites, isOfCell: boolean): Promise<Outcome> => {
    let done = 0;
    const { result, failure } = await run(
      () =>
        writer.write(writes).catch((reason: unknown) => {
          if (!(reason instanceof PartialWrite)) throw reason;
          // The rows that were written can be taken back.
          history.add(reason.written);
          done = reason.written.changes.length + reason.written.values.length;
          throw reason.cause;
        }),
      writes.lines,
    );
    if (result === undefined) {
      const isConflict = failure instanceof RowConflict;
      if (isOfCell && !isConflict) setError(undefined);
      return { state: isConflict ? "CONFLICT" : "FAILED", failure, done };
    }
    if (writes.lines === undefined) history.add(result);
    else history.clear();
    return { state: "WRITTEN" };
  };
  /** After a conflict, the outcome is that of the person's decision. */
  const settled = async (writes: RowWrites, isOfCell: boolean): Promise<Outcome> => {
    end({ state: "DROPPED" });
    const outcome = await write(writes, isOfCell);
    if (outcome.state !== "CONFLICT") return outcome;
    return new Promise((settle) => {
      waiting.current = { settle, isOfCell };
    });
  };
  const isDone = async (work: () => Promise<void>): Promise<boolean> =>
    (await run(() => work().then(() => true))).result ?? false;
  return {
    ...{ isBusy, conflict, nextUndo: history.nextUndo, nextRedo: history.nextRedo },
    error: conflict === null ? error : undefined,
    dismiss: () => {
      setError(undefined);
      end({ state: "DROPPED" });
    },
    write: async (writes) => (await settled(writes, false)).state === "WRITTEN",
    writeCell: async ({ row, after }) => {
      const current = store.state.rows.find(({ id }) => id === row.id);
      const isSeen = Object.keys(after).every((name) =>
        isEqual(current?.values[name], row.values[name]),
      );
      const base = current !== undefined && current.key !== null && isSeen ? current : row;
      return (await settled({ changes: [{ row: base, after }] }, true)).failure;
    },
    attempt: async (writes) => {
      const { state, failure, done = 0 } = await settled(writes, true);
      return state === "FAILED" ? { failure, done } : undefined;
    },
    resolve: async (current, chosen) => {
      setError(undefined);
      store.replace(new Map([[current.id, current]]));
      const { changes = [], creates = [], removes = [] } = conflict?.others ?? {};
      const decided = Object.keys(chosen).length === 0 ? [] : [{ row: current, after: chosen }];
      const { lines } = conflict?.others ?? {};
      const isNothing =
        lines === undefined &&
        [changes, creates, removes, decided].every((some) => some.length === 0);
      const all = {
        ...{ changes: [...changes, ...decided], creates, removes },
        ...(lines === undefined ? {} : { lines: { ...lines, record: current } }),
      };
      const outcome: Outcome = isNothing
        ? { state: "WRITTEN" }
        : await write(all, waiting.current?.isOfCell ?? false);
      if (outcome.state !== "CONFLICT") end(outcome);
    },
    create: async (values, lines) => {
      const { result } = await run(() => writer.create(values, lines), lines);
      if (result !== undefined && lines !== undefined) history.clear();
      else if (result !== undefined && result.rows.length > 0) history.add(result);
      return result?.rows ?? null;
    },
    remove: (rows) => isDone(() => writer.remove(rows)),
    changeMatching: (where, after, count) =>
      isDone(() => writer.changeMatching(where, after, count)),
    removeMatching: (where, count) => isDone(() => writer.removeMatching(where, count)),
    undo: () => isDone(() => history.undo()),
    redo: () => isDone(() => history.redo()),
  };
}

/** The writes of a page that has no grid of its table. */
export function useLoneChanges(resource: NavigationResource): RowChanges {
  const fields = useMemo(
    () => readableColumns(resource).map(({ name }) => writeName(name)),
    [resource],
  );
  const [store] = useState(() => new RowStore(async () => ({ rows: [], next: null })));
  return useRowChanges(resource, fields, store);
}

/** Runs writes, and keeps their state. */
function useWrites(resource: NavigationResource) {
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [running, setRunning] = useState(0);
  const { id } = resource;
  const run = useCallback(
    async <Result>(
      work: () => Promise<Result>,
      lines?: RecordLines,
    ): Promise<{ readonly result?: Result; readonly failure?: unknown }> => {
      setRunning((count) => count + 1);
      setError(undefined);
      try {
        return { result: await work() };
      } catch (failure) {
        setError(failure);
        return { failure };
      } finally {
        // An open record is read again, also after a conflict.
        const ids = new Set([id, ...(lines?.writes ?? []).map(({ target }) => target.id)]);
        await Promise.all(
          [...ids].flatMap((one) =>
            ["record", "related"].map((kind) =>
              queries.invalidateQueries({ queryKey: [kind, one] }),
            ),
          ),
        );
        setRunning((count) => count - 1);
      }
    },
    [queries, id],
  );
  const isBusy = running > 0;
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);
  return { run, isBusy, error, setError };
}

/** The history outlives a change of filter, order or columns; another table has a page of its own. */
function useHistory(writer: RowWriter, store: RowStore): ChangeHistory {
  const [history] = useState(() => new ChangeHistory(writer, store));
  useEffect(() => history.use(writer, store), [history, writer, store]);
  return history;
}

/**
 * The edits of one grid that can be undone and redone. Neither overwrites what another person has written: each row must
 * still have the values that this history gave it.
 */
class ChangeHistory {
  #writer: RowWriter;
  #store: RowStore;
  #undo: readonly WrittenRows[] = [];
  #redo: readonly WrittenRows[] = [];

  constructor(writer: RowWriter, store: RowStore) {
    this.#writer = writer;
    this.#store = store;
  }

  /** Goes on with another list of the same rows. */
  use(writer: RowWriter, store: RowStore): void {
    this.#writer = writer;
    this.#store = store;
  }

  /** The entry that `undo` takes back; undefined for none. */
  get nextUndo(): WrittenRows | undefined {
    return this.#undo.at(-1);
  }

  get nextRedo(): WrittenRows | undefined {
    return this.#redo.at(-1);
  }

  /** Adds an edit. What was undone before can no longer be redone. */
  add(entry: WrittenRows): void {
    this.#undo = [...this.#undo, entry];
    this.#redo = [];
  }

  /** Forgets every edit, after one that cannot be taken back: an earlier one would be taken back in its place. */
  clear(): void {
    this.#undo = [];
    this.#redo = [];
  }

  /** Takes the last edit back. @throws RowConflict, RowhouseError; the entry then stays */
  async undo(): Promise<void> {
    const entry = this.nextUndo;
    if (entry === undefined) return;
    const { changes } = await this.#reverse(entry, []);
    const undone = { changes, rows: [], values: entry.values };
    this.#undo = this.#undo.slice(0, -1);
    this.#redo = [...this.#redo, undone];
  }

  /** Makes the last edit that was taken back again. @throws RowConflict, RowhouseError; the entry then stays */
  async redo(): Promise<void> {
    const entry = this.nextRedo;
    if (entry === undefined) return;
    const redone = await this.#reverse(entry, entry.values);
    this.#redo = this.#redo.slice(0, -1);
    this.#undo = [...this.#undo, redone];
  }

  /** Takes the changes of an entry back, deletes its rows, and creates others, as one edit. */
  async #reverse({ changes, rows }: WrittenRows, creates: readonly Row[]): Promise<WrittenRows> {
    const left = [
      ...changes.map(({ key, after }) => ({ key, values: after })),
      ...rows.map(({ key, values }) => ({ key, values })),
    ];
    const current = await this.#asLeft(left);
    const changed = current.slice(0, changes.length);
    return await this.#writer.write({
      changes: changed.map((row, index) => ({ row, after: changes[index]?.before ?? {} })),
      creates,
      removes: current.slice(changes.length),
    });
  }

  /** Returns the rows of some keys as they are now. @throws RowConflict for one that no longer has its values */
  async #asLeft(
    left: readonly { readonly key: RowKey | null; readonly values: Row }[],
  ): Promise<readonly GridRow[]> {
    const ids = left.map(({ key }) => JSON.stringify(key));
    const wanted = left.map(({ values }) => this.#writer.comparable(values));
    // A column that the grid hides by now must have its value too.
    const read = await this.#writer.read(
      left.flatMap(({ key }) => (key === null ? [] : [key])),
      wanted.flatMap((values) => Object.keys(values)),
    );
    const byId = new Map(read.map((row) => [row.id, row]));
    return left.map(({ key, values }, index) => {
      const id = ids[index] ?? "";
      const current = byId.get(id);
      if (current !== undefined && hasValues(current.values, wanted[index] ?? {})) return current;
      const known = this.#store.state.rows.find((row) => row.id === id);
      const row = known ?? { id, key, values, etag: undefined };
      throw new RowConflict({ row, after: values }, current ?? null);
    });
  }
}

/** Whether a row has these values in the columns that they name. */
function hasValues(row: Row, values: Row): boolean {
  return Object.entries(values).every(([name, value]) => isEqual(row[name], value));
}
