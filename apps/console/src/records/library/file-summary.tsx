import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/classes.ts";
import { FileBadges, FileMark } from "./file-picture.tsx";
import { fileQuery } from "./file-queries.ts";
import { useFileWords } from "./use-file-words.ts";

/** The file that a field refers to: what it looks like, its name with a link to the library, and its size. */
export function FileSummary(props: {
  readonly id: string;
  /** The table of files. */
  readonly resource: NavigationResource;
}) {
  const { id, resource } = props;
  const t = useTranslations("files");
  const words = useFileWords();
  const { data } = useQuery(fileQuery(resource, id));
  const file = data?.file ?? { id };
  const name = words.name(file);
  const look = "size-12 rounded-control border border-line";
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      {/* A new version is another picture. */}
      <FileMark key={data?.file.sha256} file={file} look={look} />
      <div className="grid min-w-0 gap-0.5">
        <AppLink
          href={`/app/files?open=${encodeURIComponent(id)}`}
          aria-label={t("field.open", { name })}
          title={name}
          className={`${linkClasses} truncate`}
          dir="auto"
        >
          {name}
        </AppLink>
        <span className="flex flex-wrap items-center gap-1.5 text-2 text-ink-2">
          {data === null ? t("details.missing") : <bdi>{words.sizeOf(file)}</bdi>}
          <FileBadges file={file} />
        </span>
      </div>
    </div>
  );
}
