// pnpm chaos [--seconds 600 --seed 1 --backend redis|postgres]
import { randomInt } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasRedis } from "@rowhouse/testing";
import type { Backend } from "./chaos-environment.ts";
import { runChaos } from "./run-chaos.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    backend: { type: "string" },
  },
});
const backends = values.backend === undefined ? available() : [backendOf(values.backend)];
const seed = Number(values.seed ?? randomInt(2 ** 31));
const seconds = Number(values.seconds);
if (!Number.isInteger(seed) || !(seconds > 0))
  throw new Error("--seed and --seconds must be numbers");

for (const backend of backends) {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { runs, orphans, violations, logs } = await runChaos({ backend, seconds, seed, say });
  say(`${runs} runs, ${orphans} of them held by a worker that was killed`);
  if (violations.length === 0) continue;
  // The logs of the processes show the cause.
  const file = join(mkdtempSync(join(tmpdir(), "rowhouse-chaos-")), "processes.log");
  writeFileSync(file, logs);
  say(`${violations.length} violations on ${backend} with --seed ${seed}; see ${file}`);
  for (const violation of violations.slice(0, 100)) say(violation);
  process.exitCode = 1;
}

function available(): Backend[] {
  return hasRedis() ? ["postgres", "redis"] : ["postgres"];
}

function backendOf(name: string): Backend {
  if (name === "redis" || name === "postgres") return name;
  throw new Error("--backend must be redis or postgres");
}
