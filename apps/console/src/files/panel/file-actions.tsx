import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FileInput } from "../../records/library/file-input.tsx";
import { downloadFile } from "../../records/library/file-link.ts";
import { type FileRecord, mayUpdate } from "../../records/library/file-record.ts";
import { replaceFile } from "../../records/library/uploads.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import type { Navigation, NavigationResource } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { MoveDialog } from "../folders/move-dialog.tsx";
import { useFileWrite } from "./use-file-write.ts";
import { usesQuery } from "./uses-query.ts";

interface FileActionsProps {
  readonly file: FileRecord;
  readonly resource: NavigationResource;
  readonly navigation: Navigation;
  readonly mayMove: boolean;
  /** The tag of its row. */
  readonly etag: string | undefined;
  readonly onDeleted: () => void;
}

/** What the person may do with a file. */
export function FileActions(props: FileActionsProps) {
  const { file, etag, resource, navigation, onDeleted } = props;
  const { update } = useFileWrite({ id: file.id, etag });
  const t = useTranslations("files");
  const words = useFileWords();
  const [deed, setDeed] = useState<"MOVE" | "DELETE" | null>(null);
  const name = words.name(file);
  const isReady = typeof file.content === "string" && file.state === "READY";
  const download = useTask(() => downloadFile(file.id, file.name ?? name), []);
  const mayReplace = mayUpdate(resource, "content");
  return (
    <div className="grid gap-2">
      {download.failure !== undefined && <Notice kind="danger">{download.failure}</Notice>}
      <div className="flex flex-wrap gap-2">
        {isReady && <ToolButton onClick={download.run}>{t("details.download")}</ToolButton>}
        {mayReplace && (
          <FileInput
            onFiles={([chosen]) => {
              if (chosen !== undefined) replaceFile(file, chosen);
            }}
            describedBy="replace-text"
          >
            {t("details.replace")}
          </FileInput>
        )}
        {props.mayMove && (
          <ToolButton onClick={() => setDeed("MOVE")}>{t("details.move")}</ToolButton>
        )}
        {resource.actions.includes("DELETE") && (
          <ToolButton kind="danger" onClick={() => setDeed("DELETE")}>
            {t("details.delete")}
          </ToolButton>
        )}
      </div>
      {mayReplace && (
        <p id="replace-text" className="text-2 text-ink-2">
          {t("details.replaceText")}
        </p>
      )}
      {deed === "MOVE" && (
        <MoveDialog
          title={t("moveFile", { name })}
          from={file.folder_id ?? null}
          onMove={(to) => update({ folder_id: to })}
          onClose={() => setDeed(null)}
        />
      )}
      {deed === "DELETE" && (
        <DeleteFileDialog
          {...{ file, etag, resource, navigation, onDeleted }}
          onClose={() => setDeed(null)}
        />
      )}
    </div>
  );
}

interface DeleteFileDialogProps {
  readonly file: FileRecord;
  /** The tag of its row. */
  readonly etag: string | undefined;
  readonly resource: NavigationResource;
  readonly navigation: Navigation;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Asks before a file is deleted, and says which rows refer to it. */
function DeleteFileDialog(props: DeleteFileDialogProps) {
  const { file, etag, resource, navigation, onDeleted, onClose } = props;
  const { remove } = useFileWrite({ id: file.id, etag });
  const t = useTranslations("files");
  const { name } = useFileWords();
  const { data: uses = [] } = useQuery(usesQuery(resource, navigation, file.id));
  const count = uses.reduce((sum, use) => sum + use.count, 0);
  const task = useTask(async () => {
    await remove();
    onClose();
    onDeleted();
  }, []);
  return (
    <ConfirmTask title={t("deleteFile", { name: name(file) })} task={task} onClose={onClose}>
      <div className="grid gap-2">
        <p>{t("deleteWarning")}</p>
        {count > 0 && <p>{t("deleteUses", { count })}</p>}
        {file.visibility === "PUBLIC" && <p>{t("deletePublic")}</p>}
      </div>
    </ConfirmTask>
  );
}
