// Tier: long. Waits for the timers of workers.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { claimRun } from "../src/run/claim-run.ts";
import { endOverdueRuns } from "../src/worker/reconcile.ts";
import {
  openTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from "./test-environment.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const environment = await openTestEnvironment(options);
  ends.push(() => environment.close());
  return environment;
}

/** Work of a worker that never settles, and that no signal ends. */
const never = { hostRules: () => new Promise<never>(() => {}), handBackMs: 300 };
const stuck = { id: "ask", kind: "httpRequest", method: "GET", url: "http://127.0.0.1/" } as const;
const later = { response: "ASYNCHRONOUS" } as const;

async function start(
  environment: TestEnvironment,
  steps: Parameters<TestEnvironment["publish"]>[0],
  more: Parameters<TestEnvironment["publish"]>[2] = {},
): Promise<string> {
  const { slug } = await environment.publish(steps, later, more);
  return (await environment.call(slug)).body.data.run;
}

const claimed = (environment: TestEnvironment, run: string) =>
  expect.poll(() => environment.readRun(run)).toMatchObject({ status: "RUNNING" });

describe("a step that does not end", () => {
  it("a server that switches protocols holds no slot", async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("data", () =>
        socket.write("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const environment = await open({ allowedHosts: ["127.0.0.1"], workers: 0 });
    const worker = environment.startWorker({ concurrency: 2 });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { slug } = await environment.publish([{ ...stuck, url, timeoutMs: 2000 }], later);
    const runs = await Promise.all(Array.from({ length: 6 }, () => environment.call(slug)));
    for (const { body } of runs) {
      await expect
        .poll(() => environment.readRun(body.data.run), { timeout: 10_000 })
        .toMatchObject({ status: "FAILED", error: { code: "HTTP_FAILED" } });
    }
    await expect.poll(() => worker.activeCount()).toBe(0);
  });

  it("a run ends at its time limit, and its slot is free", async () => {
    const environment = await open({ workers: 0 });
    const worker = environment.startWorker({ ...never, concurrency: 1 });
    const run = await start(environment, [stuck], { timeLimitSeconds: 1 });
    await expect
      .poll(() => environment.readRun(run), { timeout: 10_000 })
      .toMatchObject({ status: "FAILED", error: { code: "RUN_TIMED_OUT" } });
    const [step] = await environment.database.query<{ status: string; code: string }>(
      "select status, error ->> 'code' as code from system.workflow_run_steps where run_id = $1::text::uuid",
      [run],
    );
    expect(step).toEqual({ status: "FAILED", code: "RUN_TIMED_OUT" });
    const next = await start(environment, [{ id: "end", kind: "finish", result: 1 }]);
    await expect
      .poll(() => environment.readRun(next))
      .toMatchObject({ status: "SUCCEEDED", result: 1 });
    await expect.poll(() => worker.activeCount()).toBe(0);
  });

  it.each([
    ["the timer of the worker", { attemptMaxMs: 300 }, {}],
    ["the step's timeout", {}, { timeoutMs: 100 }],
  ])("an attempt ends by %s, and the run goes on with its fault", async (_name, timers, more) => {
    const environment = await open({ workers: 0 });
    environment.startWorker({ ...never, ...timers, concurrency: 1 });
    const run = await start(environment, [
      { ...stuck, ...more, onError: "continue" },
      { id: "end", kind: "finish", result: "{{errors.ask.code}}" },
    ]);
    await expect
      .poll(() => environment.readRun(run), { timeout: 5000 })
      .toMatchObject({ status: "SUCCEEDED", result: "STEP_TIMEOUT" });
  });

  it("a worker that stops hands its run back, and another worker continues it", async () => {
    const environment = await open({ workers: 0 });
    const worker = environment.startWorker({ ...never, concurrency: 1 });
    const run = await start(environment, [
      { ...stuck, onError: "continue" },
      { id: "end", kind: "finish", result: "{{errors.ask.code}}" },
    ]);
    await claimed(environment, run);
    await expect.poll(() => worker.stillSeconds()).toBeGreaterThan(0);
    await worker.close();
    environment.workers.delete(worker);
    expect(await environment.readRun(run)).toMatchObject({ status: "RUNNING", fence: "1" });
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "2", result: "HTTP_ADDRESS_REFUSED" });
  });

  it("the recovery ends a run over its time limit that a worker holds, without a free slot", async () => {
    const environment = await open({ workers: 0 });
    const { database } = environment;
    const run = await start(environment, [{ id: "end", kind: "finish", result: 1 }], {
      timeLimitSeconds: 3600,
    });
    const claim = await claimRun(database, run, "a stuck worker", 600_000);
    const worker = environment.startWorker({ ...never, concurrency: 1 });
    const beside = await start(environment, [stuck]);
    await claimed(environment, beside);
    const deps = { database, endOverdue: worker.endOverdue };
    expect(await endOverdueRuns(deps, 0)).toBe(0);
    await database.query(
      "update system.workflow_runs set started_at = started_at - interval '1 hour' where id = $1::text::uuid",
      [run],
    );
    expect(await endOverdueRuns(deps, 600)).toBe(0);
    expect(await endOverdueRuns(deps, 0)).toBe(1);
    expect(await environment.readRun(run)).toMatchObject({
      status: "FAILED",
      fence: String(Number(claim?.fence) + 2),
      error: { code: "RUN_TIMED_OUT" },
    });
    expect(await environment.readRun(beside)).toMatchObject({ status: "RUNNING" });
  });

  it("the recovery takes a run from the worker of its own process", async () => {
    const environment = await open({ workers: 0, leaseMs: 1000, reconcileEveryMs: 200 });
    // Its clock is behind: the worker itself ends the run in an hour.
    const worker = environment.startWorker({ ...never, concurrency: 1 });
    const run = await start(environment, [stuck], { timeLimitSeconds: 3600 });
    await claimed(environment, run);
    await environment.database.query(
      "update system.workflow_runs set started_at = started_at - interval '2 hours' where id = $1::text::uuid",
      [run],
    );
    await expect
      .poll(() => environment.readRun(run), { timeout: 10_000 })
      .toMatchObject({ status: "FAILED", error: { code: "RUN_TIMED_OUT" } });
    await expect.poll(() => worker.activeCount()).toBe(0);
  });
});
