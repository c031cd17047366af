import type { SourceFile } from "../read/source-file.ts";
import type { WorkspacePackage } from "../read/workspace-packages.ts";

/** Files by the package that holds them. */
export type PackageFiles = {
  readonly package: WorkspacePackage;
  readonly files: readonly SourceFile[];
};

/** The largest number of source files in a folder that a reader surveys. */
export const maxFolderFiles = 14;

/**
 * Packages without rooms, and imports that do not point down: from one package to another of its own or a higher level, or to itself by its name, and
 * inside a package from a lower room to a higher one, or from one area to another; and imports of a pure room by which it could have an effect.
 * A file directly in `src` is above every room.
 */
export function findImportFaults(all: readonly PackageFiles[]): string[] {
  const levels = new Map(all.map((each) => [each.package.name, each.package.level]));
  return all.flatMap((each) => [
    ...missingRooms(each),
    ...each.files.flatMap((file) => [
      ...packageFaults(each.package, file, levels),
      ...roomFaults(each.package, file),
      ...pureFaults(each.package, file),
    ]),
  ]);
}

/** A package with folders, or with more files than a reader surveys, has an order of its own. */
function missingRooms({ package: { folder, rooms, areas }, files }: PackageFiles): string[] {
  const hasFolders = files.some(({ path }) => path.slice(`${folder}/src/`.length).includes("/"));
  return rooms.length + areas.length > 0 ||
    folder.startsWith("infra/") ||
    !(hasFolders || files.length > maxFolderFiles)
    ? []
    : [
        `${folder}: list its folders, from the lowest to the highest, as rowhouse.rooms of package.json`,
      ];
}

function packageFaults(
  own: WorkspacePackage,
  file: SourceFile,
  levels: ReadonlyMap<string, number | null>,
): string[] {
  const ownLevel = own.level;
  return file.packages.flatMap((name) => {
    if (name === own.name) return [`${file.path} imports its own package by name: ${name}`];
    const level = levels.get(name) ?? null;
    if (ownLevel === null || (level !== null && level < ownLevel)) return [];
    const at = level === null ? "which has no level" : `level ${level}`;
    return [`${file.path} (level ${ownLevel}) imports ${name} (${at})`];
  });
}

function roomFaults(own: WorkspacePackage, file: SourceFile): string[] {
  if (own.rooms.length + own.areas.length === 0) return [];
  const from = roomOf(own, file.path);
  return file.files.flatMap((target) => {
    if (!target.startsWith(`${own.folder}/src/`)) return [];
    const to = roomOf(own, target);
    if (to > from) return [`${file.path} imports up: ${target}`];
    const [fromArea, toArea] = [areaOf(own, file.path), areaOf(own, target)];
    const isApart = fromArea !== undefined && toArea !== undefined && fromArea !== toArea;
    return isApart ? [`${file.path} imports another area: ${target}`] : [];
  });
}

/** Names that a pure room must not import: without the type of a database, no function can query one. */
function pureFaults({ folder, pure }: WorkspacePackage, { path, names }: SourceFile): string[] {
  if (!pure.rooms.some((room) => path.startsWith(`${folder}/src/${room}/`))) return [];
  return names.flatMap((each) => {
    const [from = "", name = ""] = each.split(" ");
    const allowed = pure.names[from];
    return allowed === undefined || allowed.includes(name)
      ? []
      : [`${path} is in a pure folder and imports ${name} of ${from}`];
  });
}

/** The area that holds a file; undefined if none does. */
function areaOf(own: WorkspacePackage, path: string): string | undefined {
  return own.areas.find((area) => path.startsWith(`${own.folder}/src/${area}/`));
}

/** The position of a file's room; files directly in `src` and folders without an order are above every room. */
function roomOf(own: WorkspacePackage, path: string): number {
  const inside = path.slice(`${own.folder}/src/`.length);
  const room = own.rooms.findIndex((one) => inside.startsWith(`${one}/`));
  return room === -1 ? own.rooms.length : room;
}
