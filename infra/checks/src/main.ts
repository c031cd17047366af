import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkStructure, tableDocument } from "./check-structure.ts";
import { renderPackageTable, replacePackageTable } from "./package-tables.ts";
import { type Ratchet, ratchetOf, ratchetPath, renderRatchet } from "./ratchet.ts";
import { readWorkspacePackages } from "./workspace-packages.ts";

const root = join(import.meta.dirname, "../../..");
const { walks } = JSON.parse(readFileSync(join(root, ratchetPath), "utf8")) as Ratchet;

if (process.argv.includes("--write")) {
  const table = renderPackageTable(readWorkspacePackages(root));
  const document = readFileSync(join(root, tableDocument), "utf8");
  writeFileSync(join(root, tableDocument), replacePackageTable(document, table));
  writeFileSync(
    join(root, ratchetPath),
    renderRatchet(ratchetOf(checkStructure(root).shape, walks)),
  );
}

const { packages, sizes, shape, cycles, faults } = checkStructure(root);
const { whole, rooms, sharedNames } = shape;
const shareOf = (part: number, files: number) => `${((100 * part) / files).toFixed(1)} %`;
const lines = [
  "Packages by level:",
  ...packages
    .filter((each) => each.level !== null)
    .sort((a, b) => (b.level ?? 0) - (a.level ?? 0))
    .map((each) => `  ${each.level}  ${each.folder.padEnd(26)} ${each.rooms.join(" < ")}`),
  `Import cycles: ${cycles.length}`,
  `Files: ${whole.files}, ${whole.lines} lines, median ${sizes.medianLines}`,
  `Files below 50 lines with one importer: ${whole.fragments} (${shareOf(whole.fragments, whole.files)})`,
  `Folders of more than 14 files: ${whole.wideFolders}`,
  `Names that several packages declare: ${sharedNames.length}`,
  ...sharedNames
    .slice(0, 10)
    .map(({ name, packages: some }) => `  ${name.padEnd(16)} ${some.join(", ")}`),
  ...Object.entries(walks).map(
    ([name, { places, rooms: walked, returns }]) =>
      `Walk of one ${name} request: ${places} files in ${walked} rooms, ${returns} returns`,
  ),
  "Rooms: files, lines, files below 50 lines with one importer, folders of more than 14 files",
  ...rooms.map(
    (each) =>
      `  ${[each.files, each.lines, each.fragments, each.wideFolders].map((n) => String(n).padStart(6)).join("")}  ${each.room}`,
  ),
  "Largest files:",
  ...sizes.largestFiles.map((each) => `  ${String(each.lines).padStart(4)}  ${each.path}`),
  "Largest functions:",
  ...sizes.largestFunctions.map(
    (each) => `  ${String(each.lines).padStart(4)}  ${each.name}  ${each.path}:${each.line}`,
  ),
  `Faults: ${faults.length}`,
  ...faults.map((each) => `  ${each}`),
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
