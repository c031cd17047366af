import { useTranslations } from "use-intl";
import { filesKey, loadFiles, searchFilter } from "../records/library/file-queries.ts";
import { fileFields } from "../records/library/file-record.ts";
import { Listing } from "../shell/listing.tsx";
import type { NavigationResource } from "../shell/navigation.ts";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { FileRows } from "./file-rows.tsx";
import { FileTiles } from "./file-tiles.tsx";
import { type FilesSearch, orderColumns } from "./files-search.ts";

interface FileListProps {
  readonly resource: NavigationResource;
  readonly search: FilesSearch;
  /** The folder whose files are shown, null for the top; undefined for a person who may not read folders. */
  readonly folder: string | null | undefined;
  readonly placeName: string;
  readonly mayUpload: boolean;
  /** Whether folders stand above the list, so that the place is not empty without files. */
  readonly hasOthers: boolean;
}

/** The files of a folder, or those of all folders that match a search. */
export function FileList(props: FileListProps) {
  const { resource, search, folder, placeName, mayUpload } = props;
  const t = useTranslations("files");
  const { search: text } = search;
  const orderBy = orderColumns(search.order, fileFields(resource));
  const where = text === undefined ? within(folder) : searchFilter(resource, text);
  const listing = useListing([...filesKey, "list", { where, orderBy }], (page, signal) =>
    loadFiles(resource, { where, orderBy }, page, signal),
  );
  const label = text === undefined ? t("list", { name: placeName }) : t("found");
  const List = search.view === "list" ? FileRows : FileTiles;
  return (
    <Listing
      listing={listing}
      isFiltered={text !== undefined}
      empty={
        props.hasOthers ? null : (
          <EmptyState title={t("empty")} text={t(mayUpload ? "emptyText" : "emptyReader")} />
        )
      }
    >
      {(files) => <List label={label} files={files} open={search.open} />}
    </Listing>
  );
}

function within(folder: string | null | undefined): Readonly<Record<string, unknown>> {
  if (folder === undefined) return {};
  return { folder_id: folder === null ? { _null: true } : { _eq: folder } };
}
