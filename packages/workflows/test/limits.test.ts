import { setTimeout as sleep } from "node:timers/promises";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterEach, describe, expect, it } from "vitest";
import {
  type DefinitionInput,
  publishWorkflow,
  reconcileRuns,
  rollBackWorkflow,
  updateWorkflow,
} from "../src/index.ts";
import { requestCancellation } from "../src/run/cancel-run.ts";
import { claimRun } from "../src/run/claim-run.ts";
import { releaseRun } from "../src/run/keep-lease.ts";
import { actor, type House, type HouseOptions, openHouse } from "./house.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(options: HouseOptions = {}, backend = "POSTGRES"): Promise<House> {
  const redis: RedisServer | undefined = backend === "REDIS" ? await startRedis() : undefined;
  if (redis !== undefined) ends.push(() => redis.stop());
  const house = await openHouse({ reconcileEveryMs: 60_000, ...options, redisUrl: redis?.url });
  ends.push(() => house.close());
  return house;
}

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;
const later = { response: "ASYNCHRONOUS" } as const;
const oneRow: DefinitionInput["steps"] = [
  { id: "trip", kind: "createRow", table: "trip", values: { note: "{{start.data.body.n}}" } },
];
let calls = 0;

async function accept(house: House, slug: string, n: number): Promise<string> {
  calls += 1;
  const ip = `198.18.${Math.floor(calls / 250)}.${calls % 250}`;
  return (await house.call(slug, { body: { n }, ip })).body.data.run;
}

async function acceptMany(house: House, slug: string, count: number): Promise<string[]> {
  const runs: string[] = [];
  for (let n = 0; n < count; n += 1) runs.push(await accept(house, slug, n));
  return runs;
}

async function countEnded(house: House, status = "SUCCEEDED"): Promise<number> {
  const [row] = await house.database.query<{ count: number }>(
    "select count(*)::integer as count from system.workflow_runs where status = $1::text",
    [status],
  );
  return row?.count ?? 0;
}

/** How many steps are in progress at once, at most. */
function watch(house: House, stepMs: number): () => number {
  let active = 0;
  let most = 0;
  house.rows.onCreate = async () => {
    active += 1;
    most = Math.max(most, active);
    await sleep(stepMs);
    active -= 1;
  };
  return () => most;
}

const line = (house: House) =>
  house.database.query<{ run_id: string; taken: boolean }>(
    "select run_id, taken from system.workflow_places order by taken desc, accepted_at",
  );

describe.each(backends)("a workflow with a limit, with BullMQ on %s", (backend) => {
  it.each([1, 3])(
    "has never more than %i of 20 runs in progress over two workers",
    async (concurrency) => {
      const house = await open({ workers: 0, leaseMs: 60_000 }, backend);
      const most = watch(house, 50);
      const { slug } = await house.publish(oneRow, later, { concurrency });
      await acceptMany(house, slug, 10);
      house.startWorker();
      house.startWorker();
      // Some wait already, some come while others end.
      await acceptMany(house, slug, 10);
      // Without the reconciler: whoever ends wakes the next.
      await expect.poll(() => countEnded(house)).toBe(20);
      expect(most()).toBe(concurrency);
      expect(await house.countTrips()).toBe(20);
      expect(house.failures).toEqual([]);
    },
  );
});

