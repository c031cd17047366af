import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { FileBadges, FileMark } from "../records/library/file-picture.tsx";
import type { FileRecord } from "../records/library/file-record.ts";
import { useFileWords } from "../records/library/use-file-words.ts";
import { Moment } from "../shell/moment.tsx";
import { classes } from "../ui/classes.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import type { FilesSearch } from "./files-search.ts";

/** Files as a list, with type, size and time of the last change. */
export function FileRows(props: {
  readonly label: string;
  readonly files: readonly FileRecord[];
  /** Id of the file that is open. */
  readonly open: string | undefined;
}) {
  const t = useTranslations("files");
  const words = useFileWords();
  const columns: readonly ListColumn<FileRecord>[] = [
    {
      key: "name",
      label: t("name"),
      cell: (file) => (
        <span className="flex min-w-0 items-center gap-2">
          <FileMark file={file} look="size-7 rounded-control" />
          <LibraryLink
            change={{ open: file.id }}
            isOpen={file.id === props.open}
            look={classes(
              "min-w-0 truncate py-0.5 underline-offset-2 hover:underline",
              file.id === props.open && "font-medium text-accent",
            )}
            title={words.name(file)}
          >
            {words.name(file)}
          </LibraryLink>
          <FileBadges file={file} />
        </span>
      ),
    },
    {
      key: "type",
      label: t("type"),
      width: "w-44 max-lg:hidden",
      cell: ({ media_type: type }) => <bdi className="text-2 text-ink-2">{type}</bdi>,
    },
    {
      key: "size",
      label: t("size"),
      width: "w-24",
      isNumber: true,
      cell: (file) => <bdi>{words.sizeOf(file)}</bdi>,
    },
    {
      key: "changed",
      label: t("changed"),
      width: "w-44",
      cell: ({ updated_at: at }) => at !== undefined && <Moment at={at} />,
    },
  ];
  return (
    <ListTable label={props.label} items={props.files} columns={columns} keyOf={({ id }) => id} />
  );
}

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

interface LibraryLinkProps {
  /** What the library shows then; the rest stays. */
  readonly change: Partial<FilesSearch>;
  readonly isOpen?: boolean;
  readonly title?: string;
  readonly look: string;
  readonly children: ReactNode;
}

/** A link to another state of the library. */
export function LibraryLink({ change, isOpen, title, look, children }: LibraryLinkProps) {
  return (
    <Link
      from="/app/files"
      to="/app/files"
      search={(last) => ({ ...last, ...change })}
      aria-current={isOpen === true ? "true" : undefined}
      title={title}
      dir="auto"
      className={look}
    >
      {children}
    </Link>
  );
}

/** The state in which a folder is open; undefined for the top. */
export function openFolder(id: string | undefined): Partial<FilesSearch> {
  return { folder: id, search: undefined, open: undefined };
}
