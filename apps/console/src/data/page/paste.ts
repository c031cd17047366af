import type { GridColumn } from "../../records/grid/grid-column.ts";
import type { GridRange } from "../../records/grid/grid-position.ts";
import { isEqual } from "../../records/model/is-equal.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import type { RowChange } from "../../records/rows/row-writer.ts";
import type { Reading } from "../../records/values/reading.ts";

/** A text of a pasted table that is no value of its column, or whose column cannot be changed. */
export interface PasteFault {
  /** The position of the row in the grid. */
  readonly row: number;
  readonly column: GridColumn;
  readonly text: string;
  readonly fault: string;
}

/** The changes of a paste; without faults alone they may be written. */
export interface Paste {
  readonly changes: readonly RowChange[];
  readonly faults: readonly PasteFault[];
  /** Lines below the last row, which have no place. */
  readonly leftOver: number;
}

interface PasteTarget {
  readonly rows: readonly GridRow[];
  readonly columns: readonly GridColumn[];
  readonly range: GridRange;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
  readonly read: (column: GridColumn, text: string) => Reading;
  /** The text of the fault of a cell that cannot be changed. */
  readonly locked: string;
}

/**
 * Places a table of texts on the grid from the first selected cell on. A single text fills the whole selection, as in a
 * spreadsheet. Equal values are no change.
 */
export function placePaste(table: readonly (readonly string[])[], target: PasteTarget): Paste {
  const { rows, columns, range, isUpdatable, read, locked } = target;
  const [[only] = []] = table;
  const isFill = table.length === 1 && table[0]?.length === 1 && only !== undefined;
  const lines = isFill
    ? Array.from({ length: range.bottom - range.top + 1 }, () =>
        Array.from({ length: range.right - range.left + 1 }, () => only),
      )
    : table;
  const changes: RowChange[] = [];
  const faults: PasteFault[] = [];
  for (const [line, texts] of lines.entries()) {
    const position = range.top + line;
    const row = rows[position];
    if (row === undefined) break;
    const after: Record<string, unknown> = {};
    for (const [offset, text] of texts.entries()) {
      const column = columns[range.left + offset];
      if (column === undefined) break;
      const place = { row: position, column, text };
      if (!isUpdatable(row, column)) {
        faults.push({ ...place, fault: locked });
        continue;
      }
      const reading = read(column, text);
      if ("fault" in reading) faults.push({ ...place, fault: reading.fault });
      else if (!isEqual(reading.value, row.values[column.name])) after[column.name] = reading.value;
    }
    if (Object.keys(after).length > 0) changes.push({ row, after });
  }
  return { changes, faults, leftOver: Math.max(0, range.top + lines.length - rows.length) };
}
