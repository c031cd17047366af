import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { fileIcon, fileKind } from "../../records/library/file-kind.ts";
import { fileLinkQuery, pathOfLink } from "../../records/library/file-link.ts";
import { FilePicture } from "../../records/library/file-picture.tsx";
import type { FileRecord } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { client } from "../../shell/client.ts";
import { Notice } from "../../ui/notice.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

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

/** Bytes of a text that are shown. */
const shownMax = 64_000;

/** The beginning of a text file. */
function TextPreview(props: { readonly file: FileRecord; readonly label: string }) {
  const { file, label } = props;
  const t = useTranslations("files.details");
  const words = useFileWords();
  const isCut = Number(file.bytes) > shownMax;
  const { data, error } = useQuery({
    queryKey: ["file text", file.id, file.sha256],
    queryFn: async ({ signal }) => {
      const range = isCut ? { range: { start: 0, end: shownMax - 1 } } : {};
      return (await client.files.download(file.id, { ...range, signal })).text();
    },
  });
  if (error !== null) return <Notice kind="danger">{t("previewFailed")}</Notice>;
  if (data === undefined) return <Skeleton label={label} rows={4} />;
  return (
    <div className="grid gap-1">
      <ScrollRegion label={label} className="max-h-60">
        <pre className="p-2 font-mono text-2 whitespace-pre-wrap wrap-anywhere" dir="auto">
          {data}
        </pre>
      </ScrollRegion>
      {isCut && <p className="text-2 text-ink-2">{t("textCut", { size: words.size(shownMax) })}</p>}
    </div>
  );
}

interface Stop {
  readonly seconds: number;
  readonly isPlaying: boolean;
}

/** Plays sound or video. A link lives shorter than most of them play, so an expired one is renewed at the same place. */
function MediaPreview(props: {
  readonly id: string;
  readonly label: string;
  readonly element: "audio" | "video";
}) {
  const { id, label, element: Player } = props;
  const t = useTranslations("files.details");
  const link = useQuery(fileLinkQuery(id));
  const [address, setAddress] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const stop = useRef<Stop>(null);
  if (address === undefined && link.data !== undefined && !link.isStale) {
    setAddress(pathOfLink(link.data));
  }
  const renew = ({ currentTime: seconds, paused }: HTMLMediaElement) => {
    // Twice at one place: the link is not the reason.
    if (stop.current?.seconds === seconds) return setFailed(true);
    stop.current = { seconds, isPlaying: !paused };
    void link.refetch().then(({ data }) => {
      if (data === undefined) setFailed(true);
      else setAddress(pathOfLink(data));
    });
  };
  const resume = (media: HTMLMediaElement) => {
    if (stop.current === null) return;
    media.currentTime = stop.current.seconds;
    if (stop.current.isPlaying) void media.play();
  };
  if (hasFailed || link.isError) return <Notice kind="danger">{t("previewFailed")}</Notice>;
  return (
    <Player
      aria-label={label}
      controls
      preload="metadata"
      src={address}
      onError={({ currentTarget }) => renew(currentTarget)}
      onLoadedMetadata={({ currentTarget }) => resume(currentTarget)}
      className={
        Player === "video"
          ? "aspect-video w-full rounded-control border border-line bg-sunken"
          : "w-full"
      }
    />
  );
}
