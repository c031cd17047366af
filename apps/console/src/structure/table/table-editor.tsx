import { useEffect, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import {
  ConfirmationFields,
  isConfirmed,
  LockList,
  LossList,
} from "../../changes/change-lists.tsx";
import { FileField } from "../../records/files/import-parts.tsx";
import { readSource } from "../../records/files/read-source.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { LockedFields, ManagedNotice, useManagedLock } from "../../shell/managed.tsx";
import { TabLinks } from "../../shell/tab-links.tsx";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { Notice } from "../../ui/notice.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ColumnsTab } from "../columns/columns-tab.tsx";
import { TableDraftProvider, useDraft } from "../draft/draft-context.ts";
import { useApply } from "../draft/use-structure-change.ts";
import { type TableDraft, useTableDraft } from "../draft/use-table-draft.ts";
import { CreateFromFileDialog } from "../from-file/create-from-file-dialog.tsx";
import { type Proposal, proposeTable } from "../from-file/propose-table.ts";
import { readProfile } from "../from-file/read-profile.ts";
import { structurePath } from "../model/paths.ts";
import type { Table } from "../model/queries.ts";
import { ChecksTab } from "../parts/checks-tab.tsx";
import { IndexesTab } from "../parts/indexes-tab.tsx";
import { KeysTab } from "../parts/keys-tab.tsx";
import { PresentationTab } from "../presentation/presentation-tab.tsx";
import { PreviewPane } from "../preview/preview-pane.tsx";
import { type TableTab, tableTabs } from "../structure-search.ts";
import { DropTableDialog, TableHead } from "./table-head.tsx";

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
  const lock = useManagedLock("tables", table === null ? [] : [schema, table.name]);
  const draft = useTableDraft(schema, table, etag, lock.isLocked);
  const file = useFileProposal(draft);
  const [dialog, setDialog] = useState<"apply" | "drop" | undefined>();
  const [applied, setApplied] = useState<"applied" | "formatFailed" | undefined>();
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
            <ManagedNotice lock={lock} />
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
            {applied !== undefined && !draft.isChanged && (
              <Notice kind={applied === "applied" ? "ok" : "danger"}>{words(applied)}</Notice>
            )}
            {table === null && <FilePart file={file} />}
            {tab === "columns" && <ColumnsTab />}
            {tab === "presentation" && table !== null && (
              <PresentationTab
                resourceId={table.resourceId}
                schema={schema}
                name={table.name}
                kind="table"
                isLocked={lock.isLocked}
              />
            )}
            {tab === "indexes" && <IndexesTab />}
            <LockedFields isLocked={lock.isLocked}>
              {tab === "keys" && <KeysTab />}
              {tab === "checks" && <ChecksTab />}
            </LockedFields>
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
          onDone={(isFormatStored) => {
            close();
            setApplied(isFormatStored ? "applied" : "formatFailed");
          }}
        />
      )}
      {dialog === "drop" && table !== null && <DropTableDialog table={table} onClose={close} />}
    </TableDraftProvider>
  );
}

interface ApplyDialogProps {
  readonly onClose: () => void;
  readonly onDone: (isFormatStored: boolean) => void;
}

/** Asks before the changes are made: what waits meanwhile and what is lost, whose names are typed. */
function ApplyDialog({ onClose, onDone }: ApplyDialogProps) {
  const t = useTranslations("tableDraft");
  const draft = useDraft();
  const { table, preview, changeCount } = draft;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const task = useApply(draft, typed, onDone);
  const { confirmations = [], losses = [], locks = [] } = preview.effects ?? {};
  const heavy = locks.filter(({ work }) => work !== "NONE");
  const isReady = preview.effects !== undefined && isConfirmed(confirmations, typed);
  const isOutdated = task.code === "PRECONDITION_FAILED";
  const shownTask = isOutdated ? { ...task, failure: t("outdatedNothing") } : task;
  return (
    <FormDialog
      title={
        table === null
          ? t("createTitle", { name: draft.draft.name ?? "" })
          : t("applyTitle", { count: changeCount, name: table.name })
      }
      onClose={onClose}
      task={shownTask}
      submit={t(table === null ? "createNow" : "applyNow")}
      isDanger={losses.length > 0}
      isReady={isReady}
    >
      {table === null && <p className="text-ink-2">{t("createText")}</p>}
      {heavy.length > 0 && <LockList locks={heavy} notes={[]} />}
      {losses.length > 0 && <LossList losses={losses} />}
      {table !== null && heavy.length === 0 && losses.length === 0 && (
        <p className="text-ink-2">{t("nothingLost")}</p>
      )}
      <ConfirmationFields
        confirmations={confirmations}
        typed={typed}
        onChange={setTyped}
        faultAt={task.faultAt}
      />
    </FormDialog>
  );
}

