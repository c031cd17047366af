import { EmptyMark } from "../../ui/empty-mark.tsx";
import { closeMarks } from "../../ui/isolated.tsx";
import { FileCell } from "../library/file-picture.tsx";
import type { Row } from "../model/resource.ts";
import { CellValue } from "../values/cell-value.tsx";
import { useWays } from "../values/ways.ts";
import { cellOf, type GridColumn, referenceText } from "./grid-column.ts";

/** A value of a row; of a column that refers to another row, the text by which people recognize that one. */
export function GridValue({ item, values }: { readonly item: GridColumn; readonly values: Row }) {
  const ways = useWays();
  const value = cellOf(item, values);
  if (item.fault !== undefined) return <EmptyMark text="–" />;
  if (item.reference === undefined || value === null || value === undefined) {
    return <CellValue column={item.column} value={value} />;
  }
  const text = referenceText(item, values, ways);
  const format = item.column.format?.type;
  if (format === "file" || format === "image") {
    return <FileCell id={String(value)} format={format} name={text} />;
  }
  return (
    <span className="block truncate text-left" dir="auto">
      {text ?? closeMarks(String(value))}
    </span>
  );
}
