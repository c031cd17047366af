import type { NavigationResource } from "../../shell/navigation.ts";
import type { Row, RowKey } from "../model/resource.ts";
import type { GridRow } from "./row-store.ts";

/** A change of one row. */
export interface RowChange {
  readonly row: GridRow;
  /** The columns to change with their new values. */
  readonly after: Row;
}

/** Returns the writes of a form: the values of its record, if some have changed, and its lines. */
export function formWrites(row: GridRow, after: Row, lines: RecordLines | undefined): RowWrites {
  return {
    changes: Object.keys(after).length === 0 ? [] : [{ row, after }],
    ...(lines === undefined ? {} : { lines }),
  };
}

/** A change that was written: what the columns had, and what they have now. */
export interface WrittenChange {
  readonly key: RowKey;
  readonly before: Row;
  readonly after: Row;
}

/** A write of a line of a record, in the transaction of the record. */
export type LineWrite = {
  readonly target: NavigationResource;
  /** Receives a row that was created or changed, as it is now. */
  readonly onWritten?: (row: Row, etag: string | undefined) => void;
} & (
  | {
      readonly kind: "ADD";
      readonly values: Row;
      /** The columns by which the line names the record: `from` there, `to` here. */
      readonly pairs: readonly { readonly from: string; readonly to: string }[];
    }
  | { readonly kind: "CHANGE"; readonly row: GridRow; readonly after: Row }
  | { readonly kind: "REMOVE"; readonly row: GridRow }
);

/** The lines that are written together with one record. */
export interface RecordLines {
  /** The record as it was read; undefined for a new one. */
  readonly record: GridRow | undefined;
  readonly writes: readonly LineWrite[];
  /** Receives the number of writes before those of the lines in a batch that is sent. */
  readonly onSend?: (before: number) => void;
}

/** Writes of one resource that belong together. */
export interface RowWrites {
  readonly changes?: readonly RowChange[];
  /** The values of rows to create. */
  readonly creates?: readonly Row[];
  readonly removes?: readonly GridRow[];
  /** Lines of the only row that is changed or created, or of one that is not changed itself: at most 99, all or none. */
  readonly lines?: RecordLines;
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
