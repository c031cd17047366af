import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkStructure, tableDocuments } from "./check-structure.ts";
import { renderPackageTable, replacePackageTable } from "./package-tables.ts";
import { readWorkspacePackages } from "./workspace-packages.ts";

const root = join(import.meta.dirname, "../../..");

if (process.argv.includes("--write")) {
  const table = renderPackageTable(readWorkspacePackages(root));
  for (const [path, prefix] of Object.entries(tableDocuments)) {
    const document = readFileSync(join(root, path), "utf8");
    writeFileSync(join(root, path), replacePackageTable(document, table, prefix));
  }
}

const { packages, sizes, cycles, faults } = checkStructure(root);
const lines = [
  "Packages by level:",
  ...packages
    .filter((each) => each.level !== null)
    .sort((a, b) => (b.level ?? 0) - (a.level ?? 0))
    .map((each) => `  ${each.level}  ${each.folder.padEnd(26)} ${each.rooms.join(" < ")}`),
  `Import cycles: ${cycles.length}`,
  `Files: ${sizes.files}, median ${sizes.medianLines} lines`,
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
