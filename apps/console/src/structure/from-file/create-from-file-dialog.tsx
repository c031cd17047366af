import { useFormatter, useTranslations } from "use-intl";
import { FaultTable } from "../../records/files/fault-table.tsx";
import { FileField } from "../../records/files/file-field.tsx";
import { ImportProgress } from "../../records/files/import-progress.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { Proposal } from "./propose-table.ts";
import { useCreateFromFile } from "./use-create-from-file.ts";

/** Creates a table and imports the rows of a file: what will happen, how far it is, and what it came to. */
export function CreateFromFileDialog(props: {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}) {
  const t = useTranslations("fromFile");
  const words = useTranslations("manage");
  const format = useFormatter();
  const describe = useFailureText();
  const tableDraft = useDraft();
  const run = useCreateFromFile(tableDraft, props.proposal);
  const { step } = run;
  const name = tableDraft.draft.name ?? "";
  if (step.name === "CONFIRM") {
    return (
      <FormDialog
        title={t("createTitle", { name })}
        task={run.create}
        submit={t("create")}
        // The dialog stays while the table is created, and then shows its import.
        onClose={run.create.isBusy ? () => {} : props.onClose}
      >
        <p className="text-ink-2">
          {t("createText", { rows: format.number(props.proposal.profile.rows) })}
        </p>
        <Checkbox label={t("expose")} isChecked={run.isExposed} onChange={run.setExposed} />
        <p className="text-2 text-ink-2">{t(run.isExposed ? "exposeText" : "hideText")}</p>
      </FormDialog>
    );
  }
  if (step.name === "RUN") {
    return (
      <Dialog title={t("createTitle", { name })}>
        <ImportProgress part={step.part} isCheck={false} />
        <DialogActions>
          <Button onPress={run.cancel}>{words("cancel")}</Button>
        </DialogActions>
      </Dialog>
    );
  }
  if (step.name === "WRITTEN") {
    return (
      <Dialog title={t("createdTitle", { name })}>
        <Notice kind="ok">{t("created", { rows: format.number(step.numbers.inserted) })}</Notice>
        <DialogActions>
          <Button kind="primary" onPress={run.open}>
            {t("open")}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("emptyTitle", { name })} isWide>
      {run.drop.failure !== undefined && <Notice kind="danger">{run.drop.failure}</Notice>}
      {step.name === "CANCELED" && <Notice kind="info">{t("canceled")}</Notice>}
      {step.name === "FAILED" && <Notice kind="danger">{describe(step.error)}</Notice>}
      {step.name === "FAULTS" && (
        <FaultTable
          {...step}
          columns={tableDraft.draft.added.map((column) => ({ name: column.name, label: null }))}
        />
      )}
      <p className="text-ink-2">{t("emptyText")}</p>
      <FileField
        label={t("again")}
        hint={t("againHint")}
        accept=".csv,.tsv,.txt"
        onFile={run.again}
      />
      <DialogActions>
        <Button onPress={run.open}>{t("keep")}</Button>
        <Button kind="primary" isBusy={run.drop.isBusy} onPress={run.drop.run}>
          {t("drop")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
