import { compareDecimals, isDecimal } from "../../records/values/decimal.ts";
import type { GroupTerm, Mark, OpenPanel, PanelField } from "./open-panel.ts";

/** A line or a column of a pivot: the values of its groups. */
export interface PivotKey {
  readonly key: string;
  readonly values: Mark;
}

/** A table of groups against groups. */
interface Pivot {
  readonly rowTerms: readonly GroupTerm[];
  readonly columnTerms: readonly GroupTerm[];
  readonly rows: readonly PivotKey[];
  readonly columns: readonly PivotKey[];
  /** The values of a cell, of a line or of a column, or of everything; undefined where there are none. */
  readonly valuesOf: (row: PivotKey | null, column: PivotKey | null) => Mark | undefined;
}

/** Arranges the rows of a panel and the totals that the service computed from the rows themselves. */
export function readPivot({
  terms,
  pivot,
  rows: answered = [],
  fields = [],
  totals,
}: OpenPanel): Pivot {
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
    columns: sorted([...columns.values()], columnTerms, fields),
    valuesOf: (row, column) => values.get(place(row, column)),
  };
}

function keyOf(terms: readonly GroupTerm[], row: Mark): PivotKey {
  const values = Object.fromEntries(terms.map(({ name }) => [name, row[name] ?? null]));
  return { key: JSON.stringify(Object.values(values)), values };
}

/** The first line need not have every column, so columns are sorted by themselves, as the service sorts groups. */
function sorted(
  keys: PivotKey[],
  terms: readonly GroupTerm[],
  fields: readonly PanelField[],
): readonly PivotKey[] {
  return keys.sort((one, other) => {
    for (const { name, field } of terms) {
      const values = fields.find((item) => item.name === field)?.values ?? null;
      const order = compare(one.values[name], other.values[name], values);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Compares values of a group: null is last, and the labels of an enum have their own order. */
function compare(one: unknown, other: unknown, labels: readonly string[] | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  const [left, right] = [String(one), String(other)];
  if (labels !== null) return labels.indexOf(left) - labels.indexOf(right);
  return isDecimal(left) && isDecimal(right)
    ? compareDecimals(left, right)
    : left.localeCompare(right);
}
