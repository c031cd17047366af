import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../src/index.ts";

// The patched driver (patches/postgres@3.4.9.patch): which connection a statement of a lane uses.

const connectionsMax = 10;

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, applicationName: "lanes", connectionsMax });
  // Opens all connections, and prepares the statement on each of them.
  for (const _ of [1, 2]) await pidsOf(connectionsMax, undefined, 0.2);
});
afterAll(async () => {
  await database.close();
  await test.drop();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs statements at once, and returns the process of the server that ran each. */
function pidsOf(count: number, lane: string | undefined, seconds = 0.02): Promise<number[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const [row] = await database.query<{ pid: number }>(
        "select pg_backend_pid() as pid, pg_sleep($1::float8)::text",
        [String(seconds)],
        { prepare: true, lane },
      );
      if (row === undefined) throw new RangeError("No row");
      return row.pid;
    }),
  );
}

/** Stops the clock of `performance`; returns a function that advances it. */
function stopTime(): (ms: number) => void {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return (ms) => {
    now += ms;
  };
}

/** Lets the driver send what was asked. */
const sent = () => new Promise(setImmediate);

describe("statements of one lane", () => {
  it("follow each other on four connections", async () => {
    stopTime();
    expect(new Set(await pidsOf(24, "a")).size).toBe(4);
    expect(new Set(await pidsOf(24, undefined)).size).toBe(connectionsMax);
  });

  it("follow at most seven others", async () => {
    stopTime();
    const pids = await pidsOf(33, "a");
    const counts = new Map<number, number>();
    for (const pid of pids) counts.set(pid, (counts.get(pid) ?? 0) + 1);
    expect([...counts.values()].sort((one, other) => other - one)).toEqual([8, 8, 8, 8, 1]);
  });

  it("do not follow a statement that has run for five milliseconds", async () => {
    const advance = stopTime();
    const slow = pidsOf(4, "a", 0.3);
    await sent();
    advance(5);
    const [next] = await pidsOf(1, "a");
    expect(await slow).not.toContain(next);
  });

  it("leave the statements of other lanes, and those without one, to other connections", async () => {
    stopTime();
    const slow = pidsOf(8, "a", 0.3);
    await sent();
    const others = await Promise.all([pidsOf(1, "b"), pidsOf(1, undefined)]);
    const pids = new Set(await slow);
    expect(pids.size).toBe(4);
    expect(others.flat().filter((pid) => pids.has(pid))).toEqual([]);
  });
});
