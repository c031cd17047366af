// pnpm faults [--only "Redis"]
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createFaults, wholeLengths } from "./faults.ts";
import { runFaults } from "./run-faults.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const say = (line: string) => process.stdout.write(`${line}\n`);
const faults = createFaults(wholeLengths).filter(({ name }) => name.includes(values.only));
const { violations, logs } = await runFaults(faults, say);
say(`${violations.length} violations`);
if (violations.length > 0) {
  const file = join(mkdtempSync(join(tmpdir(), "rowhouse-faults-")), "processes.log");
  writeFileSync(file, logs);
  for (const violation of violations.slice(0, 100)) say(violation);
  say(`logs of the processes: ${file}`);
  process.exitCode = 1;
}
