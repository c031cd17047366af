import { useTranslations } from "use-intl";
import { fileIcon, fileKind } from "../../records/library/file-kind.ts";
import { FilePicture } from "../../records/library/file-picture.tsx";
import type { FileRecord } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { Notice } from "../../ui/notice.tsx";
import { MediaPreview } from "./media-preview.tsx";
import { TextPreview } from "./text-preview.tsx";

/** The content of a file, if its type can be shown here; otherwise why not. */
export function FilePreview({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files");
  const words = useFileWords();
  const { id, state, content, media_type: mediaType, sha256 } = file;
  if (state === "QUARANTINED") return <Notice kind="info">{t("state.quarantinedText")}</Notice>;
  if (state === "PENDING" || content === null) {
    return <Notice kind="info">{t("state.pendingText")}</Notice>;
  }
  // A person who may read the row and not the bytes.
  if (content === undefined) return null;
  const label = t("details.preview", { name: words.name(file) });
  // A new version is another content.
  const key = `${id} ${sha256 ?? ""}`;
  switch (fileKind(mediaType)) {
    case "PICTURE":
      return (
        <FilePicture
          key={key}
          id={id}
          preset="preview"
          alt={label}
          fit="contain"
          look="h-60 w-full rounded-control border border-line"
        />
      );
    case "VIDEO":
      return <MediaPreview key={key} id={id} label={label} element="video" />;
    case "AUDIO":
      return <MediaPreview key={key} id={id} label={label} element="audio" />;
    case "TEXT":
      return <TextPreview key={key} file={file} label={label} />;
    case "OTHER": {
      const Icon = fileIcon(mediaType);
      return (
        <div className="grid justify-items-center gap-3 rounded-control bg-sunken p-6 text-center text-ink-2">
          <Icon size={36} strokeWidth={1.5} aria-hidden="true" />
          <p>{t("details.noPreview")}</p>
        </div>
      );
    }
  }
}
