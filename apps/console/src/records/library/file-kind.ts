import {
  AudioLines,
  File,
  FileArchive,
  FileImage,
  FileText,
  FileVideo,
} from "../../ui/icons.generated.ts";

/** How the pages show a file. Only types that the service serves inline have a preview. */
type FileKind = "PICTURE" | "VIDEO" | "AUDIO" | "TEXT" | "OTHER";

const kinds: Readonly<Record<string, FileKind>> = {
  "image/png": "PICTURE",
  "image/jpeg": "PICTURE",
  "image/gif": "PICTURE",
  "image/webp": "PICTURE",
  "image/avif": "PICTURE",
  "video/mp4": "VIDEO",
  "video/webm": "VIDEO",
  "audio/mpeg": "AUDIO",
  "text/plain": "TEXT",
};

/** The media types of pictures. */
export const pictureTypes = Object.keys(kinds).filter((type) => kinds[type] === "PICTURE");

/** Returns how a media type is shown. */
export function fileKind(mediaType: string | null | undefined): FileKind {
  return kinds[mediaType ?? ""] ?? "OTHER";
}

const icons = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, AudioLines],
  [/^text\/|pdf$|document/, FileText],
  [/zip|compressed|tar$/, FileArchive],
] as const;

/** Returns the icon of a media type. */
export function fileIcon(mediaType: string | null | undefined) {
  return icons.find(([types]) => types.test(mediaType ?? ""))?.[1] ?? File;
}
