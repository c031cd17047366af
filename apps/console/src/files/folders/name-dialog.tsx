import { useState } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { TextField } from "../../ui/text-field.tsx";

interface NameDialogProps {
  readonly title: string;
  readonly submit: string;
  /** The present name; empty for a new record. */
  readonly name: string;
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a folder. */
export function NameDialog({ title, submit, name, onName, onClose }: NameDialogProps) {
  const t = useTranslations("files");
  const [typed, setTyped] = useState(name);
  const next = typed.trim();
  const task = useTask(async () => {
    await onName(next);
    onClose();
  }, ["/data/name"]);
  return (
    <FormDialog
      title={title}
      task={task}
      submit={submit}
      isReady={next !== "" && next !== name}
      onClose={onClose}
    >
      <TextField
        label={t("name")}
        name="folder"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        fault={task.faultAt("/data/name")}
        isFirst
      />
    </FormDialog>
  );
}
