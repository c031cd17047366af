import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { FileRecord } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import type { Navigation, NavigationResource } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { useFileWrite } from "./use-file-write.ts";
import { usesQuery } from "./uses-query.ts";

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
export function DeleteFileDialog(props: DeleteFileDialogProps) {
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
