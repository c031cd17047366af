import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { classes } from "../../ui/classes.ts";
import { useSeen } from "../../ui/use-seen.ts";
import { fileIcon } from "./file-kind.ts";
import { fileLinkQuery, pathOfLink } from "./file-link.ts";

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
  if (address === undefined && query.data !== undefined && !query.isStale) {
    setAddress(pathOfLink(query.data));
  }
  const renew = () => {
    setFailures((count) => count + 1);
    // The link may have expired between its arrival and its use.
    if (failures > 0) return;
    void query.refetch().then(({ data }) => {
      if (data !== undefined) setAddress(pathOfLink(data));
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
