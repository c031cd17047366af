// Tier: long. Opens services for each test.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterEach, describe, expect, it } from "vitest";
import {
  countOpenRuns,
  type DefinitionInput,
  publishWorkflow,
  reconcileRuns,
  rollBackWorkflow,
  updateWorkflow,
} from "../src/index.ts";
import { requestCancellation } from "../src/run/cancel-run.ts";
import { claimRun } from "../src/run/claim-run.ts";
import { releaseRun } from "../src/run/keep-lease.ts";
import {
  actor,
  openTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
  vault,
} from "./test-environment.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(
  options: TestEnvironmentOptions = {},
  backend = "POSTGRES",
): Promise<TestEnvironment> {
  const redis: RedisServer | undefined = backend === "REDIS" ? await startRedis() : undefined;
  if (redis !== undefined) ends.push(() => redis.stop());
  const environment = await openTestEnvironment({
    reconcileEveryMs: 60_000,
    ...options,
    redisUrl: redis?.url,
  });
  ends.push(() => environment.close());
  return environment;
}

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;
const later = { response: "ASYNCHRONOUS" } as const;
const oneRow: DefinitionInput["steps"] = [
  { id: "trip", kind: "createRow", table: "trip", values: { note: "{{start.data.body.n}}" } },
];
let calls = 0;

async function accept(environment: TestEnvironment, slug: string, n: number): Promise<string> {
  calls += 1;
  const ip = `198.18.${Math.floor(calls / 250)}.${calls % 250}`;
  return (await environment.call(slug, { body: { n }, ip })).body.data.run;
}

async function acceptMany(
  environment: TestEnvironment,
  slug: string,
  count: number,
): Promise<string[]> {
  const runs: string[] = [];
  for (let n = 0; n < count; n += 1) runs.push(await accept(environment, slug, n));
  return runs;
}

async function countEnded(environment: TestEnvironment, status = "SUCCEEDED"): Promise<number> {
  const [row] = await environment.database.query<{ count: number }>(
    "select count(*)::integer as count from system.workflow_runs where status = $1::text",
    [status],
  );
  return row?.count ?? 0;
}

/** The maximum number of steps in progress at once. */
function watch(environment: TestEnvironment, stepMs: number): () => number {
  let active = 0;
  let most = 0;
  environment.rows.onCreate = async () => {
    active += 1;
    most = Math.max(most, active);
    await sleep(stepMs);
    active -= 1;
  };
  return () => most;
}

const line = (environment: TestEnvironment) =>
  environment.database.query<{ run_id: string; taken: boolean }>(
    "select run_id, taken from system.workflow_places order by taken desc, accepted_at",
  );

describe.each(backends)("a workflow with a limit, with BullMQ on %s", (backend) => {
  it.each([1, 3])(
    "at most %i of 20 runs are in progress at once over two workers",
    async (concurrency) => {
      const environment = await open({ workers: 0, leaseMs: 60_000 }, backend);
      const most = watch(environment, 50);
      const { slug } = await environment.publish(oneRow, later, { concurrency });
      await acceptMany(environment, slug, 10);
      environment.startWorker();
      environment.startWorker();
      // Some runs wait already; others arrive while the first ones end.
      await acceptMany(environment, slug, 10);
      // Without the reconciler: each run that ends wakes the next.
      await expect.poll(() => countEnded(environment)).toBe(20);
      expect(most()).toBe(concurrency);
      expect(await environment.countTrips()).toBe(20);
      expect(environment.failures).toEqual([]);
    },
  );
});

