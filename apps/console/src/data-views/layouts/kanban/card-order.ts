import { cellOf, type GridColumn } from "../../../records/grid/grid-column.ts";
import type { GridRow } from "../../../records/rows/row-store.ts";
import {
  addDecimals,
  compareDecimals,
  isDecimal,
  shiftDecimal,
} from "../../../records/values/decimal.ts";
import { valueKindOf } from "../../../records/values/value-kind.ts";
import type { NavigationResource } from "../../../shell/navigation.ts";

/** Returns the field that dragging sets, if it can: a number with fractions that the person may change. */
export function settableOrder(
  item: GridColumn | undefined,
  resource: NavigationResource,
): GridColumn | undefined {
  if (item === undefined || !resource.columns.includes(item.column)) return undefined;
  const kind = valueKindOf(item.column);
  return item.column.updatable && (kind === "DECIMAL" || kind === "FLOAT") ? item : undefined;
}

function orderText(item: GridColumn, row: GridRow): string | undefined {
  const value = cellOf(item, row.values);
  const text = value === null || value === undefined ? "" : String(value);
  return isDecimal(text) ? text : undefined;
}

/** Sorts rows by a field of numbers; rows without one are last. */
export function sortedCards(
  rows: readonly GridRow[],
  item: GridColumn | undefined,
): readonly GridRow[] {
  if (item?.isNumeric !== true) return rows;
  return [...rows].sort((one, other) => {
    const [left, right] = [orderText(item, one), orderText(item, other)];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    return compareDecimals(left, right);
  });
}

/** Returns the value with which a card stands at a position among others. */
export function orderAt(item: GridColumn, others: readonly GridRow[], position: number): unknown {
  const before = others[position - 1];
  const after = others[position];
  const value = midpoint(
    before === undefined ? undefined : orderText(item, before),
    after === undefined ? undefined : orderText(item, after),
  );
  return valueKindOf(item.column) === "FLOAT" ? Number(value) : value;
}

/**
 * Returns a number between two others, exactly: half of their sum. Without the one before, it is one less than the other;
 * without the one after, one more; without both, zero.
 */
export function midpoint(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? "0" : addDecimals([after, "-1"]);
  if (after === undefined) return addDecimals([before, "1"]);
  const sum = addDecimals([before, after]);
  // Half is five tenths.
  const half = shiftDecimal(addDecimals([sum, sum, sum, sum, sum]), -1);
  return half.includes(".") ? half.replace(/(?<!0)0+$/, "").replace(/\.$/, "") : half;
}
