import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { NavigationColumn } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import type { TableView } from "../table/table-view.ts";
import { CellValue } from "../values/cell-value.tsx";
import type { OpenReading } from "./open-reading.ts";
import type { Summary } from "./presentation.ts";
import { readingColumns } from "./reading-columns.ts";

/** Returns what a table says below its columns, by their names; undefined if nothing was asked. */
export function summaryFoot(
  { presentation, fields, summaries }: OpenReading,
  { resource }: Pick<TableView, "resource">,
): ReadonlyMap<string, ReactNode> | undefined {
  if (summaries === undefined || presentation.layout !== "table") return undefined;
  const items = readingColumns({ fields }, resource);
  const cells = presentation.columns.flatMap(
    ({ field, summary }): readonly (readonly [string, ReactNode])[] => {
      const item = items.get(field);
      if (item === undefined || summary === undefined || !(field in summaries)) return [];
      return [
        [
          item.name,
          <SummaryCell key={field} item={item} summary={summary} value={summaries[field]} />,
        ],
      ];
    },
  );
  return cells.length === 0 ? undefined : new Map(cells);
}

/** The column whose look a summary has: an amount keeps its format, a number of rows is a plain number. */
function summarized({ column }: GridColumn, summary: Summary): NavigationColumn {
  if (summary === "min" || summary === "max") return column;
  const isCount = summary === "count" || summary === "countDistinct";
  return {
    ...{ ...column, array: false, values: null, colors: null },
    baseType: isCount ? "bigint" : "numeric",
    format: isCount ? null : column.format,
  };
}

function SummaryCell(props: {
  readonly item: GridColumn;
  readonly summary: Summary;
  readonly value: unknown;
}) {
  const t = useTranslations("grid");
  const { item, summary, value } = props;
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="shrink-0 text-1 text-ink-3">{t(`summary.${summary}`)}</span>
      <CellValue column={summarized(item, summary)} value={value} />
    </span>
  );
}
