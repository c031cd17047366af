import type { NavigationColumn } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import type { GridRange } from "../grid/grid-position.ts";
import { isEqual } from "../model/is-equal.ts";
import type { Row } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowChange } from "../rows/row-writes.ts";
import type { Reading } from "../values/ways.ts";

/** A text of a pasted table that is no value of its column, or whose column cannot be changed. */
interface PasteFault {
  /** The position of the row in the grid. */
  readonly row: number;
  readonly column: GridColumn;
  readonly text: string;
  readonly fault: string;
}

/** The writes of a paste; without faults alone they may be made. */
export interface Paste {
  readonly changes: readonly RowChange[];
  /** The values of new rows, from the lines below the last row. */
  readonly creates: readonly Row[];
  readonly faults: readonly PasteFault[];
  /** Lines below the last row, which have no place. */
  readonly leftOver: number;
  /** Columns without which such lines cannot become rows. */
  readonly missing: readonly NavigationColumn[];
}

interface PasteTarget {
  readonly rows: readonly GridRow[];
  readonly columns: readonly GridColumn[];
  readonly range: GridRange;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
  /** Whether lines below the last row become rows. */
  readonly mayCreate: boolean;
  /** The columns that each new row needs. */
  readonly required: readonly NavigationColumn[];
  readonly read: (column: GridColumn, text: string) => Reading;
  /** The text of the fault of a cell that cannot be changed. */
  readonly locked: string;
}

/**
 * Places a table of texts on the grid from the first selected cell on. A single text fills the whole selection, as in a
 * spreadsheet. Equal values are no change. Lines below the last row become rows.
 */
export function placePaste(table: readonly (readonly string[])[], target: PasteTarget): Paste {
  const { rows, columns, range, isUpdatable, mayCreate, required, read, locked } = target;
  const [[only] = []] = table;
  const isFill = table.length === 1 && table[0]?.length === 1 && only !== undefined;
  const lines = isFill
    ? Array.from({ length: range.bottom - range.top + 1 }, () =>
        Array.from({ length: range.right - range.left + 1 }, () => only),
      )
    : table;
  const changes: RowChange[] = [];
  const creates: Row[] = [];
  const faults: PasteFault[] = [];
  const width = Math.max(...lines.map((texts) => texts.length));
  const pasted = columns.slice(range.left, range.left + width);
  const isBeyond = mayCreate && lines.length > rows.length - range.top;
  const missing = isBeyond
    ? required.filter(({ name }) => !pasted.some((column) => column.name === name))
    : [];
  const mayAdd = mayCreate && missing.length === 0;
  const placed = mayAdd ? lines : lines.slice(0, rows.length - range.top);
  for (const [line, texts] of placed.entries()) {
    const position = range.top + line;
    const row = rows[position];
    const values: Record<string, unknown> = {};
    for (const [offset, text] of texts.entries()) {
      const column = columns[range.left + offset];
      if (column === undefined) break;
      // A new row leaves what is empty to the default, if there is one.
      if (row === undefined && text === "" && !column.column.required) continue;
      const place = { row: position, column, text };
      const isOpen = row === undefined ? column.column.creatable : isUpdatable(row, column);
      const reading = isOpen ? read(column, text) : { fault: locked };
      if ("fault" in reading) faults.push({ ...place, fault: reading.fault });
      else if (row === undefined || !isEqual(reading.value, row.values[column.name])) {
        values[column.name] = reading.value;
      }
    }
    if (Object.keys(values).length === 0) continue;
    if (row === undefined) creates.push(values);
    else changes.push({ row, after: values });
  }
  return { changes, creates, faults, leftOver: lines.length - placed.length, missing };
}