describe("the waiting runs of a workflow with a limit", () => {
  it("waiting runs start in order of acceptance", async () => {
    const environment = await open({ oneProcess: true });
    let go: () => void = () => {};
    const everybodyIsThere = new Promise<void>((resolve) => {
      go = resolve;
    });
    environment.rows.onCreate = () => everybodyIsThere;
    const { slug } = await environment.publish(oneRow, later, { concurrency: 1 });
    await acceptMany(environment, slug, 12);
    await expect.poll(async () => (await line(environment)).length).toBe(12);
    go();
    await expect.poll(() => countEnded(environment)).toBe(12);
    const trips = await environment.database.query<{ note: string }>(
      "select note from trip order by id",
    );
    expect(trips.map(({ note }) => Number(note))).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect((await line(environment)).every(({ taken }) => taken)).toBe(true);
  });

  it("no run overtakes the run that a free slot was offered to", async () => {
    const environment = await open({ workers: 0 });
    const { slug } = await environment.publish(oneRow, later, { concurrency: 1 });
    const [first = "", second = "", third = ""] = await acceptMany(environment, slug, 3);
    expect(await claimRun(environment.database, first, "w")).toMatchObject({
      fence: "1",
      isLimited: true,
    });
    expect(await claimRun(environment.database, second, "w")).toBeUndefined();
    await releaseRun(environment.database, { runId: first, fence: "1" });
    await requestCancellation(environment.database, first);
    expect(await claimRun(environment.database, third, "w")).toBeUndefined();
    expect(await claimRun(environment.database, second, "w")).toMatchObject({ fence: "1" });
    // Delivered twice: the run has one slot.
    expect(await claimRun(environment.database, second, "x")).toBeUndefined();
    expect(await line(environment)).toEqual([
      { run_id: second, taken: true },
      { run_id: third, taken: false },
    ]);
  });

  it("a parked run and a run whose worker is gone hold no slot", async () => {
    const environment = await open();
    const resting = await environment.publish(
      [{ id: "nap", kind: "delay", seconds: "{{start.data.body.n}}" }],
      later,
      { concurrency: 1 },
    );
    await accept(environment, resting.slug, 600);
    await accept(environment, resting.slug, 0);
    await expect.poll(() => countEnded(environment)).toBe(1);

    const killed = await environment.publish(oneRow, later, { concurrency: 1 });
    await Promise.all([...environment.workers].map((worker) => worker.close()));
    environment.workers.clear();
    const [first = "", second = ""] = await acceptMany(environment, killed.slug, 2);
    await claimRun(environment.database, first, "killed", 60_000);
    expect(await claimRun(environment.database, second, "other")).toBeUndefined();
    await environment.database.query(
      "update system.workflow_runs set lease_until = '-infinity' where id = $1::text::uuid",
      [first],
    );
    environment.startWorker();
    await reconcileRuns(environment, 0);
    await expect.poll(() => countEnded(environment)).toBe(3);
  });

  it("runs that wait for the limit of their workflow are counted apart from those that wait for a worker", async () => {
    const environment = await open({ workers: 0 });
    const { database } = environment;
    const scaler = await readFile(
      new URL("../../../infra/kubernetes/base/workflow-worker.yaml", import.meta.url),
      "utf8",
    );
    const scalerQueries = Array.from(
      scaler.matchAll(/query: "([^"]*)"/g),
      ([, query = ""]) => query,
    );
    expect(scalerQueries).toHaveLength(2);
    const limited = await environment.publish(oneRow, later, { concurrency: 2 });
    const free = await environment.publish(oneRow, later);
    const [first = ""] = await acceptMany(environment, limited.slug, 5);
    const counts = async () => {
      const { oldestQueuedSeconds, ...states } = await countOpenRuns(database);
      // The queries of the autoscaler count the same.
      const [count, age] = await Promise.all(
        scalerQueries.map(async (query) => Object.values((await database.query(query))[0] ?? {})),
      );
      expect([Number(count?.[0]), Number(age?.[0])]).toEqual([
        states.queued,
        expect.toSatisfy((seconds: number) => Math.abs(seconds - oldestQueuedSeconds) <= 1),
      ]);
      return { ...states, isOld: oldestQueuedSeconds > 0 };
    };
    const none = { queued: 0, limited: 0, running: 0, waiting: 0, isOld: false };
    // Two of them could start if there were a worker.
    expect(await counts()).toEqual({ ...none, queued: 2, limited: 3, isOld: true });
    await claimRun(database, first, "held", 60_000);
    expect(await counts()).toEqual({ ...none, queued: 1, limited: 3, running: 1, isOld: true });
    await database.query("update system.workflows set concurrency = 1 where id = $1::text::uuid", [
      limited.id,
    ]);
    expect(await counts()).toEqual({ ...none, limited: 4, running: 1 });
    await accept(environment, free.slug, 1);
    expect(await counts()).toEqual({ ...none, queued: 1, limited: 4, running: 1, isOld: true });
  });

  it("the reconciler wakes as many waiting runs as there are free slots if a worker could not", async () => {
    const environment = await open({ workers: 0 });
    const { slug } = await environment.publish(oneRow, later, { concurrency: 2 });
    const runs = await acceptMany(environment, slug, 6);
    for (const run of runs) await claimRun(environment.database, run, "killed", 60_000);
    await environment.database.query("delete from rowhouse_queue.job");
    expect(await reconcileRuns(environment, 0)).toBe(0);
    for (const runId of runs.slice(0, 2))
      await releaseRun(environment.database, { runId, fence: "1" });
    for (const run of runs.slice(0, 2)) await requestCancellation(environment.database, run);
    expect(await reconcileRuns(environment, 0)).toBe(2);
    environment.startWorker();
    await expect.poll(() => countEnded(environment)).toBe(4);
  });

  it("waiting runs start when the limit is removed, and canceled ones no longer wait", async () => {
    const environment = await open({ workers: 0 });
    const { slug, id } = await environment.publish(oneRow, later, { concurrency: 1 });
    const [first = "", second = "", third = ""] = await acceptMany(environment, slug, 3);
    for (const run of [first, second, third])
      await claimRun(environment.database, run, "w", 60_000);
    expect(await requestCancellation(environment.database, second)).toBe("CANCELLED");
    expect(await line(environment)).toEqual([
      { run_id: first, taken: true },
      { run_id: third, taken: false },
    ]);
    await rollBackWorkflow({ database: environment.database, vault }, id, 1, actor);
    expect(await claimRun(environment.database, third, "w")).toBeUndefined();
    await updateWorkflow(
      environment.database,
      id,
      {
        definition: { trigger: { kind: "webhook", executeAs: environment.userId }, steps: oneRow },
      },
      actor,
    );
    await publishWorkflow({ database: environment.database, vault }, id, actor);
    await environment.database.query("delete from rowhouse_queue.job");
    expect(await reconcileRuns(environment, 0)).toBe(1);
    environment.startWorker();
    await expect.poll(() => environment.readRun(third)).toMatchObject({ status: "SUCCEEDED" });
  });

  it("runs of a workflow without a limit never wait for a slot", async () => {
    const environment = await open();
    const { slug } = await environment.publish(oneRow, later);
    await acceptMany(environment, slug, 5);
    await expect.poll(() => countEnded(environment)).toBe(5);
    expect(await line(environment)).toEqual([]);
  });

  it("a workflow with a limit of one can run itself without a deadlock", async () => {
    const environment = await open();
    const slug = "nested";
    await environment.publish(
      [
        {
          id: "deep",
          kind: "condition",
          expression: "start.data.body.n > 0",
          // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
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
    expect((await environment.call(slug, { body: { n: 1 } })).body.data.result).toBe("outer");
  });
});

async function order(environment: TestEnvironment): Promise<string[]> {
  const rows = await environment.database.query<{ note: string }>(
    "select note from trip order by id",
  );
  return rows.map(({ note }) => note);
}

describe.each(backends)("priority, with BullMQ on %s", (backend) => {
  it("a HIGH run overtakes a backlog of 200, and a LOW one waits for all of it", async () => {
    const environment = await open({ workers: 0 }, backend);
    const publish = (priority: "HIGH" | "NORMAL" | "LOW") =>
      environment.publish(
        [{ id: "trip", kind: "createRow", table: "trip", values: { note: priority } }],
        later,
        { priority },
      );
    const [low, normal, high] = [
      await publish("LOW"),
      await publish("NORMAL"),
      await publish("HIGH"),
    ];
    await accept(environment, low.slug, 0);
    await acceptMany(environment, normal.slug, 200);
    await accept(environment, high.slug, 0);
    await expect.poll(() => environment.queue.countWaiting()).toBe(202);
    environment.startWorker({ concurrency: 1 });
    await expect.poll(() => countEnded(environment), { timeout: 60_000 }).toBe(202);
    const notes = await order(environment);
    expect(notes[0]).toBe("HIGH");
    expect(notes.at(-1)).toBe("LOW");
  });
});

describe("priority", () => {
  it("the reconciler wakes runs by priority", async () => {
    const environment = await open({ workers: 0 });
    const publish = (priority: "HIGH" | "NORMAL") =>
      environment.publish(
        [{ id: "trip", kind: "createRow", table: "trip", values: { note: priority } }],
        later,
        { priority },
      );
    const [normal, high] = [await publish("NORMAL"), await publish("HIGH")];
    await acceptMany(environment, normal.slug, 5);
    await accept(environment, high.slug, 0);
    await expect.poll(() => environment.queue.countWaiting()).toBe(6);
    await environment.database.query("delete from rowhouse_queue.job");
    expect(await reconcileRuns(environment, 0)).toBe(6);
    environment.startWorker({ concurrency: 1 });
    await expect.poll(() => countEnded(environment)).toBe(6);
    expect((await order(environment))[0]).toBe("HIGH");
  });

  it("a HIGH run overtakes the runs that wait for a slot of its worker", async () => {
    const environment = await open({ workers: 0, oneProcess: true });
    const publish = (priority: "HIGH" | "NORMAL") =>
      environment.publish(
        [{ id: "trip", kind: "createRow", table: "trip", values: { note: priority } }],
        later,
        { priority },
      );
    const [normal, high] = [await publish("NORMAL"), await publish("HIGH")];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    environment.rows.onCreate = () => begun;
    environment.startWorker({ concurrency: 1 });
    // One run is in progress, four wait locally, and the others are in the queue.
    await acceptMany(environment, normal.slug, 8);
    await accept(environment, high.slug, 0);
    begin();
    await expect.poll(() => countEnded(environment)).toBe(9);
    expect((await order(environment)).indexOf("HIGH")).toBe(1);
  });
});
