import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findNamings, groupOf, type Naming } from "./measures/kinds.ts";
import { findRatchetFaults, readRatchet } from "./measures/ratchet.ts";
import { measureShape, type Shape } from "./measures/shape.ts";
import { findSizeFaults, measureSizes, type Sizes } from "./measures/sizes.ts";
import { findImportCycles } from "./order/import-cycles.ts";
import { findImportFaults, type PackageFiles } from "./order/import-faults.ts";
import { renderPackageTable, replacePackageTable } from "./order/package-tables.ts";
import { readSourceFile } from "./read/source-file.ts";
import { readWorkspacePackages, type WorkspacePackage } from "./read/workspace-packages.ts";
import { findDownloadFaults, findImageFaults } from "./text/downloads.ts";
import { findPrivateWords } from "./text/private-words.ts";

/** Documents that hold the generated table of packages, with the path from their folder to the root. */
export const tableDocument = "docs/architecture.md";

/** The structure of a checkout and what is wrong with it. */
export type Structure = {
  readonly packages: readonly WorkspacePackage[];
  readonly sizes: Sizes;
  readonly shape: Shape;
  /** The files that name each kind of record. */
  readonly namings: readonly Naming[];
  readonly cycles: readonly (readonly string[])[];
  /** One sentence for each fault; none in a checkout that may land. */
  readonly faults: readonly string[];
};

/** Reads a checkout and finds upward imports, cycles, oversized files, private words, downloads, stale tables and worse measures. */
export function checkStructure(root: string): Structure {
  const packages = readWorkspacePackages(root);
  const paths = listFiles(root);
  const all: PackageFiles[] = packages.map((each) => ({
    package: each,
    files: paths
      .filter((path) => path.startsWith(`${each.folder}/src/`) && /\.tsx?$/.test(path))
      .map((path) => readSourceFile(root, path)),
  }));
  const files = all.flatMap((each) => each.files);
  const cycles = findImportCycles(files);
  const measured = {
    shape: measureShape(all),
    sizes: measureSizes(files),
    namings: findNamings(readTexts(root, paths)),
  };
  return {
    ...measured,
    packages,
    cycles,
    faults: [
      ...findImportFaults(all),
      ...cycles.map((cycle) => `import cycle: ${cycle.join(", ")}`),
      ...findSizeFaults(files),
      ...paths.filter(isProse).flatMap((path) => findPrivateWords(path, read(root, path))),
      ...paths.filter(showsCommands).flatMap((path) => {
        const text = read(root, path);
        return [...findDownloadFaults(path, text), ...findImageFaults(path, text)];
      }),
      ...staleTables(root, packages),
      ...findRatchetFaults(readRatchet(root), measured),
    ],
  };
}

/** The texts of the files that a new field of a record could change, by path. */
export function readTexts(root: string, paths = listFiles(root)): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap((path) => (groupOf(path) === undefined ? [] : [[path, read(root, path)]])),
  );
}

/** Folders whose contents nobody writes by hand. */
const unread = new Set(["node_modules", "dist", ".git", ".turbo", "coverage", ".rowhouse"]);

const isMomentary = /\/test\/\.[^/]+\.ts$/;

/** Every file of the checkout, as a path relative to it. */
function listFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return unread.has(entry.name) ? [] : listFiles(root, path);
      // Tests write files with a leading dot for a moment.
      return entry.isFile() && !isMomentary.test(path) ? [path] : [];
    });
}

// Released migrations never change, so their comments keep the words of their time. The list itself names the words.
function isProse(path: string): boolean {
  return (
    /\.(ts|tsx|mjs|md|yaml|yml)$/.test(path) &&
    !/^packages\/db\/migrations\/|^infra\/checks\/(?:src|test)\/|pnpm-lock/.test(path)
  );
}

/** Documents, programs, pipelines and their data. The changelog is history; the tests of this check have examples of faults. */
function showsCommands(path: string): boolean {
  return (
    (/\.(?:md|[cm]?[jt]sx?|json|ya?ml|toml|sh|cmd|html|liquid)$/.test(path) ||
      /(?:^|\/)(?:Dockerfile|run)$/.test(path)) &&
    path !== "CHANGELOG.md" &&
    !/^infra\/checks\/(?:src\/text\/downloads|test\/)|pnpm-lock/.test(path)
  );
}

function staleTables(root: string, packages: readonly WorkspacePackage[]): string[] {
  const document = read(root, tableDocument);
  const current = replacePackageTable(document, renderPackageTable(packages));
  return current === document ? [] : [`${tableDocument}: run \`pnpm structure --write\``];
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}
