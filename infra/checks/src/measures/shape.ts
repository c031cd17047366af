import { dirname } from "node:path";
import { type FolderCircle, findFolderCircles } from "../order/import-cycles.ts";
import { maxFolderFiles, type PackageFiles } from "../order/import-faults.ts";
import type { SourceFile } from "../read/source-file.ts";
import { dataFile } from "./sizes.ts";

/** Below this number of lines a file with a single importer is a fragment of that importer. */
const fragmentLines = 50;

/** What a reader meets in the whole repository, or in one room. */
export type Measures = {
  readonly files: number;
  readonly lines: number;
  /** Files of less than 50 lines with one importer that are no public face and not generated. */
  readonly fragments: number;
};

/** A room is a folder of `src`; the files beside the folders are the room of their package. */
export type RoomMeasures = Measures & { readonly room: string };

/** The measures of the repository, of each room and of each package, and the exported names that several packages declare. */
export type Shape = {
  readonly whole: Measures;
  readonly rooms: readonly RoomMeasures[];
  /** Lines of the sources of each package that are not generated. */
  readonly packages: readonly { readonly folder: string; readonly lines: number }[];
  /** Folders with more than 14 source files, the widest first. */
  readonly wideFolders: readonly { readonly folder: string; readonly files: number }[];
  readonly circles: readonly FolderCircle[];
  /** Names with the packages that each declare an export of that name. */
  readonly sharedNames: readonly { readonly name: string; readonly packages: readonly string[] }[];
};

/** Measures how far the sources are split, and which names mean different things in different packages. */
export function measureShape(all: readonly PackageFiles[]): Shape {
  const files = all.flatMap((each) => each.files);
  const fragments = new Set(findFragments(files));
  const measure = (some: readonly SourceFile[]): Measures => ({
    files: some.length,
    lines: countLines(some),
    fragments: some.filter((file) => fragments.has(file)).length,
  });
  const byRoom = groupBy(files, roomOf);
  return {
    whole: measure(files),
    rooms: [...byRoom]
      .map(([room, some]) => ({ room, ...measure(some) }))
      .sort((a, b) => a.room.localeCompare(b.room)),
    packages: all.flatMap(({ package: { folder }, files: some }) =>
      some.length === 0 ? [] : [{ folder, lines: countLines(some) }],
    ),
    wideFolders: [...groupBy(files, ({ path }) => dirname(path))]
      .map(([folder, some]) => ({ folder, files: some.length }))
      .filter(({ files: count }) => count > maxFolderFiles)
      .sort((a, b) => b.files - a.files),
    circles: findFolderCircles(files),
    sharedNames: findSharedNames(all),
  };
}

/** A kind of record described as data, which the list of the kinds alone imports. */
const description = /^packages\/db\/src\/kinds\//;

/** Files that a reader of their only importer must open as well. */
function findFragments(files: readonly SourceFile[]): SourceFile[] {
  const importers = new Map<string, string[]>();
  for (const { path, files: imported } of files) {
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), path]);
  }
  return files.filter(({ path, lines }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    const isPublic = importer !== undefined && /\/src\/index\.ts$/.test(importer);
    return (
      importer !== undefined &&
      others.length === 0 &&
      lines < fragmentLines &&
      !isPublic &&
      !description.test(path) &&
      !dataFile.test(path)
    );
  });
}

function countLines(files: readonly SourceFile[]): number {
  return files.reduce((sum, { lines, path }) => sum + (dataFile.test(path) ? 0 : lines), 0);
}

/** The first folder of `src`, or `src` itself. */
export function roomOf({ path }: Pick<SourceFile, "path">): string {
  const [project = "", inner = ""] = path.split("/src/");
  const [room, ...rest] = inner.split("/");
  return rest.length === 0 ? project : `${project} ${room}`;
}

function findSharedNames(all: readonly PackageFiles[]): Shape["sharedNames"] {
  const packagesOf = new Map<string, Set<string>>();
  for (const {
    package: { folder, level },
    files,
  } of all) {
    // Nobody imports tools.
    if (level === null) continue;
    for (const { exports, path } of files) {
      for (const name of dataFile.test(path) ? [] : exports) {
        packagesOf.set(name, (packagesOf.get(name) ?? new Set()).add(folder));
      }
    }
  }
  return [...packagesOf]
    .filter(([, packages]) => packages.size > 1)
    .map(([name, packages]) => ({ name, packages: [...packages].sort() }))
    .sort((a, b) => b.packages.length - a.packages.length || a.name.localeCompare(b.name));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
