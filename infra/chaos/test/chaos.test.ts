// Tier: long. Kills processes for a minute.
import { randomInt } from "node:crypto";
import { hasRedis, isLongRun } from "@rowhouse/testing";
import { expect, test } from "vitest";
import type { Backend } from "../src/chaos-environment.ts";
import { runChaos } from "../src/run-chaos.ts";

// About a minute of `pnpm chaos`. With ROWHOUSE_CHAOS_SEED the disturbances repeat in the same order; their effects
// still depend on the machine.

const seed = Number(process.env.ROWHOUSE_CHAOS_SEED ?? randomInt(2 ** 31));
const seconds = 15;
/** Enough for a busy machine. */
const timeoutMs = 600_000;
/** `npm run test:long` runs both, a usual run the one that this machine has for production. */
const isLong = isLongRun();
const backends: Backend[] = hasRedis()
  ? [...(isLong ? (["postgres"] as const) : []), "redis"]
  : ["postgres"];

test.each(backends)(
  "no accepted work is lost and none is executed twice on %s, although processes and servers are killed",
  { timeout: timeoutMs },
  async (backend) => {
    const lines: string[] = [];
    const say = (line: string) => lines.push(line);
    const report = await runChaos({ backend, seconds, seed, say });
    console.info(`chaos on ${backend}: ROWHOUSE_CHAOS_SEED=${seed}, ${report.runs} runs`);
    if (report.violations.length > 0) console.error(`${lines.join("\n")}\n${report.logs}`);
    expect(report.runs).toBeGreaterThan(0);
    expect(report.violations).toEqual([]);
  },
);
