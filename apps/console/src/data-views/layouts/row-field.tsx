import { cellOf, type GridColumn } from "../../records/grid/grid-column.ts";
import { GridValue } from "../../records/grid/grid-value.tsx";
import { titleOf } from "../../records/model/resource.ts";
import type { GridRow } from "../../records/rows/row-store.ts";

/** A value of a row with the name of its field, in one line. */
export function RowField({ item, row }: { readonly item: GridColumn; readonly row: GridRow }) {
  return (
    <span className="grid min-w-0 grid-cols-[38%_minmax(0,1fr)] gap-2 text-2">
      <span className="truncate text-ink-2" dir="auto" title={titleOf(item.column)}>
        {titleOf(item.column)}
      </span>
      <span className="flex min-w-0 overflow-hidden">
        <GridValue item={item} values={row.values} />
      </span>
    </span>
  );
}

/** The text by which a row is recognized; its key where it has none. */
export function RowTitle({
  item,
  row,
}: {
  readonly item: GridColumn | undefined;
  readonly row: GridRow;
}) {
  const value = item === undefined ? undefined : cellOf(item, row.values);
  if (item === undefined || value === null || value === undefined || value === "") {
    return <span className="truncate text-ink-3">{row.key?.join(", ") ?? "–"}</span>;
  }
  return <GridValue item={item} values={row.values} />;
}
