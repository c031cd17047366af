import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { FileBadges } from "../../records/library/file-badges.tsx";
import { fileQuery, filesKey } from "../../records/library/file-queries.ts";
import { mayUpdate } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import type { Navigation, NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { PanelHead, SidePanel } from "../../ui/side-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileFacts } from "./file-facts.tsx";
import { FileForm } from "./file-form.tsx";
import { FilePreview } from "./file-preview.tsx";
import { FileUses } from "./file-uses.tsx";
import { VisibilitySection } from "./visibility-section.tsx";

interface FilePanelProps {
  readonly id: string;
  readonly resource: NavigationResource;
  readonly navigation: Navigation;
  /** Whether there are folders into which it can move. */
  readonly mayMove: boolean;
  readonly onClose: () => void;
}

/** One file beside the list: what is in it, what is known of it, and what the person may do with it. */
export function FilePanel({ id, resource, navigation, mayMove, onClose }: FilePanelProps) {
  const t = useTranslations("files");
  const words = useFileWords();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(fileQuery(resource, id));
  const onChanged = () => queries.invalidateQueries({ queryKey: filesKey });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isDefaultPrevented()) return;
    event.preventDefault();
    onClose();
  };
  const { file, etag } = data ?? {};
  return (
    <SidePanel label={t("details.panel")} onKeyDown={onKeyDown}>
      <PanelHead title={file === undefined ? t("details.panel") : words.name(file)}>
        {file !== undefined && <FileBadges file={file} />}
        <IconButton label={t("details.close")} icon={X} onPress={onClose} />
      </PanelHead>
      <div className="grid min-h-0 flex-1 auto-rows-max content-start gap-5 overflow-auto p-4">
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton label={t("details.panel")} rows={8} />}
        {data === null && <Notice kind="info">{t("details.missing")}</Notice>}
        {file !== undefined && (
          <>
            <FilePreview file={file} />
            <FileActions
              {...{ file, etag, resource, navigation }}
              mayMove={mayMove && mayUpdate(resource, "folder_id")}
              onDeleted={onClose}
            />
            <FileForm resource={resource} file={file} onChanged={onChanged} />
            <VisibilitySection resource={resource} file={file} etag={etag} />
            <FileUses file={file} resource={resource} navigation={navigation} />
            <FileFacts file={file} />
          </>
        )}
      </div>
    </SidePanel>
  );
}
