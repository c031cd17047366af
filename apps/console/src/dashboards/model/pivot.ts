import { addDecimals, compareDecimals, isDecimal } from "../../records/values/decimal.ts";
import type { AggregateTerm, GroupTerm, Mark } from "./open-panel.ts";

/** A line or a column of a pivot: the values of its groups. */
export interface PivotKey {
  readonly key: string;
  readonly values: Mark;
}

/** A table of groups against groups. */
export interface Pivot {
  readonly rowTerms: readonly GroupTerm[];
  readonly columnTerms: readonly GroupTerm[];
  readonly rows: readonly PivotKey[];
  readonly columns: readonly PivotKey[];
  /** The answered row of a cell; undefined where there is none. */
  readonly cellOf: (row: PivotKey, column: PivotKey) => Mark | undefined;
  /** The answered rows of a line, of a column, or of all. */
  readonly rowsOf: (row: PivotKey | null, column: PivotKey | null) => readonly Mark[];
}

/** Arranges the rows of a panel; the first terms are the lines of the table. */
export function readPivot(
  groups: readonly GroupTerm[],
  rowCount: number,
  answered: readonly Mark[],
): Pivot {
  const rowTerms = groups.slice(0, rowCount);
  const columnTerms = groups.slice(rowCount);
  const rows = new Map<string, PivotKey>();
  const columns = new Map<string, PivotKey>();
  const cells = new Map<string, Mark>();
  for (const answer of answered) {
    const row = keyOf(rowTerms, answer);
    const column = keyOf(columnTerms, answer);
    rows.set(row.key, rows.get(row.key) ?? row);
    columns.set(column.key, columns.get(column.key) ?? column);
    cells.set(`${row.key} ${column.key}`, answer);
  }
  const lines = [...rows.values()];
  const sides = sorted([...columns.values()], columnTerms);
  const cellOf = (row: PivotKey, column: PivotKey) => cells.get(`${row.key} ${column.key}`);
  return {
    ...{ rowTerms, columnTerms, rows: lines, columns: sides, cellOf },
    rowsOf: (row, column) =>
      (row === null ? lines : [row])
        .flatMap((line) => (column === null ? sides : [column]).map((side) => cellOf(line, side)))
        .filter((answer) => answer !== undefined),
  };
}

function keyOf(terms: readonly GroupTerm[], row: Mark): PivotKey {
  const values = Object.fromEntries(terms.map(({ name }) => [name, row[name] ?? null]));
  return { key: JSON.stringify(Object.values(values)), values };
}

/** The first line need not have every column, so columns of times are sorted by themselves. */
function sorted(keys: PivotKey[], terms: readonly GroupTerm[]): readonly PivotKey[] {
  if (!terms.some(({ unit }) => unit !== null)) return keys;
  return keys.sort((one, other) => {
    for (const { name } of terms) {
      const [left, right] = [one.values[name], other.values[name]];
      if (left === right) continue;
      if (left === null || right === null) return left === null ? 1 : -1;
      return String(left) < String(right) ? -1 : 1;
    }
    return 0;
  });
}

/**
 * Returns the total of an aggregate over some rows with every digit; undefined for one whose parts do not make a total,
 * such as an average.
 */
export function totalOf(term: AggregateTerm, rows: readonly Mark[]): string | undefined {
  const values = rows
    .map((row) => row[term.name])
    .filter((value) => value !== null && value !== undefined)
    .map(String);
  if (values.length === 0 || !values.every(isDecimal)) return undefined;
  switch (term.apply) {
    case "count":
    case "sum":
      return addDecimals(values);
    case "min":
      return values.reduce((least, value) => (compareDecimals(value, least) < 0 ? value : least));
    case "max":
      return values.reduce((most, value) => (compareDecimals(value, most) > 0 ? value : most));
    default:
      return undefined;
  }
}
