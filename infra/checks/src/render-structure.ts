import type { Structure } from "./check-structure.ts";
import { countGroup, type FileGroup } from "./measures/kinds.ts";
import type { Ratchet } from "./measures/ratchet.ts";

const fileGroups: readonly FileGroup[] = ["source", "words", "tests", "docs", "generated"];

/** The lines that `structure` prints. */
export function renderStructure(structure: Structure, ratchet: Ratchet | undefined): string[] {
  const { packages, sizes, shape, namings, cycles, faults } = structure;
  const { whole, rooms, sharedNames, circles } = shape;
  const inCircles = circles.reduce((sum, { imports }) => sum + imports, 0);
  const share = ((100 * whole.fragments) / whole.files).toFixed(1);
  return [
    "Packages by level:",
    ...packages
      .filter((each) => each.level !== null)
      .sort((a, b) => (b.level ?? 0) - (a.level ?? 0))
      .map((each) => `  ${each.level}  ${each.folder.padEnd(26)} ${each.rooms.join(" < ")}`),
    `Import cycles: ${cycles.length}`,
    `Circles of folders: ${circles.length}, with ${inCircles} imports`,
    ...circles.map(({ folders, imports }) => `${numbers(imports)}  ${folders.join(", ")}`),
    `Files: ${whole.files}, ${whole.lines} lines, median ${sizes.medianLines}`,
    "Lines of each package, and the difference to the record",
    ...shape.packages.map(({ folder, lines }) => {
      const difference = lines - (ratchet?.lines[folder] ?? 0);
      const sign = difference > 0 ? "+" : "";
      return `${numbers(lines)}${`${sign}${difference}`.padStart(6)}  ${folder}`;
    }),
    `Files below 50 lines with one importer: ${whole.fragments} (${share} %)`,
    `Folders of more than 14 files: ${shape.wideFolders.length}`,
    ...shape.wideFolders.map(({ folder, files }) => `${numbers(files)}  ${folder}`),
    `Names that several packages declare: ${sharedNames.length}`,
    ...sharedNames
      .slice(0, 10)
      .map(({ name, packages: some }) => `  ${name.padEnd(16)} ${some.join(", ")}`),
    `Files that name a kind of record or its field: ${fileGroups.join(", ")}`,
    ...namings.map((each) => {
      const counts = fileGroups.map((group) => countGroup(each, group));
      return `${numbers(...counts)}  ${each.of}`;
    }),
    ...Object.entries(ratchet?.walks ?? {}).map(
      ([name, walk]) =>
        `Walk of one ${name}: ${walk.places} files in ${walk.rooms} rooms, ${walk.returns} returns; with each visit ${walk.visits} files, ${walk.returnsByVisit} returns`,
    ),
    "Rooms: files, lines, files below 50 lines with one importer",
    ...rooms.map((each) => `${numbers(each.files, each.lines, each.fragments)}  ${each.room}`),
    "Largest files:",
    ...sizes.largestFiles.map((each) => `${numbers(each.lines)}  ${each.path}`),
    `Functions of more than 100 lines: ${sizes.longFunctions.length}`,
    ...sizes.longFunctions.map(
      (each) => `${numbers(each.lines)}  ${each.name}  ${each.path}:${each.line}`,
    ),
    `Faults: ${faults.length}`,
    ...faults.map((each) => `  ${each}`),
  ];
}

function numbers(...counts: readonly number[]): string {
  return counts.map((count) => String(count).padStart(7)).join("");
}
