import { isEqual } from "../model/is-equal.ts";
import type { Row, RowKey } from "../model/resource.ts";
import type { GridRow, RowStore } from "./row-store.ts";
import type { RowWriter } from "./row-writer.ts";
import { RowConflict, type WrittenRows } from "./row-writes.ts";

/**
 * The edits of one grid that can be undone and redone. Neither overwrites what another person has written: each row must
 * still have the values that this history gave it.
 */
export class ChangeHistory {
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
