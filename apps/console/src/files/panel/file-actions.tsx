import { writeName } from "@rowhouse/access/written-name";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FileInput } from "../../records/library/file-input.tsx";
import { downloadFile } from "../../records/library/file-link.ts";
import { filesKey } from "../../records/library/file-queries.ts";
import { type FileRecord, filesAddress, mayUpdate } from "../../records/library/file-record.ts";
import { replaceFile } from "../../records/library/uploads.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { fieldsWithTitle } from "../../records/model/record-title.ts";
import { targetOf } from "../../records/model/reference.ts";
import { addressOf, type Row } from "../../records/model/resource.ts";
import { countRows } from "../../records/rows/load-rows.ts";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import type { Navigation, NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { MoveDialog } from "../folders/folder-dialogs.tsx";

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

/** A file as the panel shows it, with the tag of its row. */
interface ShownFile {
  readonly id: string;
  readonly etag: string | undefined;
}

/** The writes of a file, in the version that the person sees. After a refusal the present version is read too. */
export function useFileWrite({ id, etag }: ShownFile) {
  const queries = useQueryClient();
  const files = client.from(filesAddress);
  const options = etag === undefined ? {} : { ifMatch: etag };
  const written = async (work: Promise<unknown>): Promise<void> => {
    // A dialog closes before the new version arrives, about which it would ask something else.
    await work.finally(() => void queries.invalidateQueries({ queryKey: filesKey }));
  };
  return {
    update: (change: Readonly<Record<string, unknown>>) =>
      written(files.update(id, change, options)),
    remove: () => written(files.remove(id, options)),
  };
}

/** The rows of one table that refer to a file by one foreign key. */
export interface FileUse {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
  readonly where: Row;
  /** The first of them. */
  readonly rows: readonly Row[];
  readonly count: number;
}

const shownRows = 5;

/** The rows that refer to a file, as far as the person may read them. */
export function usesQuery(resource: NavigationResource, { resources }: Navigation, id: string) {
  return queryOptions({
    queryKey: [...filesKey, "uses", id],
    // Rows of other tables change without the library.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        resource.relations.map((relation) => useOf(relation, resources, id, signal)),
      );
      return found.flatMap((use) => (use === undefined || use.count === 0 ? [] : [use]));
    },
  });
}

async function useOf(
  relation: NavigationRelation,
  resources: readonly NavigationResource[],
  id: string,
  signal: AbortSignal,
): Promise<FileUse | undefined> {
  const target = targetOf(resources, relation);
  const [pair, ...others] = relation.columns ?? [];
  const isUse = relation.foreignKey === "TARGET" && pair?.from === "id" && others.length === 0;
  if (!isUse || target === undefined || !target.actions.includes("READ")) return undefined;
  const where = { [writeName(pair.to)]: { _eq: id } };
  const fields = fieldsWithTitle(target, [...target.primaryKey, pair.to]);
  const { rows } = await client
    .from(addressOf(target))
    .list({ fields, where, limit: shownRows, signal });
  const count = rows.length < shownRows ? rows.length : await countRows(target, { where }, signal);
  return { relation, target, where, rows, count };
}
