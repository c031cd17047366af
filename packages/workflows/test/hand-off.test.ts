import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type House, type HouseOptions, openHouse } from "./house.ts";

let house: House;
const open = async (options: HouseOptions = {}) => {
  house = await openHouse({ oneProcess: true, workers: 0, reconcileEveryMs: 60_000, ...options });
};
afterEach(() => house.close());

const jobs = async () => {
  const [row] = await house.database.query<{ count: number }>(
    "select count(*)::integer as count from rowhouse_queue.event where event = 'added'",
  );
  return row?.count ?? 0;
};
const oneRow = () =>
  house.publish([
    { id: "trip", kind: "createRow", table: "trip", values: { note: "{{start.data.body.n}}" } },
  ]);

describe("a process that accepts runs and executes them", () => {
  it("hands them over without a job", async () => {
    await open();
    house.startWorker();
    const { slug } = await oneRow();
    const { body } = await house.call(slug, { body: { n: 1 } });
    expect(body.data).toMatchObject({ status: "SUCCEEDED" });
    expect(await jobs()).toBe(0);
  });

  it("gives what it has no room for to the queue, and each run is executed once", async () => {
    await open();
    house.rows.onCreate = () => sleep(20);
    house.startWorker({ concurrency: 2 });
    const { slug } = await oneRow();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => house.call(slug, { body: { n }, ip: `198.18.1.${n}` })),
    );
    expect(answers.every(({ body }) => body.data.status === "SUCCEEDED")).toBe(true);
    expect(await jobs()).toBeGreaterThan(20);
    expect(await house.countTrips()).toBe(40);
    const [fences] = await house.database.query<{ highest: string }>(
      "select max(fence)::text as highest from system.workflow_runs",
    );
    expect(fences?.highest).toBe("1");
  });

  it("uses the queue while it has no worker, and none that is stopping", async () => {
    await open();
    const worker = house.startWorker();
    const { slug } = await house.publish([{ id: "end", kind: "finish" }], {
      response: "ASYNCHRONOUS",
    });
    await worker.close();
    house.workers.delete(worker);
    await house.call(slug);
    await expect.poll(() => house.queue.countWaiting()).toBe(1);
  });

  it("hands the runs in its line to the queue when it stops", async () => {
    await open();
    house.rows.onCreate = () => sleep(300);
    const first = house.startWorker({ concurrency: 1 });
    const { slug } = await house.publish(
      [{ id: "trip", kind: "createRow", table: "trip", values: { note: "x" } }],
      { response: "ASYNCHRONOUS" },
    );
    const runs: string[] = [];
    for (let count = 0; count < 3; count += 1) runs.push((await house.call(slug)).body.data.run);
    // The first one is inside its step by now.
    await sleep(100);
    await first.close();
    house.workers.delete(first);
    expect(await house.countTrips()).toBe(1);
    house.rows.onCreate = async () => {};
    house.startWorker();
    for (const run of runs) {
      await expect
        .poll(() => house.readRun(run))
        .toMatchObject({ status: "SUCCEEDED", fence: "1" });
    }
    expect(await house.countTrips()).toBe(3);
  });
});
