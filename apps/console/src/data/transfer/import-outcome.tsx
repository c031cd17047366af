import { useFormatter, useTranslations } from "use-intl";
import { faultyCsv, faultyRows } from "../../records/files/import-faults.ts";
import { FaultTable, ImportProgress } from "../../records/files/import-parts.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { Download } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type Import, isSkippable } from "./use-import.ts";

/** What the last check or run has come to. */
export function ImportOutcome({ run }: { readonly run: Import }) {
  const { step } = run;
  const t = useTranslations("transfer");
  const format = useFormatter();
  const describe = useFailureText();
  if (step.name === "RUN") return <ImportProgress part={step.part} isCheck={step.isCheck} />;
  if (step.name === "FAILED") return <Notice kind="danger">{describe(step.error)}</Notice>;
  if (step.name === "CHOOSE") return null;
  return (
    <>
      {step.name === "FAULTS" ? (
        <FaultTable {...step} columns={run.columns} />
      ) : (
        <Notice kind="ok">
          {t(step.name === "DONE" ? "done" : run.skipped.length > 0 ? "checkedRest" : "checked", {
            inserted: format.number(step.numbers.inserted),
            updated: format.number(step.numbers.updated),
            skipped: format.number(step.numbers.skipped),
          })}
        </Notice>
      )}
      <FaultyRows run={run} />
    </>
  );
}

/** What one can do with the rows that an import refuses: leave them out, or take them along in a file. */
function FaultyRows({ run }: { readonly run: Import }) {
  const t = useTranslations("transfer");
  const format = useFormatter();
  const { step, skipped, source } = run;
  const shown = isSkippable(step) ? step.faults : [];
  const rows = faultyRows([...skipped, ...shown]);
  if (source === null || rows.length === 0) return null;
  const isPart = step.name === "FAULTS" && step.count > step.faults.length;
  const left = faultyRows(skipped).length;
  const download = () => {
    const name = `${source.file.name.replace(/\.[^.]*$/, "")}-${t("faultyFile")}`;
    saveFile(new Blob([faultyCsv(source, rows, t("reason"))]), fileName(name, "csv"));
  };
  return (
    <div className="grid min-w-0 gap-2">
      {left > 0 && (
        <p role="status">{t("leftOutRows", { count: left, number: format.number(left) })}</p>
      )}
      {isPart && shown.length > 0 && <p className="text-2 text-ink-2">{t("skipPart")}</p>}
      <div className="flex flex-wrap gap-2">
        {shown.length > 0 && (
          <ToolButton disabled={run.isReading} onClick={() => void run.skip()}>
            {t(isPart ? "skipAndCheck" : "skipAndImport")}
          </ToolButton>
        )}
        <ToolButton onClick={download}>
          <Download size={14} aria-hidden="true" />
          {t("downloadFaulty", { count: rows.length })}
        </ToolButton>
      </div>
    </div>
  );
}
