import { randomInt } from "node:crypto";
import { hasRedis } from "@rowhouse/testing";
import { expect, test } from "vitest";
import type { Backend } from "../src/arrangement.ts";
import { runChaos } from "../src/run-chaos.ts";

// A minute or so of what `pnpm chaos` does for as long as one likes. With ROWHOUSE_CHAOS_SEED the same is killed in the
// same order again; what else happens at that moment is up to the machine.

const seed = Number(process.env.ROWHOUSE_CHAOS_SEED ?? randomInt(2 ** 31));
const seconds = 25;
/** A machine with much else to do takes its time, and is given it. */
const timeoutMs = 600_000;
const backends: Backend[] = ["postgres", ...(hasRedis() ? (["redis"] as const) : [])];

test.each(backends)(
  "nothing accepted is lost and nothing is done twice, whatever is killed on the way, on %s",
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
