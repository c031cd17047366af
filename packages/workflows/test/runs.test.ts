import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@rowhouse/errors";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportFailures } from "../src/index.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;

describe.each(backends)("a webhook run with BullMQ on %s", (backend) => {
  let redis: RedisServer | undefined;
  let environment: TestEnvironment;
  beforeAll(async () => {
    redis = backend === "REDIS" ? await startRedis() : undefined;
    environment = await openTestEnvironment({ redisUrl: redis?.url });
  });
  afterAll(async () => {
    await environment.close();
    await redis?.stop();
  });

  it("a run writes a row, reads rows and returns its result", async () => {
    const { slug } = await environment.publish([
      {
        id: "trip",
        kind: "createRow",
        table: "trip",
        values: { note: "{{start.data.body.note}}", distance: "{{start.data.body.km ?? 0}}" },
      },
      { id: "set", kind: "setValues", values: { total: "{{steps.trip.distance}}" } },
      {
        id: "found",
        kind: "listRows",
        table: "trip",
        where: { note: { _eq: "{{steps.trip.note}}" } },
      },
      {
        id: "end",
        kind: "finish",
        result: {
          note: "{{steps.found.0.note}}",
          total: "{{vars.total}}",
          text: "km: {{vars.total}}",
        },
      },
    ]);
    const answer = await environment.call(slug, { body: { note: `first ${backend}`, km: 12 } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: "SUCCEEDED",
      result: { note: `first ${backend}`, total: "12", text: "km: 12" },
      error: null,
    });
    expect(Object.keys(answer.body.data).sort()).toEqual(["error", "id", "result", "status"]);
  });

  it.runIf(backend === "REDIS")(
    "a job that the queue loses is a warning, and its run ends",
    async () => {
      const { slug } = await environment.publish([
        { id: "trip", kind: "createRow", table: "trip", values: { note: "kept" } },
      ]);
      let isFlushed = false;
      environment.rows.onCreate = async () => {
        await redis?.flush();
        isFlushed = true;
      };
      const { body } = await environment.call(slug, { body: {} });
      environment.rows.onCreate = async () => {};
      expect([body.data.status, isFlushed]).toEqual(["SUCCEEDED", true]);
      // BullMQ completes the job, and then fails it: both report that it is missing.
      await expect.poll(() => environment.failures.length).toBe(2);
      const lines: string[] = [];
      const report = reportFailures(
        {
          warn: (_fields, message) => lines.push(`warn ${message}`),
          error: (_fields, message) => lines.push(`error ${message}`),
        },
        "A queue operation failed",
      );
      for (const error of environment.failures.splice(0)) report(error);
      expect(lines).toEqual([expect.stringMatching(/^warn The queue has lost jobs/)]);
      report(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
      report(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
      report(new Error("other"));
      report(new Error("other"));
      expect(lines.slice(1)).toEqual(Array(3).fill("error A queue operation failed"));
    },
  );

  it("a failed run returns 200 with its error and writes no row", async () => {
    const before = await environment.countTrips();
    const { slug } = await environment.publish([
      {
        id: "trip",
        kind: "createRow",
        table: "trip",
        values: { note: "{{start.data.body.note}}" },
      },
    ]);
    const answer = await environment.call(slug, { body: { note: "refused" } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: "FAILED",
      result: null,
      error: { code: "CHECK_VIOLATION", step: "trip" },
    });
    expect(await environment.countTrips()).toBe(before);
    expect(answer.text).not.toContain("trip_note_check");
  });

  it("an asynchronous webhook returns 202 with the run's id at once", async () => {
    const { slug } = await environment.publish(
      [{ id: "end", kind: "finish", result: "{{start.data.query.a}}" }],
      { response: "ASYNCHRONOUS", method: "GET" },
    );
    const answer = await environment.call(slug, { method: "GET", search: "?a=1&a=2" });
    expect(answer.status).toBe(202);
    await expect
      .poll(() => environment.readRun(answer.body.data.run))
      .toMatchObject({ status: "SUCCEEDED", result: ["1", "2"] });
  });

  it("a CEL expression over exact numbers selects then or else", async () => {
    const { slug } = await environment.publish([
      {
        id: "far",
        kind: "condition",
        expression: "start.data.body.km > 10 && start.data.body.km < 9007199254740993",
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "yes", kind: "finish", result: "far" }],
        else: [{ id: "no", kind: "finish", result: "near" }],
      },
    ]);
    const result = async (km: string) =>
      (await environment.call(slug, { body: `{"km":${km}}` })).body.data.result;
    expect(
      await Promise.all(
        ["11", "10", "10.5", "9.5", "9007199254740993", "9007199254740992"].map(result),
      ),
    ).toEqual(["far", "near", "far", "near", "near", "far"]);
  });

  it("numbers, key order and unusual texts of the body are returned unchanged", async () => {
    const { slug } = await environment.publish([
      { id: "end", kind: "finish", result: "{{start.data.body}}" },
    ]);
    const body = '{"z":9007199254740993,"a":1.10,"n":1e400,"t":"{{start.data}} 😀 \\u2028","e":[]}';
    const answer = await environment.call(slug, { body });
    expect(answer.text).toContain(`"result":${body.replace("\\u2028", "\u2028")}`);
  });

  it("a webhook returns 504 after the wait time, and the run continues", async () => {
    environment.rows.onCreate = () => sleep(1600);
    const before = await environment.countTrips();
    const { slug } = await environment.publish(
      [
        { id: "trip", kind: "createRow", table: "trip", values: { note: "slow" } },
        { id: "more", kind: "createRow", table: "trip", values: { note: "slow too" } },
      ],
      { waitSeconds: 1 },
    );
    const error = await environment.call(slug).catch((reason: unknown) => reason as AppError);
    environment.rows.onCreate = async () => {};
    expect(error).toMatchObject({ code: "WORKFLOW_SYNC_TIMEOUT", status: 504 });
    const run = error instanceof AppError ? String(error.meta.run) : "";
    await expect.poll(() => environment.readRun(run)).toMatchObject({ status: "SUCCEEDED" });
    expect(await environment.countTrips()).toBe(before + 2);
  });

  it("a run stops after the step in progress if the timeout requests cancellation", async () => {
    environment.rows.onCreate = () => sleep(1600);
    const before = await environment.countTrips();
    const { slug } = await environment.publish(
      [
        { id: "trip", kind: "createRow", table: "trip", values: { note: "kept" } },
        { id: "end", kind: "finish", result: "never" },
      ],
      { waitSeconds: 1, onTimeout: "CANCEL" },
    );
    const error = await environment.call(slug).catch((reason: unknown) => reason as AppError);
    const run = error instanceof AppError ? String(error.meta.run) : "";
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "CANCELLED", result: null });
    environment.rows.onCreate = async () => {};
    expect(await environment.countTrips()).toBe(before + 1);
  });

  it("a run is executed once however often its wake-up is delivered", async () => {
    const before = await environment.countTrips();
    const { slug } = await environment.publish(
      [{ id: "trip", kind: "createRow", table: "trip", values: { note: "once" } }],
      { response: "ASYNCHRONOUS" },
    );
    const { run } = (await environment.call(slug)).body.data;
    await environment.queue.wakeAll(["a", "b", "c", "d"].map((fence) => ({ runId: run, fence })));
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "1" });
    await expect.poll(() => environment.queue.countWaiting()).toBe(0);
    await sleep(200);
    expect(await environment.countTrips()).toBe(before + 1);
  });

  it("a run continues when its caller disconnects", async () => {
    environment.rows.onCreate = () => sleep(300);
    const { slug } = await environment.publish(
      [
        { id: "trip", kind: "createRow", table: "trip", values: { note: "gone" } },
        { id: "end", kind: "finish", result: "done" },
      ],
      { onTimeout: "CANCEL" },
    );
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 100);
    const error = await environment
      .call(slug, { signal: gone.signal })
      .catch((reason: unknown) => reason as AppError);
    const run = error instanceof AppError ? String(error.meta.run) : "";
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", result: "done" });
    environment.rows.onCreate = async () => {};
  });

  it("concurrent callers each receive their own result", async () => {
    const { slug } = await environment.publish([
      { id: "trip", kind: "createRow", table: "trip", values: { note: "{{start.data.body.n}}" } },
      { id: "end", kind: "finish", result: "{{start.data.body.n}}" },
    ]);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map(
        async (n) =>
          (await environment.call(slug, { body: { n }, ip: `198.51.100.${n}` })).body.data.result,
      ),
    );
    expect(results).toEqual(numbers);
    expect(environment.failures).toEqual([]);
  });
});
