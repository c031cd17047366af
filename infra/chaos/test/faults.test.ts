// Tier: long. Kills processes for a minute.
import { hasRedis, isLongRun } from "@rowhouse/testing";
import { describe, expect, test } from "vitest";
import { createFaults, wholeLengths } from "../src/faults.ts";
import { runFaults } from "../src/run-faults.ts";

// The short faults of `pnpm faults`.
const quick = createFaults({
  ...wholeLengths,
  killedMs: 500,
  redisAwayMs: 2000,
  postgresAwayMs: 500,
  diskFullMs: 2000,
  idleMs: 1000,
  idleConnections: 500,
}).filter(({ name }) => !/every|pools|one byte/.test(name));

// Two to three minutes: a part of `npm run test:long`.
const isLong = isLongRun();

describe.runIf(hasRedis() && isLong)("faults under load", () => {
  test("cause only the errors of the contract, end without a restart, and lose no accepted work", {
    timeout: 600_000,
  }, async () => {
    const lines: string[] = [];
    const { violations, logs } = await runFaults(quick, (line) => lines.push(line));
    if (violations.length > 0) console.error(`${lines.join("\n")}\n${logs}`);
    expect(lines.length).toBeGreaterThan(quick.length);
    expect(violations).toEqual([]);
  });
});
