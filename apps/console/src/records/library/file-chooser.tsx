import { useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { Listing } from "../../shell/listing.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { pictureTypes } from "./file-kind.ts";
import { FileMark } from "./file-mark.tsx";
import { filesKey, loadFiles, searchFilter } from "./file-queries.ts";
import { type FileRecord, fileFields } from "./file-record.ts";
import { useFileWords } from "./use-file-words.ts";

interface FileChooserProps {
  /** The table of files. */
  readonly resource: NavigationResource;
  readonly isPicture: boolean;
  readonly onChoose: (file: FileRecord) => void;
  readonly onClose: () => void;
}

/** Chooses a file of the library, the newest first. */
export function FileChooser({ resource, isPicture, onChoose, onClose }: FileChooserProps) {
  const t = useTranslations("files");
  const manage = useTranslations("manage");
  const words = useFileWords();
  const [search, setSearch] = useState<string>();
  const fields = fileFields(resource);
  const conditions = [
    ...(search === undefined ? [] : [searchFilter(resource, search)]),
    ...(isPicture && fields.includes("media_type") ? [{ media_type: { _in: pictureTypes } }] : []),
  ];
  const where = conditions.length === 0 ? {} : { _and: conditions };
  const orderBy = fields.includes("created_at") ? ["-created_at"] : [];
  const listing = useListing([...filesKey, "choice", { where, orderBy }], (page, signal) =>
    loadFiles(resource, { where, orderBy }, page, signal),
  );
  // Within the form of a record, Enter in the search would save it.
  return createPortal(
    <Dialog title={t("field.chooseTitle")} closeLabel={manage("close")} onClose={onClose} isWide>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label={t("search")}
          placeholder={t("search")}
          value={search}
          onChange={setSearch}
        />
        {isPicture && <p className="text-2 text-ink-2">{t("field.onlyPictures")}</p>}
      </div>
      <div className="grid min-h-80 content-start gap-3">
        <Listing
          listing={listing}
          isFiltered={search !== undefined}
          empty={<EmptyState title={t("empty")} />}
        >
          {(files) => (
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-2">
              {files.map((file) => (
                <li key={file.id}>
                  <button
                    type="button"
                    aria-label={t("field.use", { name: words.name(file) })}
                    title={words.name(file)}
                    onClick={() => onChoose(file)}
                    className="grid w-full overflow-hidden rounded-control border border-line text-left hover:border-line-strong hover:bg-sunken focus-visible:outline-offset-[-2px]"
                  >
                    <FileMark file={file} look="aspect-4/3 w-full" iconSize={28} />
                    <span className="truncate px-2 py-1.5" dir="auto">
                      {words.name(file)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Listing>
      </div>
    </Dialog>,
    document.body,
  );
}
