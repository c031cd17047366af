import type { Row, RowKey } from "../model/resource.ts";
import type { GridRow } from "./row-store.ts";

/** A change of one row. */
export interface RowChange {
  readonly row: GridRow;
  /** The columns to change with their new values. */
  readonly after: Row;
}

/** A change that was written: what the columns had, and what they have now. */
export interface WrittenChange {
  readonly key: RowKey;
  readonly before: Row;
  readonly after: Row;
}

/** Writes of one resource that belong together. */
export interface RowWrites {
  readonly changes?: readonly RowChange[];
  /** The values of rows to create. */
  readonly creates?: readonly Row[];
  readonly removes?: readonly GridRow[];
}

/** The changed and created rows of one edit, with all that is needed to take it back and to make it again. */
export interface WrittenRows {
  readonly changes: readonly WrittenChange[];
  /** The rows as they were created. */
  readonly rows: readonly GridRow[];
  /** The values of the created rows. */
  readonly values: readonly Row[];
}

/** A row that another person has changed since it was read. */
export class RowConflict extends Error {
  override readonly name = "RowConflict";

  /** The row as it was read, and the change. */
  readonly change: RowChange;
  /** The row as it is now; null if it is gone, or this person no longer sees it. */
  readonly current: GridRow | null;
  /** The other writes that were not made because of this one. */
  readonly others: RowWrites;

  constructor(change: RowChange, current: GridRow | null, others: RowWrites = {}) {
    super("Another person has changed the row");
    this.change = change;
    this.current = current;
    this.others = others;
  }
}

/** Writes of many rows that failed after some of them were made. */
export class PartialWrite extends Error {
  override readonly name = "PartialWrite";
  readonly written: WrittenRows;

  constructor(written: WrittenRows, cause: unknown) {
    super("Only some of the rows were written", { cause });
    this.written = written;
  }
}
