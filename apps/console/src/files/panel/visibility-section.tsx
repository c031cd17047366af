import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { fileLinkQuery, publicAddress } from "../../records/library/file-link.ts";
import { type FileRecord, mayUpdate } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { inputClasses } from "../../ui/field.tsx";
import { Copy } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useCopied } from "../../ui/use-copied.ts";
import { PanelSection } from "./panel-section.tsx";
import { useFileWrite } from "./use-file-write.ts";

interface VisibilitySectionProps {
  readonly resource: NavigationResource;
  readonly file: FileRecord;
  /** The tag of its row. */
  readonly etag: string | undefined;
}

/** Who may open a file, the address of a public one, and the change with its warning. */
export function VisibilitySection({ resource, file, etag }: VisibilitySectionProps) {
  const t = useTranslations("files.visibility");
  const [isAsking, ask] = useState(false);
  const { visibility } = file;
  if (visibility === undefined) return null;
  const isPublic = visibility === "PUBLIC";
  return (
    <PanelSection title={t("title")}>
      <p className="text-ink-2">{t(isPublic ? "publicText" : "privateText")}</p>
      {isPublic && file.state === "READY" && <PublicAddress file={file} />}
      {mayUpdate(resource, "visibility") && (
        <div>
          <ToolButton onClick={() => ask(true)}>{t(isPublic ? "hide" : "publish")}</ToolButton>
        </div>
      )}
      {isAsking && <VisibilityDialog file={file} etag={etag} onClose={() => ask(false)} />}
    </PanelSection>
  );
}

function PublicAddress({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files.visibility");
  const { data } = useQuery(fileLinkQuery(file.id));
  const { isCopied, copy } = useCopied();
  const address = data === undefined ? "" : publicAddress(data);
  return (
    <div className="flex items-center gap-2">
      <input
        readOnly
        aria-label={t("address")}
        value={address}
        onFocus={({ target }) => target.select()}
        className={`${inputClasses} font-mono text-2`}
      />
      <ToolButton disabled={address === ""} onClick={() => copy(address)}>
        <Copy size={14} aria-hidden="true" />
        <span role="status">{t(isCopied ? "copied" : "copy")}</span>
      </ToolButton>
    </div>
  );
}

function VisibilityDialog(props: {
  readonly file: FileRecord;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}) {
  const t = useTranslations("files.visibility");
  const { name: nameOf } = useFileWords();
  const { file, etag, onClose } = props;
  const { update } = useFileWrite({ id: file.id, etag });
  const name = nameOf(file);
  const isPublic = file.visibility === "PUBLIC";
  const task = useTask(async () => {
    await update({ visibility: isPublic ? "PRIVATE" : "PUBLIC" });
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(isPublic ? "hideTitle" : "publishTitle", { name })}
      confirm={t(isPublic ? "hide" : "publish")}
      task={task}
      onClose={onClose}
    >
      {t(isPublic ? "hideWarning" : "publishWarning")}
    </ConfirmTask>
  );
}
