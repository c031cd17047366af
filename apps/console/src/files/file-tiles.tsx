import { FileBadges } from "../records/library/file-badges.tsx";
import { FileMark } from "../records/library/file-mark.tsx";
import type { FileRecord } from "../records/library/file-record.ts";
import { useFileWords } from "../records/library/use-file-words.ts";
import { classes } from "../ui/classes.ts";
import { LibraryLink } from "./library-link.tsx";

interface FilesProps {
  readonly label: string;
  readonly files: readonly FileRecord[];
  /** Id of the file that is open. */
  readonly open: string | undefined;
}

/** Files as pictures, each with its name. */
export function FileTiles({ label, files, open }: FilesProps) {
  const words = useFileWords();
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,10.5rem),1fr))] gap-3"
    >
      {files.map((file) => {
        const name = words.name(file);
        return (
          <li
            key={file.id}
            className="[content-visibility:auto] [contain-intrinsic-size:auto_190px]"
          >
            <LibraryLink
              change={{ open: file.id }}
              isOpen={file.id === open}
              look={classes(
                "grid overflow-hidden rounded-panel border bg-surface focus-visible:outline-offset-[-2px]",
                file.id === open
                  ? "border-accent outline-1 outline-accent"
                  : "border-line hover:border-line-strong",
              )}
            >
              <FileMark
                file={file}
                iconSize={36}
                look="aspect-4/3 w-full border-line border-b text-ink-3"
              />
              <span className="grid gap-0.5 px-2.5 py-2">
                <span className="truncate font-medium" dir="auto" title={name}>
                  {name}
                </span>
                <span className="flex min-h-5 flex-wrap items-center gap-1.5 text-2 text-ink-2">
                  <bdi className="tabular-nums">{words.sizeOf(file)}</bdi>
                  <FileBadges file={file} />
                </span>
              </span>
            </LibraryLink>
          </li>
        );
      })}
    </ul>
  );
}
