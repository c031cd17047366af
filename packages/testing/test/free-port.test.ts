import { expect, test } from "vitest";
import { findFreePort, portsOf } from "../src/servers/free-port.ts";

test("no two workers of a test run share a port", async () => {
  const ranges = Array.from({ length: 11 }, (_, worker) => portsOf(worker));
  for (const [index, [first, end]] of ranges.entries()) {
    expect(end).toBeGreaterThan(first);
    expect(first).toBeGreaterThanOrEqual(ranges[index - 1]?.[1] ?? 1024);
    // The first ephemeral port of Linux.
    expect(end).toBeLessThanOrEqual(32_768);
  }
  const [first, end] = portsOf(Number(process.env.VITEST_POOL_ID));
  const port = await findFreePort();
  expect(port).toBeGreaterThanOrEqual(first);
  expect(port).toBeLessThan(end);
});
