import { useTranslations } from "use-intl";
import { FileBadges } from "../records/library/file-badges.tsx";
import { FileMark } from "../records/library/file-mark.tsx";
import type { FileRecord } from "../records/library/file-record.ts";
import { useFileWords } from "../records/library/use-file-words.ts";
import { Moment } from "../shell/moment.tsx";
import { classes } from "../ui/classes.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { LibraryLink } from "./library-link.tsx";

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
