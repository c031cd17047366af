import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { filesKey } from "../../records/library/file-queries.ts";
import { type FolderRecord, foldersAddress } from "../../records/library/file-record.ts";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { ComboField } from "../../ui/combobox.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { folderTreeQuery } from "./folder-query.ts";

/** What the person is about to do with folders. */
export type FolderDeed =
  | { readonly kind: "CREATE"; readonly within: string | null }
  | { readonly kind: "RENAME" | "MOVE" | "DELETE"; readonly folder: FolderRecord };

/** The dialog of a deed. */
export function FolderDialog(props: { readonly deed: FolderDeed; readonly onClose: () => void }) {
  const t = useTranslations("files");
  const words = useTranslations("manage");
  const queries = useQueryClient();
  const { deed, onClose } = props;
  const folders = client.from(foldersAddress);
  const refresh = () => queries.invalidateQueries({ queryKey: filesKey });
  if (deed.kind === "CREATE") {
    return (
      <NameDialog
        title={t("newFolder")}
        submit={words("create")}
        name=""
        onName={async (name) => {
          // Only the top has no parent, and a person without the right to the field creates folders there.
          const parent = deed.within === null ? {} : { parent_id: deed.within };
          await folders.create({ name, ...parent });
          await refresh();
        }}
        onClose={onClose}
      />
    );
  }
  const { id, name, parent_id: parent = null } = deed.folder;
  if (deed.kind === "RENAME") {
    return (
      <NameDialog
        title={t("renameFolder", { name })}
        submit={t("rename")}
        name={name}
        onName={async (next) => {
          await folders.update(id, { name: next });
          await refresh();
        }}
        onClose={onClose}
      />
    );
  }
  if (deed.kind === "MOVE") {
    return (
      <MoveDialog
        title={t("moveFile", { name })}
        from={parent}
        folder={deed.folder}
        onMove={async (to) => {
          await folders.update(id, { parent_id: to });
          await refresh();
        }}
        onClose={onClose}
      />
    );
  }
  return <DeleteFolder folder={deed.folder} onClose={onClose} />;
}

function DeleteFolder(props: { readonly folder: FolderRecord; readonly onClose: () => void }) {
  const t = useTranslations("files");
  const queries = useQueryClient();
  const { folder, onClose } = props;
  const task = useTask(async () => {
    await client.from(foldersAddress).remove(folder.id);
    await queries.invalidateQueries({ queryKey: filesKey });
    onClose();
  }, []);
  return (
    <ConfirmTask title={t("deleteFolder", { name: folder.name })} task={task} onClose={onClose}>
      {t("deleteFolderText")}
    </ConfirmTask>
  );
}

interface NameDialogProps {
  readonly title: string;
  readonly submit: string;
  /** The present name; empty for a new record. */
  readonly name: string;
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a folder. */
function NameDialog({ title, submit, name, onName, onClose }: NameDialogProps) {
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
