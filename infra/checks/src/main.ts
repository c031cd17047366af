import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkStructure, readTexts, tableDocument } from "./check-structure.ts";
import { findField } from "./measures/kinds.ts";
import {
  lowerRatchet,
  ratchetOf,
  ratchetPath,
  readRatchet,
  renderRatchet,
} from "./measures/ratchet.ts";
import { renderPackageTable, replacePackageTable } from "./order/package-tables.ts";
import { readWorkspacePackages } from "./read/workspace-packages.ts";
import { renderStructure } from "./render-structure.ts";

const root = join(import.meta.dirname, "../../..");
const [argument] = process.argv.slice(2);
if (argument === undefined || argument === "--write") showStructure(argument !== undefined);
else showField(argument);

/** Prints the files that name a field in any of its spellings. */
function showField(field: string): void {
  const { files } = findField(readTexts(root), field);
  print(files.map(({ group, path }) => `${group.padEnd(9)} ${path}`).sort());
}

function showStructure(isWritten: boolean): void {
  if (isWritten) writeMeasures();
  const structure = checkStructure(root);
  print(renderStructure(structure, readRatchet(root)));
  process.exitCode = structure.faults.length === 0 ? 0 : 1;
}

function writeMeasures(): void {
  const table = renderPackageTable(readWorkspacePackages(root));
  const document = readFileSync(join(root, tableDocument), "utf8");
  writeFileSync(join(root, tableDocument), replacePackageTable(document, table));
  const stored = readRatchet(root);
  const current = ratchetOf(checkStructure(root), stored?.walks ?? {});
  // Without a record, the present numbers are the first one.
  const next = stored === undefined ? current : lowerRatchet(stored, current);
  writeFileSync(join(root, ratchetPath), renderRatchet(next));
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
