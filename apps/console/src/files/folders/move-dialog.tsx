import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { FolderRecord } from "../../records/library/file-record.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { ComboField } from "../../ui/combo-field.tsx";
import { folderTreeQuery } from "./folder-query.ts";

interface MoveDialogProps {
  readonly title: string;
  /** The folder in which it is now; null for the top. */
  readonly from: string | null;
  /** The folder that moves; it cannot be its own destination. */
  readonly folder?: FolderRecord;
  readonly onMove: (to: string | null) => Promise<void>;
  readonly onClose: () => void;
}

/** Id of the choice of the top, which is no folder. */
const top = "top";
const shownMax = 50;

/** Chooses the folder into which a file or folder moves. */
export function MoveDialog({ title, from, folder, onMove, onClose }: MoveDialogProps) {
  const t = useTranslations("files");
  const words = useTranslations("manage");
  const { data: tree } = useQuery(folderTreeQuery);
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState(from ?? top);
  const all = [{ id: top, label: t("library") }, ...(tree?.destinations(folder) ?? [])];
  const text = typed?.toLowerCase() ?? "";
  const options = all.filter(({ label }) => label.toLowerCase().includes(text));
  const task = useTask(async () => {
    await onMove(chosen === top ? null : chosen);
    onClose();
  }, []);
  return (
    <FormDialog
      title={title}
      task={task}
      submit={t("moveHere")}
      isReady={chosen !== (from ?? top)}
      onClose={onClose}
    >
      <ComboField
        label={t("destination")}
        shown={all.find(({ id }) => id === chosen)?.label ?? ""}
        chosen={chosen}
        typed={typed}
        onType={setTyped}
        options={options.slice(0, shownMax)}
        onChoose={setChosen}
        message={options.length === 0 ? words("nothingFound") : undefined}
        isFirst
      />
    </FormDialog>
  );
}
