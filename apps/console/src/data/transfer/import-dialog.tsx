import { useFormatter, useTranslations } from "use-intl";
import { missingColumns } from "../../records/files/column-mapping.ts";
import { FaultTable } from "../../records/files/fault-table.tsx";
import { FileField } from "../../records/files/file-field.tsx";
import { ImportProgress } from "../../records/files/import-progress.tsx";
import { titleOf } from "../../records/model/resource.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { FileForms } from "./file-forms.tsx";
import { MappingTable } from "./mapping-table.tsx";
import { type Import, type ImportStep, useImport } from "./use-import.ts";

/** Brings the rows of a file into a table: choose, map, check, run. */
export function ImportDialog({
  resource,
  onDone,
  onClose,
}: {
  readonly resource: NavigationResource;
  /** Called when rows have been written. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("transfer");
  const run = useImport(resource, onDone);
  const { source, step, mapping, columns } = run;
  const isRunning = step.name === "RUN";
  const missing = missingColumns(mapping, columns);
  const isRead = run.forms.dateFormat !== undefined && run.forms.decimal !== undefined;
  const isPossible = source !== null && isRead && mapping.some((name) => name !== null);
  return (
    <Dialog
      title={t("importTitle", { name: titleOf(resource) })}
      closeLabel={t("close")}
      onClose={() => {
        if (isRunning) run.cancel();
        onClose();
      }}
      isWide
    >
      {step.name !== "DONE" && (
        // It stays while the import runs, because a new one would have lost the name of the file.
        <div hidden={isRunning}>
          <FileField
            label={t(source === null ? "file" : "fileAgain")}
            hint={t("fileHint")}
            accept=".csv,.tsv,.txt,.ndjson,.jsonl"
            onFile={(file) => void run.choose(file)}
          />
        </div>
      )}
      {source !== null && step.name !== "DONE" && !isRunning && (
        <>
          {source.format === "csv" && <FileForms run={run} source={source} />}
          <MappingTable run={run} source={source} />
          {missing.length > 0 && (
            <Notice kind="info">
              {t("missing", { names: missing.map(titleOf).join(", "), count: missing.length })}
            </Notice>
          )}
          {resource.primaryKey.length > 0 && <Conflict run={run} resource={resource} />}
        </>
      )}
      <Outcome step={step} run={run} />
      <div className="flex flex-wrap justify-end gap-2">
        {isRunning ? (
          <ToolButton onClick={run.cancel}>{t("cancel")}</ToolButton>
        ) : step.name === "DONE" ? (
          <ToolButton kind="primary" onClick={onClose}>
            {t("close")}
          </ToolButton>
        ) : (
          <>
            <ToolButton
              kind={step.name === "CHECKED" ? "plain" : "primary"}
              disabled={!isPossible}
              onClick={() => void run.run(true)}
            >
              {t("check")}
            </ToolButton>
            {step.name === "CHECKED" && (
              <ToolButton kind="primary" onClick={() => void run.run(false)}>
                {t("run")}
              </ToolButton>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Conflict({
  run,
  resource,
}: {
  readonly run: Import;
  readonly resource: NavigationResource;
}) {
  const t = useTranslations("transfer");
  const { primaryKey } = resource;
  const hasKey = primaryKey.length > 0 && primaryKey.every((name) => run.mapping.includes(name));
  if (!hasKey) return null;
  const mayUpdate = resource.actions.includes("UPDATE");
  return (
    <Select
      label={t("conflict")}
      value={run.onConflict}
      options={(["refuse", "ignore", ...(mayUpdate ? (["merge"] as const) : [])] as const).map(
        (value) => ({ value, label: t(value) }),
      )}
      onChange={(onConflict) => run.change({ onConflict })}
    />
  );
}

/** What the last check or run has come to. */
function Outcome({ step, run }: { readonly step: ImportStep; readonly run: Import }) {
  const t = useTranslations("transfer");
  const format = useFormatter();
  const describe = useFailureText();
  if (step.name === "RUN") return <ImportProgress part={step.part} isCheck={step.isCheck} />;
  if (step.name === "FAILED") return <Notice kind="danger">{describe(step.error)}</Notice>;
  if (step.name === "FAULTS") return <FaultTable {...step} columns={run.columns} />;
  if (step.name === "CHOOSE") return null;
  return (
    <Notice kind="ok">
      {t(step.name === "CHECKED" ? "checked" : "done", {
        inserted: format.number(step.numbers.inserted),
        updated: format.number(step.numbers.updated),
        skipped: format.number(step.numbers.skipped),
      })}
    </Notice>
  );
}