describe("the line of a workflow with a limit", () => {
  it("is gone through in the order of acceptance", async () => {
    const house = await open({ oneProcess: true });
    let go: () => void = () => {};
    const everybodyIsThere = new Promise<void>((resolve) => {
      go = resolve;
    });
    house.rows.onCreate = () => everybodyIsThere;
    const { slug } = await house.publish(oneRow, later, { concurrency: 1 });
    await acceptMany(house, slug, 12);
    await expect.poll(async () => (await line(house)).length).toBe(12);
    go();
    await expect.poll(() => countEnded(house)).toBe(12);
    const trips = await house.database.query<{ note: string }>("select note from trip order by id");
    expect(trips.map(({ note }) => Number(note))).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect((await line(house)).every(({ taken }) => taken)).toBe(true);
  });

  it("lets nobody overtake whom a free place was offered to", async () => {
    const house = await open({ workers: 0 });
    const { slug } = await house.publish(oneRow, later, { concurrency: 1 });
    const [first = "", second = "", third = ""] = await acceptMany(house, slug, 3);
    expect(await claimRun(house.database, first, "w")).toMatchObject({
      fence: "1",
      isLimited: true,
    });
    expect(await claimRun(house.database, second, "w")).toBeUndefined();
    await releaseRun(house.database, { runId: first, fence: "1" });
    await requestCancellation(house.database, first);
    expect(await claimRun(house.database, third, "w")).toBeUndefined();
    expect(await claimRun(house.database, second, "w")).toMatchObject({ fence: "1" });
    // Delivered twice: it has its place once.
    expect(await claimRun(house.database, second, "x")).toBeUndefined();
    expect(await line(house)).toEqual([
      { run_id: second, taken: true },
      { run_id: third, taken: false },
    ]);
  });

  it("does not wait for a run that rests, nor for one whose worker is gone", async () => {
    const house = await open();
    const resting = await house.publish(
      [{ id: "nap", kind: "delay", seconds: "{{start.data.body.n}}" }],
      later,
      { concurrency: 1 },
    );
    await accept(house, resting.slug, 600);
    await accept(house, resting.slug, 0);
    await expect.poll(() => countEnded(house)).toBe(1);

    const killed = await house.publish(oneRow, later, { concurrency: 1 });
    await Promise.all([...house.workers].map((worker) => worker.close()));
    house.workers.clear();
    const [first = "", second = ""] = await acceptMany(house, killed.slug, 2);
    await claimRun(house.database, first, "killed", 60_000);
    expect(await claimRun(house.database, second, "other")).toBeUndefined();
    await house.database.query(
      "update system.workflow_runs set lease_until = '-infinity' where id = $1::text::uuid",
      [first],
    );
    house.startWorker();
    await reconcileRuns(house, 0);
    await expect.poll(() => countEnded(house)).toBe(3);
  });

  it("goes on by the reconciler when whoever ended could wake nobody, for no more than there are places", async () => {
    const house = await open({ workers: 0 });
    const { slug } = await house.publish(oneRow, later, { concurrency: 2 });
    const runs = await acceptMany(house, slug, 6);
    for (const run of runs) await claimRun(house.database, run, "killed", 60_000);
    await house.database.query("delete from rowhouse_queue.job");
    expect(await reconcileRuns(house, 0)).toBe(0);
    for (const runId of runs.slice(0, 2)) await releaseRun(house.database, { runId, fence: "1" });
    for (const run of runs.slice(0, 2)) await requestCancellation(house.database, run);
    expect(await reconcileRuns(house, 0)).toBe(2);
    house.startWorker();
    await expect.poll(() => countEnded(house)).toBe(4);
  });

  it("ends with the limit, and forgets runs that are cancelled in it", async () => {
    const house = await open({ workers: 0 });
    const { slug, id } = await house.publish(oneRow, later, { concurrency: 1 });
    const [first = "", second = "", third = ""] = await acceptMany(house, slug, 3);
    for (const run of [first, second, third]) await claimRun(house.database, run, "w", 60_000);
    expect(await requestCancellation(house.database, second)).toBe("CANCELLED");
    expect(await line(house)).toEqual([
      { run_id: first, taken: true },
      { run_id: third, taken: false },
    ]);
    await rollBackWorkflow(house.database, id, 1, actor);
    expect(await claimRun(house.database, third, "w")).toBeUndefined();
    await updateWorkflow(
      house.database,
      id,
      { definition: { trigger: { kind: "webhook", executeAs: house.userId }, steps: oneRow } },
      actor,
    );
    await publishWorkflow(house.database, id, actor);
    await house.database.query("delete from rowhouse_queue.job");
    expect(await reconcileRuns(house, 0)).toBe(1);
    house.startWorker();
    await expect.poll(() => house.readRun(third)).toMatchObject({ status: "SUCCEEDED" });
  });

  it("is none for a workflow without a limit", async () => {
    const house = await open();
    const { slug } = await house.publish(oneRow, later);
    await acceptMany(house, slug, 5);
    await expect.poll(() => countEnded(house)).toBe(5);
    expect(await line(house)).toEqual([]);
  });

  it("does not lock a workflow that runs itself, though only one may be in progress", async () => {
    const house = await open();
    const slug = "nested";
    await house.publish(
      [
        {
          id: "deep",
          kind: "condition",
          expression: "start.data.body.n > 0",
          // biome-ignore lint/suspicious/noThenProperty: the contract's name; a definition is never awaited
          then: [
            { id: "sub", kind: "runWorkflow", workflow: slug, input: { body: { n: 0 } } },
            { id: "end", kind: "finish", result: "outer" },
          ],
        },
      ],
      {},
      { concurrency: 1 },
      slug,
    );
    expect((await house.call(slug, { body: { n: 1 } })).body.data.result).toBe("outer");
  });
});