/** Takes the file whose rows a new table gets, and says what was found in it. */
function FilePart({ file }: { readonly file: FileProposal }) {
  const t = useTranslations("fromFile");
  const words = useTranslations("manage");
  const format = useFormatter();
  const describe = useFailureText();
  const { reading, proposal } = file;
  const isReading = reading.name === "READING";
  return (
    <div className="grid max-w-140 gap-3">
      {isReading && (
        <>
          <p role="status">{t("reading", { rows: format.number(reading.rows) })}</p>
          <ProgressBar label={t("title")} part={undefined} />
          <div>
            <ToolButton onClick={file.cancel}>{words("cancel")}</ToolButton>
          </div>
        </>
      )}
      {proposal !== undefined && !isReading && <Found proposal={proposal} />}
      {reading.name === "FAILED" && <Notice kind="danger">{describe(reading.error)}</Notice>}
      {reading.name === "EMPTY" && <Notice kind="danger">{t("noNames")}</Notice>}
      {/* It stays while the file is read, because a new one would have lost the name of the file. */}
      <div hidden={isReading}>
        <FileField
          label={t(proposal === undefined ? "title" : "another")}
          hint={t("hint")}
          accept=".csv,.tsv,.txt"
          onFile={(chosen) => void file.choose(chosen)}
        />
      </div>
    </div>
  );
}

/** What a file has, as far as the draft does not show it. */
function Found({ proposal }: { readonly proposal: Proposal }) {
  const t = useTranslations("fromFile");
  const format = useFormatter();
  const { source, rows, columns } = proposal.profile;
  const unique = source.names.filter((_name, index) => columns[index]?.isUnique);
  const hasChoices = columns.some(({ choices }) => choices !== undefined);
  return (
    <Notice kind="info">
      <span className="grid gap-1">
        <span className="wrap-anywhere">
          {t("found", { rows: format.number(rows), name: source.file.name })}
        </span>
        <span className="wrap-anywhere">
          {unique.length === 0 ? t("noneUnique") : t("unique", { names: unique.join(", ") })}
        </span>
        {hasChoices && <span>{t("choices")}</span>}
      </span>
    </Notice>
  );
}

type Reading =
  /** `EMPTY`: the file names no columns. */
  | { readonly name: "IDLE" | "EMPTY" }
  | { readonly name: "READING"; readonly rows: number }
  | { readonly name: "FAILED"; readonly error: unknown };

/** A file whose rows a new table is to have. */
interface FileProposal {
  readonly reading: Reading;
  /** Undefined without a file, and once the draft has none of its columns. */
  readonly proposal: Proposal | undefined;
  choose(file: File): Promise<void>;
  cancel(): void;
}

/** Reads a file and makes its proposal the draft. The edits of the draft stay if a file with the same names follows. */
function useFileProposal({ draft, change }: TableDraft): FileProposal {
  const [reading, setReading] = useState<Reading>({ name: "IDLE" });
  const [last, setLast] = useState<Proposal>();
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const isUsed = last?.columnIds.some((id) => draft.added.some((column) => column.id === id));
  const proposal = isUsed === true ? last : undefined;

  const choose = async (file: File) => {
    abort.current?.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onRows = (rows: number) => setReading({ name: "READING", rows });
    onRows(0);
    try {
      const profile = await readProfile(await readSource(file), onRows, signal);
      const { names } = profile.source;
      const isSame = proposal?.profile.source.names.join("\n") === names.join("\n");
      if (isSame) setLast({ ...proposal, profile });
      else if (names.length > 0) {
        const next = proposeTable(profile);
        setLast(next);
        change(() => next.draft);
      }
      setReading({ name: names.length > 0 ? "IDLE" : "EMPTY" });
    } catch (error) {
      if (signal.aborted) setReading({ name: "IDLE" });
      else setReading({ name: "FAILED", error });
    }
  };
  return { reading, proposal, choose, cancel: () => abort.current?.abort() };
}
