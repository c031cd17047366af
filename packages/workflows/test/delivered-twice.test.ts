import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listenForWakeUps, openWakeUpQueue } from "../src/queue/open-queue.ts";

describe.runIf(hasRedis())("a wake-up that is delivered again because its lock lapsed", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  it("is no failure when the other delivery has ended its job", async () => {
    const { url } = server;
    const redis = new Redis(url);
    const reported: unknown[] = [];
    const report = (error: unknown) => void reported.push(error);
    const processed: string[] = [];
    const removeJobs = async () => {
      const keys = await redis.keys("rowhouse_queue:workflow-runs:*-1");
      return keys.length === 0 ? 0 : redis.del(...keys);
    };
    const listener = listenForWakeUps(
      { kind: "REDIS", url },
      {
        concurrency: 1,
        lockMs: 5000,
        process: async (runId) => {
          // The other delivery ends the first job meanwhile.
          if (runId === "first") expect(await removeJobs()).toBe(1);
          processed.push(runId);
          if (runId === "third") throw new Error("a failure of the process");
        },
        report,
      },
    );
    const queue = openWakeUpQueue({ kind: "REDIS", url }, report);
    for (const runId of ["first", "second", "third"]) {
      queue.wake({ runId, fence: 1 });
      await vi.waitFor(() => expect(processed).toContain(runId), 10_000);
    }
    await vi.waitFor(() => expect(reported).toHaveLength(1), 10_000);
    expect(reported).toMatchObject([{ message: "a failure of the process" }]);
    await listener.close();
    await queue.close();
    redis.disconnect();
  });
});
