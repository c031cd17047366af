import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import {
  openTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from "./test-environment.ts";

let environment: TestEnvironment;
const open = async (options: TestEnvironmentOptions = {}) => {
  environment = await openTestEnvironment({
    oneProcess: true,
    workers: 0,
    reconcileEveryMs: 60_000,
    ...options,
  });
};
afterEach(() => environment.close());

const jobs = async () => {
  const [row] = await environment.database.query<{ count: number }>(
    "select count(*)::integer as count from rowhouse_queue.event where event = 'added'",
  );
  return row?.count ?? 0;
};
const oneRow = () =>
  environment.publish([
    { id: "trip", kind: "createRow", table: "trip", values: { note: "{{start.data.body.n}}" } },
  ]);

describe("a process that accepts runs and executes them", () => {
  it("a process hands its runs to its worker without a job", async () => {
    await open();
    environment.startWorker();
    const { slug } = await oneRow();
    const { body } = await environment.call(slug, { body: { n: 1 } });
    expect(body.data).toMatchObject({ status: "SUCCEEDED" });
    expect(await jobs()).toBe(0);
  });

  it("runs beyond the worker's capacity go to the queue, and each run is executed once", async () => {
    await open();
    environment.rows.onCreate = () => sleep(20);
    environment.startWorker({ concurrency: 2 });
    const { slug } = await oneRow();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        environment.call(slug, { body: { n }, ip: `198.18.1.${n}` }),
      ),
    );
    expect(answers.every(({ body }) => body.data.status === "SUCCEEDED")).toBe(true);
    expect(await jobs()).toBeGreaterThan(20);
    expect(await environment.countTrips()).toBe(40);
    const [fences] = await environment.database.query<{ highest: string }>(
      "select max(fence)::text as highest from system.workflow_runs",
    );
    expect(fences?.highest).toBe("1");
  });

  it("runs go to the queue while the process has no worker, or only a stopping one", async () => {
    await open();
    const worker = environment.startWorker();
    const { slug } = await environment.publish([{ id: "end", kind: "finish" }], {
      response: "ASYNCHRONOUS",
    });
    await worker.close();
    environment.workers.delete(worker);
    await environment.call(slug);
    await expect.poll(() => environment.queue.countWaiting()).toBe(1);
  });

  it("a stopping worker passes its waiting runs to the queue", async () => {
    await open();
    environment.rows.onCreate = () => sleep(300);
    const first = environment.startWorker({ concurrency: 1 });
    const { slug } = await environment.publish(
      [{ id: "trip", kind: "createRow", table: "trip", values: { note: "x" } }],
      { response: "ASYNCHRONOUS" },
    );
    const runs: string[] = [];
    for (let count = 0; count < 3; count += 1)
      runs.push((await environment.call(slug)).body.data.run);
    // The first run is inside its step by now.
    await sleep(100);
    await first.close();
    environment.workers.delete(first);
    expect(await environment.countTrips()).toBe(1);
    environment.rows.onCreate = async () => {};
    environment.startWorker();
    for (const run of runs) {
      await expect
        .poll(() => environment.readRun(run))
        .toMatchObject({ status: "SUCCEEDED", fence: "1" });
    }
    expect(await environment.countTrips()).toBe(3);
  });
});
