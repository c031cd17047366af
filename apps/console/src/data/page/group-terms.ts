import { writeName } from "@rowhouse/access/written-name";
import type { RowsView } from "./use-rows-view.ts";

/** Columns whose sums stand beside the number of rows. */
const sumsMax = 4;

/** Returns the columns whose sums stand beside the number of rows of each group. */
export function summedColumns(view: Pick<RowsView, "columns">, names: readonly string[]) {
  return (
    view.columns
      .filter(({ name, isNumeric }) => isNumeric && !names.includes(name))
      // The sum of a year or of a key says nothing; a person has given amounts a format.
      .filter(({ column }) => column.format !== null)
      .slice(0, sumsMax)
  );
}

/** Returns the terms of the request that counts the rows of a view by the values of some columns. */
export function groupTerms(view: Pick<RowsView, "columns">, names: readonly string[]) {
  const sums = summedColumns(view, names).map(({ name }) => `sum(${writeName(name)})` as const);
  const groupBy = names.map(writeName);
  return { aggregate: ["count(*)" as const, ...sums], groupBy, orderBy: groupBy };
}
