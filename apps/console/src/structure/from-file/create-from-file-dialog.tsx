import { useEffect, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { type ImportResult, importFile } from "../../records/files/import-file.ts";
import { FaultTable, FileField, ImportProgress } from "../../records/files/import-parts.tsx";
import { readSource, type Source } from "../../records/files/read-source.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { createTable, useOpenTable, useStructureChange } from "../draft/use-structure-change.ts";
import type { TableDraft } from "../draft/use-table-draft.ts";
import { mappingOf, type Proposal } from "./propose-table.ts";

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

type Step =
  | { readonly name: "CONFIRM" }
  | { readonly name: "RUN"; readonly part: number }
  | ImportResult;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const allMethods: Method[] = ["GET", "POST", "PATCH", "DELETE"];

/**
 * Creates the table of a draft and then imports the rows of its file. These are two transactions: if the service refuses
 * the rows, the table is there and empty, and the person keeps or drops it.
 */
function useCreateFromFile(tableDraft: TableDraft, proposal: Proposal) {
  const { schema, draft } = tableDraft;
  const [isExposed, setExposed] = useState(true);
  const [step, setStep] = useState<Step>({ name: "CONFIRM" });
  const created = useRef<Awaited<ReturnType<typeof createTable>>>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const onChange = useStructureChange();
  const openTable = useOpenTable(tableDraft);

  const expose = async (exposedMethods: Method[]) => {
    const path = { id: created.current?.resourceId ?? "" };
    await client.admin.patch("/resources/{id}", { path, data: { exposedMethods } });
  };
  const importRows = async (source: Source): Promise<void> => {
    const { name = "" } = created.current ?? {};
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onProgress = (part: number) => setStep({ name: "RUN", part });
    onProgress(0);
    try {
      // The import is a request of the Data API. A new table has no grant, so nobody else may use it meanwhile.
      await expose(isExposed ? allMethods : ["POST"]);
      const mapping = mappingOf(source, proposal, draft);
      const into = { schema, name, kind: "table" as const };
      const result = await importFile({ source, mapping, into, signal, onProgress });
      if (!isExposed) await expose([]);
      setStep(result);
    } catch (error) {
      setStep({ name: "FAILED", error });
    }
    await onChange();
  };
  const create = useTask(async () => {
    created.current = await createTable(schema, draft);
    await importRows(proposal.profile.source);
  }, []);
  const again = async (file: File) => {
    try {
      await importRows(await readSource(file));
    } catch (error) {
      setStep({ name: "FAILED", error });
    }
  };
  const drop = useTask(async () => {
    const { name = "" } = created.current ?? {};
    const path = { schema, table: name };
    await client.admin.delete("/schema/{schema}/tables/{table}", {
      path,
      query: { confirm: name },
    });
    created.current = undefined;
    await onChange();
    setStep({ name: "CONFIRM" });
  }, []);
  return {
    ...{ step, isExposed, setExposed, create, drop },
    /** Imports the rows of a mended file. */
    again: (file: File) => void again(file),
    cancel: () => abort.current?.abort(),
    /** Opens the page of the table. */
    open: () => void openTable(created.current?.name ?? ""),
  };
}
