import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { fileLinkQuery, pathOfLink } from "../../records/library/file-link.ts";
import { Notice } from "../../ui/notice.tsx";

interface Stop {
  readonly seconds: number;
  readonly isPlaying: boolean;
}

/** Plays sound or video. A link lives shorter than most of them play, so an expired one is renewed at the same place. */
export function MediaPreview(props: {
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
