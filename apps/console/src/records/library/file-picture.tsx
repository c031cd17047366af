import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { StateBadge } from "../../ui/entries.tsx";
import { useSeen } from "../../ui/use-seen.ts";
import { fileIcon, fileKind } from "./file-kind.ts";
import { fileLinkQuery, pathOfLink } from "./file-link.ts";
import type { FileRecord } from "./file-record.ts";

interface FilePictureProps {
  readonly id: string;
  /** A preset of the service, which determines the size. */
  readonly preset: "thumbnail" | "preview";
  /** Empty if a text beside the picture names it. */
  readonly alt: string;
  /** Classes of the box and of the picture in it. */
  readonly look: string;
  readonly fit?: "cover" | "contain";
}

/** A picture of the library. Its link is requested when it comes into view; without a picture, an icon stands there. */
export function FilePicture({ id, preset, alt, look, fit = "cover" }: FilePictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(place);
  const query = useQuery({ ...fileLinkQuery(id, preset), enabled: isSeen });
  // The address stays once the picture is loaded, though the link is renewed for another place.
  const [address, setAddress] = useState<string>();
  const [failures, setFailures] = useState(0);
  const [renewals, setRenewals] = useState(0);
  if (address === undefined && query.data !== undefined && !query.isStale) {
    setAddress(pathOfLink(query.data));
  }
  const renew = () => {
    setFailures((count) => count + 1);
    // The link may have expired between its arrival and its use.
    if (failures > 0) return;
    void query.refetch().then(({ data }) => {
      if (data === undefined) return;
      setAddress(pathOfLink(data));
      setRenewals((count) => count + 1);
    });
  };
  const hasFailed = query.isError || failures > 1;
  const Icon = fileIcon("image/*");
  return (
    <span
      ref={place}
      data-picture
      className={classes("grid shrink-0 place-items-center overflow-hidden bg-sunken", look)}
    >
      {hasFailed && (
        <Icon
          size={16}
          {...(alt === "" ? { "aria-hidden": true } : { "aria-label": alt, role: "img" })}
          className="text-ink-3"
        />
      )}
      {address !== undefined && !hasFailed && (
        <img
          // The renewed link is the same while it is young, and a browser asks again only for another element.
          key={renewals}
          src={address}
          alt={alt}
          draggable={false}
          onError={renew}
          className={classes("size-full", fit === "cover" ? "object-cover" : "object-contain")}
        />
      )}
    </span>
  );
}

/** A file at a glance, beside its name: a picture small, and any other by the icon of its type. */
export function FileMark(props: {
  readonly file: FileRecord;
  /** Classes of the box. */
  readonly look: string;
  readonly iconSize?: number;
}) {
  const { file, look, iconSize = 16 } = props;
  const { id, media_type: mediaType, content } = file;
  if (fileKind(mediaType) === "PICTURE" && typeof content === "string") {
    return <FilePicture id={id} preset="thumbnail" alt="" look={look} />;
  }
  const Icon = fileIcon(mediaType);
  return (
    <span className={classes("grid shrink-0 place-items-center bg-sunken text-ink-2", look)}>
      <Icon size={iconSize} strokeWidth={1.5} aria-hidden="true" />
    </span>
  );
}

/** That a file is public, and that it cannot be opened. */
export function FileBadges({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files");
  const { state, visibility } = file;
  return (
    <>
      {state === "PENDING" && <StateBadge look="plain">{t("state.PENDING")}</StateBadge>}
      {state === "QUARANTINED" && <StateBadge look="warn">{t("state.QUARANTINED")}</StateBadge>}
      {visibility === "PUBLIC" && <StateBadge look="ok">{t("visibility.PUBLIC")}</StateBadge>}
    </>
  );
}

/** A file as a value in one line: a picture small, any other with its name. */
export function FileCell(props: {
  readonly id: string;
  readonly format: "file" | "image";
  /** Undefined where the name is not known, or not open to the person. */
  readonly name: string | undefined;
}) {
  const { id, format, name = id } = props;
  if (format === "image") {
    return (
      <span title={name} className="flex min-w-0 items-center">
        <FilePicture id={id} preset="thumbnail" alt={name} look="size-6 rounded-[4px]" />
      </span>
    );
  }
  const Icon = fileIcon(null);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon size={14} aria-hidden="true" className="shrink-0 text-ink-2" />
      <span className="truncate" dir="auto" title={name}>
        {name}
      </span>
    </span>
  );
}
