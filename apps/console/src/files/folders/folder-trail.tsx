import { useTranslations } from "use-intl";
import type { FolderRecord } from "../../records/library/file-record.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { LibraryLink, openFolder } from "../library-link.tsx";

/** The way from the top to the open folder. */
export function FolderTrail({ path }: { readonly path: readonly FolderRecord[] }) {
  const t = useTranslations("files");
  const open = path.at(-1);
  const above = path.slice(0, -1);
  return (
    <nav
      aria-label={t("folders")}
      className="flex min-w-0 flex-auto flex-wrap items-baseline gap-x-1.5"
    >
      {open !== undefined && (
        <>
          <FolderLink id={undefined} name={t("title")} />
          {above.map(({ id, name }) => (
            <FolderLink key={id} id={id} name={name} />
          ))}
        </>
      )}
      <h1 className="min-w-0 truncate text-4 font-semibold" dir="auto">
        {open?.name ?? t("title")}
      </h1>
    </nav>
  );
}

function FolderLink({ id, name }: { readonly id: string | undefined; readonly name: string }) {
  return (
    <span className="flex min-w-0 items-baseline gap-1.5 text-ink-2">
      <LibraryLink change={openFolder(id)} look={`${linkClasses} max-w-48 truncate`}>
        {name}
      </LibraryLink>
      <span aria-hidden="true">/</span>
    </span>
  );
}
