import { afterEach, expect, it } from "vitest";
import { claimRun } from "../src/run/claim-run.ts";
import { HeldRuns } from "../src/worker/held-runs.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment | undefined;
afterEach(() => environment?.close());

it("a lease that may have expired before its renewal counts as late for what started before, and not for what starts later", async () => {
  environment = await openTestEnvironment({ workers: 0, reconcileEveryMs: 60_000 });
  const { database } = environment;
  const lease = 2000;
  const { slug } = await environment.publish([{ id: "end", kind: "finish", result: 1 }], {
    response: "ASYNCHRONOUS",
  });
  const run: string = (await environment.call(slug)).body.data.run;
  const claim = await claimRun(database, run, "first", lease);
  if (claim === undefined) throw new Error("The run cannot be claimed");
  const errors: unknown[] = [];
  const held = new HeldRuns(database, lease, (error) => errors.push(error));
  try {
    // As after a pause of the process: the last renewal is older than the lease.
    const renewedAt = performance.now() - 2 * lease;
    const before = performance.now();
    const lapsed = held.add(claim, renewedAt);
    const kept = held.add(claim, before);
    await expect.poll(() => lapsed.renewedAt).toBeGreaterThan(renewedAt);
    await expect.poll(() => kept.renewedAt).toBeGreaterThan(before);
    expect(held.isLate(lapsed, before)).toBe(true);
    expect(held.isLate(lapsed, performance.now())).toBe(false);
    expect(held.isLate(kept, before)).toBe(false);
    expect([errors, lapsed.controller.signal.aborted]).toEqual([[], false]);
  } finally {
    held.close();
  }
});
