import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useDropArea } from "../records/library/drop-area.ts";
import { FileInput } from "../records/library/file-input.tsx";
import { fileFields, foldersResource, mayCreate } from "../records/library/file-record.ts";
import { uploadFile } from "../records/library/uploads.ts";
import type { Navigation, NavigationResource } from "../shell/navigation.ts";
import { useTitle } from "../shell/use-title.ts";
import { FolderPlus, Upload } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { useWide } from "../ui/use-wide.ts";
import { FileList } from "./file-list.tsx";
import type { FilesSearch } from "./files-search.ts";
import { type FolderDeed, FolderDialog } from "./folders/folder-dialogs.tsx";
import { FolderList } from "./folders/folder-list.tsx";
import { folderTreeQuery } from "./folders/folder-query.ts";
import { FolderTrail } from "./folders/folder-trail.tsx";
import { FolderTree } from "./folders/folder-tree.ts";
import { LibraryToolbar } from "./library-toolbar.tsx";
import { FilePanel } from "./panel/file-panel.tsx";
import { UploadPanel } from "./upload-panel.tsx";

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