async function order(house: House): Promise<string[]> {
  const rows = await house.database.query<{ note: string }>("select note from trip order by id");
  return rows.map(({ note }) => note);
}

describe.each(backends)("priority, with BullMQ on %s", (backend) => {
  it("lets a run overtake a backlog of 200, and another wait for all of it", async () => {
    const house = await open({ workers: 0 }, backend);
    const publish = (priority: "HIGH" | "NORMAL" | "LOW") =>
      house.publish(
        [{ id: "trip", kind: "createRow", table: "trip", values: { note: priority } }],
        later,
        { priority },
      );
    const [low, normal, high] = [
      await publish("LOW"),
      await publish("NORMAL"),
      await publish("HIGH"),
    ];
    await accept(house, low.slug, 0);
    await acceptMany(house, normal.slug, 200);
    await accept(house, high.slug, 0);
    await expect.poll(() => house.queue.countWaiting()).toBe(202);
    house.startWorker({ concurrency: 1 });
    await expect.poll(() => countEnded(house), { timeout: 60_000 }).toBe(202);
    const notes = await order(house);
    expect(notes[0]).toBe("HIGH");
    expect(notes.at(-1)).toBe("LOW");
  });
});

describe("priority", () => {
  it("is what the reconciler wakes by", async () => {
    const house = await open({ workers: 0 });
    const publish = (priority: "HIGH" | "NORMAL") =>
      house.publish(
        [{ id: "trip", kind: "createRow", table: "trip", values: { note: priority } }],
        later,
        { priority },
      );
    const [normal, high] = [await publish("NORMAL"), await publish("HIGH")];
    await acceptMany(house, normal.slug, 5);
    await accept(house, high.slug, 0);
    await expect.poll(() => house.queue.countWaiting()).toBe(6);
    await house.database.query("delete from rowhouse_queue.job");
    expect(await reconcileRuns(house, 0)).toBe(6);
    house.startWorker({ concurrency: 1 });
    await expect.poll(() => countEnded(house)).toBe(6);
    expect((await order(house))[0]).toBe("HIGH");
  });

  it("goes before the runs that wait for a place of its worker", async () => {
    const house = await open({ workers: 0, oneProcess: true });
    const publish = (priority: "HIGH" | "NORMAL") =>
      house.publish(
        [{ id: "trip", kind: "createRow", table: "trip", values: { note: priority } }],
        later,
        { priority },
      );
    const [normal, high] = [await publish("NORMAL"), await publish("HIGH")];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    house.rows.onCreate = () => begun;
    house.startWorker({ concurrency: 1 });
    // One in progress, four in the line, and the others in the queue.
    await acceptMany(house, normal.slug, 8);
    await accept(house, high.slug, 0);
    begin();
    await expect.poll(() => countEnded(house)).toBe(9);
    expect((await order(house)).indexOf("HIGH")).toBe(1);
  });
});
