import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FileInput, useDropArea } from "../records/library/file-input.tsx";
import { filesKey, loadFiles, searchFilter } from "../records/library/file-queries.ts";
import {
  type FolderRecord,
  fileFields,
  foldersResource,
  mayCreate,
} from "../records/library/file-record.ts";
import { UploadRow } from "../records/library/upload-row.tsx";
import { uploadFile, uploads, useUploads } from "../records/library/uploads.ts";
import { Listing } from "../shell/listing.tsx";
import type { Navigation, NavigationResource } from "../shell/navigation.ts";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { FolderPlus, Upload } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { useWide } from "../ui/use-wide.ts";
import { FileRows, FileTiles, LibraryLink, openFolder } from "./file-list.tsx";
import { type FilesSearch, orderColumns } from "./files-search.ts";
import { type FolderDeed, FolderDialog } from "./folders/folder-dialogs.tsx";
import { FolderList } from "./folders/folder-list.tsx";
import { folderTreeQuery } from "./folders/folder-query.ts";
import { FolderTree } from "./folders/folder-tree.ts";
import { LibraryToolbar } from "./library-toolbar.tsx";
import { FilePanel } from "./panel/file-panel.tsx";

const route = getRouteApi("/frame/app/files");
const noFolders = new FolderTree([]);

interface LibraryProps {
  readonly navigation: Navigation;
  readonly files: NavigationResource;
}

/** A folder of the library: the folders and files in it, a file beside them, and the uploads. */
export function Library({ navigation, files }: LibraryProps) {
  const t = useTranslations("files");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const folders = foldersResource(navigation);
  const { data: tree = noFolders } = useQuery({
    ...folderTreeQuery,
    enabled: folders !== undefined,
  });
  const [deed, setDeed] = useState<FolderDeed | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const isWide = useWide();
  const place = tree.get(search.folder);
  const inside = tree.within(place);
  const placeName = place?.name ?? t("title");
  useTitle(placeName);
  const fields = fileFields(files);
  const hasFolders = folders !== undefined && fields.includes("folder_id");
  const change = (parts: Partial<FilesSearch>) =>
    void navigate({
      search: (last) => ({ ...last, ...parts }),
      replace: parts.search !== undefined,
    });
  const mayUpload = mayCreate(
    files,
    "name",
    "content",
    ...(place === undefined ? [] : ["folder_id"]),
  );
  const upload = (chosen: readonly File[]) => {
    setRefused([]);
    for (const file of chosen) uploadFile(file, { folder_id: place?.id });
  };
  const { isOver, handlers } = useDropArea(
    mayUpload
      ? (dropped) => {
          upload(dropped.files);
          setRefused(dropped.folders);
        }
      : null,
  );
  return (
    <div className="grid h-dvh min-w-0 max-md:h-[calc(100dvh-49px)] md:grid-cols-[minmax(0,1fr)_auto]">
      <section
        {...handlers}
        aria-label={t("title")}
        inert={!isWide && search.open !== undefined}
        className="relative flex min-h-0 min-w-0 flex-col"
      >
        <header className="flex min-h-11 items-center gap-2 border-line max-sm:flex-wrap border-b px-3.5 py-2">
          <FolderTrail path={tree.path(place)} />
          {folders !== undefined && mayCreate(folders, "name") && (
            <ToolButton onClick={() => setDeed({ kind: "CREATE", within: place?.id ?? null })}>
              <FolderPlus size={15} aria-hidden="true" />
              {t("newFolder")}
            </ToolButton>
          )}
          {mayUpload && (
            <FileInput kind="primary" isMany onFiles={upload}>
              <Upload size={15} aria-hidden="true" />
              {t("upload")}
            </FileInput>
          )}
        </header>
        <div className="grid min-h-0 flex-1 auto-rows-max content-start gap-4 overflow-auto p-3.5">
          <LibraryToolbar search={search} onChange={change} />
          {refused.map((name) => (
            <Notice key={name} kind="danger">
              {t("folderDroppedTitle", { name })}. {t("folderDropped")}
            </Notice>
          ))}
          {folders !== undefined && search.search === undefined && inside.length > 0 && (
            <FolderList resource={folders} folders={inside} onDeed={setDeed} />
          )}
          <FileList
            resource={files}
            search={search}
            folder={hasFolders ? (place?.id ?? null) : undefined}
            placeName={placeName}
            mayUpload={mayUpload}
            hasOthers={inside.length > 0}
          />
        </div>
        <UploadPanel />
        {isOver && (
          <p className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-panel border-2 border-accent border-dashed bg-accent-soft/90 p-6 text-center text-4 font-medium">
            {t("drop", { name: placeName })}
          </p>
        )}
      </section>
      {search.open !== undefined && (
        <FilePanel
          key={search.open}
          id={search.open}
          resource={files}
          navigation={navigation}
          mayMove={hasFolders}
          onClose={() => change({ open: undefined })}
        />
      )}
      {deed !== null && <FolderDialog deed={deed} onClose={() => setDeed(null)} />}
    </div>
  );
}

/** The way from the top to the open folder. */
function FolderTrail({ path }: { readonly path: readonly FolderRecord[] }) {
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
function FileList(props: FileListProps) {
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

/** The uploads of this tab, below the list. */
function UploadPanel() {
  const t = useTranslations("files.uploads");
  const tasks = useUploads();
  if (tasks.length === 0) return null;
  const done = tasks.filter(({ state }) => state === "DONE");
  const running = tasks.filter(({ state }) => state === "RUNNING" || state === "WAITING");
  const paused = tasks.filter(({ state }) => state === "PAUSED");
  return (
    <section
      aria-label={t("title")}
      className="grid max-h-2/5 shrink-0 grid-rows-[auto_minmax(0,1fr)] border-line-strong border-t bg-surface"
    >
      <div className="flex items-center gap-1 border-line border-b py-1.5 pr-2 pl-3.5">
        <p role="status" className="min-w-0 flex-1 truncate font-medium">
          {t("summary", { done: done.length, all: tasks.length })}
        </p>
        {running.length > 1 && (
          <ToolButton kind="bare" onClick={() => each(running, (id) => uploads.pause(id))}>
            {t("pauseAll")}
          </ToolButton>
        )}
        {paused.length > 1 && (
          <ToolButton kind="bare" onClick={() => each(paused, (id) => uploads.resume(id))}>
            {t("resumeAll")}
          </ToolButton>
        )}
        {done.length > 0 && (
          <ToolButton kind="bare" onClick={() => each(done, (id) => uploads.cancel(id))}>
            {t("clear")}
          </ToolButton>
        )}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] content-start gap-x-6 gap-y-2.5 overflow-auto px-3.5 py-2.5">
        {tasks.map((task) => (
          <li key={task.id} className="[content-visibility:auto]">
            <UploadRow task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function each(tasks: readonly { readonly id: number }[], act: (id: number) => void): void {
  for (const { id } of tasks) act(id);
}
