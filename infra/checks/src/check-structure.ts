import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findDownloadFaults, findImageFaults } from "./downloads.ts";
import { findImportCycles } from "./import-cycles.ts";
import { findImportFaults, type PackageFiles } from "./import-faults.ts";
import { measureShape, type Shape } from "./measures.ts";
import { renderPackageTable, replacePackageTable } from "./package-tables.ts";
import { findPrivateWords } from "./private-words.ts";
import { findRatchetFaults, type Ratchet, ratchetPath } from "./ratchet.ts";
import { findSizeFaults, measureSizes, type Sizes } from "./sizes.ts";
import { readSourceFile } from "./source-file.ts";
import { readWorkspacePackages, type WorkspacePackage } from "./workspace-packages.ts";

/** Documents that hold the generated table of packages, with the path from their folder to the root. */
export const tableDocument = "docs/architecture.md";

/** The structure of a checkout and what is wrong with it. */
export type Structure = {
  readonly packages: readonly WorkspacePackage[];
  readonly sizes: Sizes;
  readonly shape: Shape;
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
  const shape = measureShape(all);
  return {
    packages,
    cycles,
    sizes: measureSizes(files),
    shape,
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
      ...findRatchetFaults(JSON.parse(read(root, ratchetPath)) as Ratchet, shape),
    ],
  };
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
    !/^infra\/checks\/(?:src\/downloads|test\/)|pnpm-lock/.test(path)
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
