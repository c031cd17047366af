import { classes } from "../../ui/classes.ts";
import { fileIcon, fileKind } from "./file-kind.ts";
import { FilePicture } from "./file-picture.tsx";
import type { FileRecord } from "./file-record.ts";

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
