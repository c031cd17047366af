import { fileIcon } from "./file-kind.ts";
import { FilePicture } from "./file-picture.tsx";

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
