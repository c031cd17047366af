import { writeName } from "@rowhouse/access/written-name";
import type { RowsView } from "../page/use-rows-view.ts";
import { ExportButton } from "./export-button.tsx";
import { ExportProgress } from "./export-progress.tsx";
import { startExport } from "./running-exports.ts";

/** Brings rows into files, and files into rows. */
export function TransferButtons({
  view,
  count,
}: {
  readonly view: RowsView;
  /** The number of rows that match. */
  readonly count: number | undefined;
}) {
  const { resource, search, columns } = view;
  const begin = (format: "csv" | "ndjson") =>
    void startExport({
      ...{ resource, format, count, where: search.where },
      ...{ orderBy: search.order_by, search: search.search },
      fields: columns.map(({ name }) => writeName(name)),
    });
  return (
    <>
      <ExportButton onExport={begin} />
      <ExportProgress />
    </>
  );
}
