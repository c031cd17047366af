import type { GroupTerm, Mark, OpenPanel } from "./open-panel.ts";

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
  /** The values of a cell, of a line or of a column, or of everything; undefined where there are none. */
  readonly valuesOf: (row: PivotKey | null, column: PivotKey | null) => Mark | undefined;
}

/** Arranges the rows of a panel and the totals that the service computed from the rows themselves. */
export function readPivot({ terms, pivot, rows: answered = [], totals }: OpenPanel): Pivot {
  const groups = terms?.groups ?? [];
  const columnNames = new Set(pivot?.columns ?? []);
  const rowTerms = groups.filter(({ name }) => !columnNames.has(name));
  const columnTerms = groups.filter(({ name }) => columnNames.has(name));
  const rows = new Map<string, PivotKey>();
  const columns = new Map<string, PivotKey>();
  const values = new Map<string, Mark>();
  const place = (row: PivotKey | null, column: PivotKey | null) =>
    JSON.stringify([row?.key ?? null, column?.key ?? null]);
  for (const answer of answered) {
    const row = keyOf(rowTerms, answer);
    const column = keyOf(columnTerms, answer);
    rows.set(row.key, rows.get(row.key) ?? row);
    columns.set(column.key, columns.get(column.key) ?? column);
    values.set(place(row, column), answer);
  }
  for (const one of totals?.rows ?? []) values.set(place(keyOf(rowTerms, one), null), one);
  for (const one of totals?.columns ?? []) values.set(place(null, keyOf(columnTerms, one)), one);
  if (totals !== undefined) {
    values.set(place(null, null), totals.all);
    // Without groups in columns, the one column is everything.
    if (columnTerms.length === 0) values.set(place(null, keyOf([], {})), totals.all);
  }
  return {
    ...{ rowTerms, columnTerms, rows: [...rows.values()] },
    columns: sorted([...columns.values()], columnTerms),
    valuesOf: (row, column) => values.get(place(row, column)),
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
