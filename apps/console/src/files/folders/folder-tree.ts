import type { FolderRecord } from "../../records/library/file-record.ts";

/** The folders that a person may read. A folder whose parent they may not read is at the top. */
export class FolderTree {
  readonly #byId: ReadonlyMap<string, FolderRecord>;

  constructor(folders: readonly FolderRecord[]) {
    this.#byId = new Map(folders.map((folder) => [folder.id, folder]));
  }

  get(id: string | undefined): FolderRecord | undefined {
    return this.#byId.get(id ?? "");
  }

  /** The folders in a folder, or at the top without one. */
  within(folder: FolderRecord | undefined): readonly FolderRecord[] {
    return [...this.#byId.values()]
      .filter((one) => this.#parentOf(one) === folder)
      .sort((one, other) => byName.compare(one.name, other.name));
  }

  /** The folders above a folder and itself, from the top. */
  path(folder: FolderRecord | undefined): readonly FolderRecord[] {
    const path: FolderRecord[] = [];
    // A circle cannot be stored, but two folders may have been read before and after a move.
    for (let one = folder; one !== undefined && !path.includes(one); one = this.#parentOf(one)) {
      path.unshift(one);
    }
    return path;
  }

  /** Every folder with its path as a text, in the order of these, without the one that moves and those in it. */
  destinations(moved: FolderRecord | undefined): readonly { id: string; label: string }[] {
    return [...this.#byId.values()]
      .filter((folder) => moved === undefined || !this.path(folder).includes(moved))
      .map((folder) => ({ id: folder.id, label: this.path(folder).map(nameOf).join(" / ") }))
      .sort((one, other) => byName.compare(one.label, other.label));
  }

  #parentOf({ parent_id: id }: FolderRecord): FolderRecord | undefined {
    return this.#byId.get(id ?? "");
  }
}

/** Folder 2 is before folder 10. */
const byName = new Intl.Collator(undefined, { numeric: true });

function nameOf({ name }: FolderRecord): string {
  return name;
}
