import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@rowhouse/errors";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type House, openHouse } from "./house.ts";

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;

describe.each(backends)("a webhook run with BullMQ on %s", (backend) => {
  let redis: RedisServer | undefined;
  let house: House;
  beforeAll(async () => {
    redis = backend === "REDIS" ? await startRedis() : undefined;
    house = await openHouse({ redisUrl: redis?.url });
  });
  afterAll(async () => {
    await house.close();
    await redis?.stop();
  });

  it("writes a row, reads rows back and answers with its result", async () => {
    const { slug } = await house.publish([
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
    const answer = await house.call(slug, { body: { note: `first ${backend}`, km: 12 } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: "SUCCEEDED",
      result: { note: `first ${backend}`, total: "12", text: "km: 12" },
      error: null,
    });
    expect(Object.keys(answer.body.data).sort()).toEqual(["error", "id", "result", "status"]);
  });

  it("answers 200 for a failed run, with its error and without a row", async () => {
    const before = await house.countTrips();
    const { slug } = await house.publish([
      {
        id: "trip",
        kind: "createRow",
        table: "trip",
        values: { note: "{{start.data.body.note}}" },
      },
    ]);
    const answer = await house.call(slug, { body: { note: "refused" } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: "FAILED",
      result: null,
      error: { code: "CHECK_VIOLATION", step: "trip" },
    });
    expect(await house.countTrips()).toBe(before);
    expect(answer.text).not.toContain("trip_note_check");
  });

  it("answers 202 with the run's id at once when asynchronous", async () => {
    const { slug } = await house.publish(
      [{ id: "end", kind: "finish", result: "{{start.data.query.a}}" }],
      { response: "ASYNCHRONOUS", method: "GET" },
    );
    const answer = await house.call(slug, { method: "GET", search: "?a=1&a=2" });
    expect(answer.status).toBe(202);
    await expect
      .poll(() => house.readRun(answer.body.data.run))
      .toMatchObject({ status: "SUCCEEDED", result: ["1", "2"] });
  });

  it("takes then or else as a CEL expression over exact numbers says", async () => {
    const { slug } = await house.publish([
      {
        id: "far",
        kind: "condition",
        expression: "start.data.body.km > 10 && start.data.body.km < 9007199254740993",
        // biome-ignore lint/suspicious/noThenProperty: the contract's name; a definition is never awaited
        then: [{ id: "yes", kind: "finish", result: "far" }],
        else: [{ id: "no", kind: "finish", result: "near" }],
      },
    ]);
    const result = async (km: string) =>
      (await house.call(slug, { body: `{"km":${km}}` })).body.data.result;
    expect(
      await Promise.all(
        ["11", "10", "10.5", "9.5", "9007199254740993", "9007199254740992"].map(result),
      ),
    ).toEqual(["far", "near", "far", "near", "near", "far"]);
  });

  it("gives numbers, key order and odd texts of the body back as they came", async () => {
    const { slug } = await house.publish([
      { id: "end", kind: "finish", result: "{{start.data.body}}" },
    ]);
    const body = '{"z":9007199254740993,"a":1.10,"n":1e400,"t":"{{start.data}} 😀 \\u2028","e":[]}';
    const answer = await house.call(slug, { body });
    expect(answer.text).toContain(`"result":${body.replace("\\u2028", "\u2028")}`);
  });

  it("answers 504 after the wait time and goes on in the background", async () => {
    house.rows.onCreate = () => sleep(1600);
    const before = await house.countTrips();
    const { slug } = await house.publish(
      [
        { id: "trip", kind: "createRow", table: "trip", values: { note: "slow" } },
        { id: "more", kind: "createRow", table: "trip", values: { note: "slow too" } },
      ],
      { waitSeconds: 1 },
    );
    const error = await house.call(slug).catch((reason: unknown) => reason as AppError);
    house.rows.onCreate = async () => {};
    expect(error).toMatchObject({ code: "WORKFLOW_SYNC_TIMEOUT", status: 504 });
    const run = error instanceof AppError ? String(error.meta.run) : "";
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED" });
    expect(await house.countTrips()).toBe(before + 2);
  });

  it("stops after the step in progress when the time-out requests cancellation", async () => {
    house.rows.onCreate = () => sleep(1600);
    const before = await house.countTrips();
    const { slug } = await house.publish(
      [
        { id: "trip", kind: "createRow", table: "trip", values: { note: "kept" } },
        { id: "end", kind: "finish", result: "never" },
      ],
      { waitSeconds: 1, onTimeout: "CANCEL" },
    );
    const error = await house.call(slug).catch((reason: unknown) => reason as AppError);
    const run = error instanceof AppError ? String(error.meta.run) : "";
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({ status: "CANCELLED", result: null });
    house.rows.onCreate = async () => {};
    expect(await house.countTrips()).toBe(before + 1);
  });

  it("runs once however often its wake-up is delivered", async () => {
    const before = await house.countTrips();
    const { slug } = await house.publish(
      [{ id: "trip", kind: "createRow", table: "trip", values: { note: "once" } }],
      { response: "ASYNCHRONOUS" },
    );
    const { run } = (await house.call(slug)).body.data;
    await house.queue.wakeAll(["a", "b", "c", "d"].map((fence) => ({ runId: run, fence })));
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "1" });
    await expect.poll(() => house.queue.countWaiting()).toBe(0);
    await sleep(200);
    expect(await house.countTrips()).toBe(before + 1);
  });

  it("goes on without anyone waiting when the caller goes away", async () => {
    house.rows.onCreate = () => sleep(300);
    const { slug } = await house.publish(
      [
        { id: "trip", kind: "createRow", table: "trip", values: { note: "gone" } },
        { id: "end", kind: "finish", result: "done" },
      ],
      { onTimeout: "CANCEL" },
    );
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 100);
    const error = await house
      .call(slug, { signal: gone.signal })
      .catch((reason: unknown) => reason as AppError);
    const run = error instanceof AppError ? String(error.meta.run) : "";
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", result: "done" });
    house.rows.onCreate = async () => {};
  });

  it("answers many callers at once, each with its own result", async () => {
    const { slug } = await house.publish([
      { id: "trip", kind: "createRow", table: "trip", values: { note: "{{start.data.body.n}}" } },
      { id: "end", kind: "finish", result: "{{start.data.body.n}}" },
    ]);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map(
        async (n) =>
          (await house.call(slug, { body: { n }, ip: `198.51.100.${n}` })).body.data.result,
      ),
    );
    expect(results).toEqual(numbers);
    expect(house.failures).toEqual([]);
  });
});
