import { useState } from "react";
import { useTranslations } from "use-intl";
import { TabLinks } from "../../shell/tab-links.tsx";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { Notice } from "../../ui/notice.tsx";
import { ColumnsTab } from "../columns/columns-tab.tsx";
import { TableDraftProvider } from "../draft/draft-context.ts";
import { useTableDraft } from "../draft/use-table-draft.ts";
import { CreateFromFileDialog } from "../from-file/create-from-file-dialog.tsx";
import { FilePart } from "../from-file/file-part.tsx";
import { useFileProposal } from "../from-file/use-file-proposal.ts";
import { structurePath } from "../model/paths.ts";
import type { Table } from "../model/queries.ts";
import { ChecksTab } from "../parts/checks-tab.tsx";
import { IndexesTab } from "../parts/indexes-tab.tsx";
import { KeysTab } from "../parts/keys-tab.tsx";
import { PresentationTab } from "../presentation/presentation-tab.tsx";
import { ApplyDialog } from "../preview/apply-dialog.tsx";
import { PreviewPane } from "../preview/preview-pane.tsx";
import { DropTableDialog } from "./drop-table-dialog.tsx";
import { TableHead } from "./table-head.tsx";
import { type TableTab, tableTabs } from "./table-search.ts";

interface TableEditorProps {
  readonly schema: string;
  /** Null for a new table. */
  readonly table: Table | null;
  readonly etag: string | undefined;
  readonly tab: TableTab;
}

/** The parts of a table, and beside them what the draft of their change will do. */
export function TableEditor({ schema, table, etag, tab }: TableEditorProps) {
  const t = useTranslations("structure");
  const words = useTranslations("tableDraft");
  const draft = useTableDraft(schema, table, etag);
  const file = useFileProposal(draft);
  const [dialog, setDialog] = useState<"apply" | "drop" | undefined>();
  const [isApplied, setApplied] = useState(false);
  useLeaveGuard(draft.isChanged, words("leave"));
  const close = () => setDialog(undefined);
  const counts: Readonly<Record<TableTab, number | undefined>> = {
    columns: table?.columns.length,
    presentation: undefined,
    keys:
      table === null
        ? undefined
        : (table.primaryKey === null ? 0 : 1) + table.uniques.length + table.foreignKeys.length,
    indexes: table?.indexes.length,
    checks: table?.checks.length,
  };
  return (
    <TableDraftProvider value={draft}>
      <div className="grid min-h-dvh content-start lg:grid-rows-[auto_1fr]">
        <TableHead onApply={() => setDialog("apply")} onDrop={() => setDialog("drop")} />
        <div className="grid lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
          <div className="grid min-w-0 content-start gap-4 p-4 md:px-6">
            {table !== null && (
              <TabLinks
                label={t("tabs")}
                tabs={tableTabs.map((one) => ({
                  href: structurePath(
                    ...([schema, "table", table.name] as const),
                    one === "columns" ? undefined : one,
                  ),
                  label: t(one),
                  detail: counts[one]?.toString(),
                }))}
              />
            )}
            {isApplied && !draft.isChanged && <Notice kind="ok">{words("applied")}</Notice>}
            {table === null && <FilePart file={file} />}
            {tab === "columns" && <ColumnsTab />}
            {tab === "presentation" && table !== null && (
              <PresentationTab
                resourceId={table.resourceId}
                schema={schema}
                name={table.name}
                kind="table"
              />
            )}
            {tab === "keys" && <KeysTab />}
            {tab === "indexes" && <IndexesTab />}
            {tab === "checks" && <ChecksTab />}
          </div>
          <PreviewPane />
        </div>
      </div>
      {dialog === "apply" && file.proposal !== undefined && (
        <CreateFromFileDialog proposal={file.proposal} onClose={close} />
      )}
      {dialog === "apply" && file.proposal === undefined && (
        <ApplyDialog
          onClose={close}
          onDone={() => {
            close();
            setApplied(true);
          }}
        />
      )}
      {dialog === "drop" && table !== null && <DropTableDialog table={table} onClose={close} />}
    </TableDraftProvider>
  );
}
