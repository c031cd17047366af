// pnpm upgrade-check [-- <commit>]
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareBuild, previousBuild } from "./builds.ts";
import { runUpgrade } from "./run-upgrade.ts";

// Each process ends together with this one.
process.setMaxListeners(50);
const [reference = await previousBuild()] = process.argv.slice(2).filter((one) => one !== "--");
const say = (line: string) => process.stdout.write(`${line}\n`);
const old = await prepareBuild(reference, say);
try {
  const { requests, violations, logs } = await runUpgrade(old, say);
  say(`from ${old.name} and back: ${requests} requests, ${violations.length} violations`);
  if (violations.length > 0) {
    const file = join(mkdtempSync(join(tmpdir(), "rowhouse-upgrade-")), "processes.log");
    writeFileSync(file, logs);
    for (const violation of violations.slice(0, 100)) say(violation);
    say(`logs of the processes: ${file}`);
    process.exitCode = 1;
  }
} finally {
  await old.remove();
}
