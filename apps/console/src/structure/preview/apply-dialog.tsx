import { useState } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { useApply } from "../draft/use-apply.ts";
import { ConfirmationFields, isConfirmed } from "./confirmation-fields.tsx";
import { LockList } from "./lock-list.tsx";
import { LossList } from "./loss-list.tsx";

interface ApplyDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before the changes are made: what waits meanwhile and what is lost, whose names are typed. */
export function ApplyDialog({ onClose, onDone }: ApplyDialogProps) {
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
