import { writeName } from "@rowhouse/access/written-name";
import { lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { Upload } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RowsView } from "../page/use-rows-view.ts";
import { ExportButton } from "./export-button.tsx";
import { ExportProgress } from "./export-progress.tsx";
import { startExport } from "./running-exports.ts";

// Only a person who imports loads it.
const ImportDialog = lazy(async () => ({
  default: (await import("./import-dialog.tsx")).ImportDialog,
}));

/** Brings rows into files, and files into rows. */
export function TransferButtons({
  view,
  count,
  onImported,
}: {
  readonly view: RowsView;
  /** The number of rows that match. */
  readonly count: number | undefined;
  /** Called when a file has changed rows. */
  readonly onImported: () => void;
}) {
  const { resource, search, columns } = view;
  const begin = (format: "csv" | "ndjson") =>
    void startExport({
      ...{ resource, format, count, where: search.where },
      ...{ orderBy: search.order_by, search: search.search },
      fields: columns.map(({ name }) => writeName(name)),
    });
  const t = useTranslations("transfer");
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      {resource.actions.includes("CREATE") && (
        <ToolButton aria-label={t("import")} onClick={() => setImporting(true)}>
          <Upload size={15} aria-hidden="true" />
          <span className="max-sm:hidden">{t("import")}</span>
        </ToolButton>
      )}
      <ExportButton onExport={begin} />
      <ExportProgress />
      {isImporting && (
        <Suspense fallback={null}>
          <ImportDialog
            resource={resource}
            onDone={onImported}
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
    </>
  );
}
