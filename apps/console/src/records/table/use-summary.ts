import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../grid/grid-column.ts";
import { type GridSelection, rangeOf } from "../grid/grid-position.ts";
import { titleOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import { addDecimals, isDecimal } from "../values/decimal.ts";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";

/** Columns whose sums are shown. */
const sumsMax = 2;

/** Returns what is selected in words: the number of rows or cells, and the sums of their numbers. */
export function useSummary(
  columns: readonly GridColumn[],
  rows: readonly GridRow[],
  selection: GridSelection,
  checked: readonly GridRow[],
): string {
  const t = useTranslations("grid");
  const ways = useWays();
  return useMemo(() => {
    const { top, bottom, left, right } = rangeOf(selection);
    const areRows = checked.length > 0;
    const count = (bottom - top + 1) * (right - left + 1);
    if (!areRows && count <= 1) return "";
    const counted = areRows ? checked : rows.slice(top, bottom + 1);
    // Of whole rows, those numbers that are amounts to people: the sum of a year says nothing.
    const summed = areRows
      ? columns.filter(({ column }) => column.format !== null)
      : columns.slice(left, right + 1);
    const shown = summed
      .filter(({ isNumeric }) => isNumeric)
      .slice(0, sumsMax)
      .flatMap((item) => {
        const { column } = item;
        const texts = counted
          .map((row) => String(cellOf(item, row.values) ?? ""))
          .filter(isDecimal);
        if (texts.length === 0) return [];
        return t("sum", {
          name: titleOf(column),
          sum: valueText({ ...column, baseType: "numeric" }, addDecimals(texts), ways),
        });
      });
    const what = areRows
      ? t("selectedRows", { count: checked.length })
      : t("selectedCells", { count });
    return [what, ...shown].join(" · ");
  }, [columns, rows, selection, checked, t, ways]);
}
