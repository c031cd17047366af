import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { type FolderRecord, mayUpdate } from "../../records/library/file-record.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Ellipsis, Folder, FolderInput, Pencil, Trash2 } from "../../ui/icons.generated.ts";
import { type MenuEntry, OpenMenu } from "../../ui/menu.tsx";
import { LibraryLink, openFolder } from "../file-list.tsx";
import type { FolderDeed } from "./folder-dialogs.tsx";

interface FolderListProps {
  readonly resource: NavigationResource;
  readonly folders: readonly FolderRecord[];
  readonly onDeed: (deed: FolderDeed) => void;
}

/** The folders in the open one, each with what the person may do with it. */
export function FolderList({ resource, folders, onDeed }: FolderListProps) {
  const t = useTranslations("files");
  return (
    <ul
      aria-label={t("folders")}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-2"
    >
      {folders.map((folder) => (
        <li key={folder.id}>
          <FolderTile resource={resource} folder={folder} onDeed={onDeed} />
        </li>
      ))}
    </ul>
  );
}

function FolderTile({
  resource,
  folder,
  onDeed,
}: Pick<FolderListProps, "resource" | "onDeed"> & { readonly folder: FolderRecord }) {
  const t = useTranslations("files");
  const words = useTranslations("manage");
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { id, name } = folder;
  const entries: MenuEntry[] = [];
  if (mayUpdate(resource, "name")) {
    const onPress = () => onDeed({ kind: "RENAME", folder });
    entries.push({ id: "rename", label: t("rename"), icon: Pencil, onPress });
  }
  if (mayUpdate(resource, "parent_id")) {
    const onPress = () => onDeed({ kind: "MOVE", folder });
    entries.push({ id: "move", label: t("details.move"), icon: FolderInput, onPress });
  }
  if (resource.actions.includes("DELETE")) {
    const onPress = () => onDeed({ kind: "DELETE", folder });
    entries.push({
      ...{ id: "delete", label: words("delete"), icon: Trash2, onPress },
      isDangerous: true,
    });
  }
  return (
    <div className="flex h-10 items-center rounded-control border border-line bg-surface pr-1 hover:bg-sunken">
      <LibraryLink
        change={openFolder(id)}
        look="flex h-full min-w-0 flex-1 items-center gap-2 rounded-control px-3"
      >
        <Folder size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
        <span className="truncate" dir="auto" title={name}>
          {name}
        </span>
      </LibraryLink>
      {entries.length > 0 && (
        <button
          ref={button}
          type="button"
          aria-label={t("folderActions", { name })}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:text-ink"
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      )}
      {isOpen && (
        <OpenMenu
          label={t("folderActions", { name })}
          groups={[{ id: "actions", entries }]}
          beside={button}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
