import { cellOf, type GridColumn } from "../../records/grid/grid-column.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import { valueText } from "../../records/values/show-value.ts";
import type { Ways } from "../../records/values/ways.ts";

/** Characters of a title that a label of a button has. */
const titleMax = 120;

/** Returns the title of a row as a text, for labels of buttons. */
export function titleText(item: GridColumn | undefined, row: GridRow, ways: Ways): string {
  const text = item === undefined ? "" : valueText(item.column, cellOf(item, row.values), ways);
  return (text === "" ? (row.key?.join(", ") ?? "–") : text).slice(0, titleMax);
}
