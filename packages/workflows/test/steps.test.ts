import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { moveClock } from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { cancelRun, reconcileRuns } from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

type Steps = Parameters<TestEnvironment["publish"]>[0];

let environment: TestEnvironment;
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`);
  answer(request, response);
});
let base = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  environment = await openTestEnvironment({ allowedHosts: ["127.0.0.1"], reconcileEveryMs: 300 });
});
afterEach(async () => {
  await moveClock(environment.database, 0);
  environment.rows.onCreate = async () => {};
  seen.length = 0;
  expect(environment.failures.splice(0)).toEqual([]);
});
afterAll(async () => {
  await environment.close();
  server.closeAllConnections();
  server.close();
});

async function run(steps: Steps, body: unknown = {}) {
  const { slug } = await environment.publish(steps);
  return (await environment.call(slug, { body })).body.data;
}

async function begin(steps: Steps, body: unknown = {}): Promise<string> {
  const { slug } = await environment.publish(steps, { response: "ASYNCHRONOUS" });
  return (await environment.call(slug, { body })).body.data.run;
}

const state = async (id: string) => {
  const [row] = await environment.database.query<{
    status: string;
    parked: boolean;
    held: boolean;
  }>(
    `select status, wake_at is not null as parked, lease_until is not null as held
     from system.workflow_runs where id = $1::text::uuid`,
    [id],
  );
  return row;
};
const steps = async (id: string) =>
  environment.database.query<{ path: string; status: string; attempt: number }>(
    `select path, status, attempt from system.workflow_run_steps
     where run_id = $1::text::uuid order by position, path`,
    [id],
  );
const ended = (id: string) => expect.poll(() => environment.readRun(id), { interval: 50 });

describe("row steps", () => {
  it("row steps read, change and delete the row with a key", async () => {
    const ended = await run([
      { id: "made", kind: "createRow", table: "trip", values: { note: "before" } },
      { id: "read", kind: "getRow", table: "trip", key: "{{steps.made.id}}" },
      {
        id: "changed",
        kind: "updateRows",
        table: "trip",
        key: ["{{steps.made.id}}"],
        values: { note: "after {{steps.read.note}}" },
      },
      { id: "gone", kind: "deleteRows", table: "trip", key: "{{steps.made.id}}" },
      { id: "none", kind: "getRow", table: "trip", key: "{{steps.made.id}}", onError: "continue" },
      {
        id: "end",
        kind: "finish",
        result: ["{{steps.changed.note}}", "{{steps.gone}}", "{{errors.none.code}}"],
      },
    ]);
    expect(ended.result).toEqual(["after before", 1, "NOT_FOUND"]);
  });
});

describe("a disabled step", () => {
  const note = (text: string) => ({ note: text });
  const create = (id: string, more: object = {}) =>
    ({ id, kind: "createRow", table: "trip", values: note(id), ...more }) as const;
  const written = async () =>
    (
      await environment.database.query<{ note: string }>(
        "select note from trip where note like 'off_%' or note like 'on_%' order by note",
      )
    ).map((row) => row.note);

  it("has no effect, no entry and the output null, and the run continues behind it", async () => {
    const id = await begin([
      create("off_row", { disabled: true, note: "Not yet" }),
      { id: "off_fail", kind: "fail", message: "never", disabled: true },
      {
        ...{ id: "off_loop", kind: "forEach", items: [1, 2], disabled: true },
        steps: [create("off_inner")],
        onError: { steps: [create("off_handler")] },
      },
      create("on_row"),
      { id: "end", kind: "finish", result: ["{{steps.off_row}}", "{{steps.off_loop}}"] },
    ]);
    await ended(id).toMatchObject({ status: "SUCCEEDED", result: [null, null] });
    expect((await steps(id)).map(({ path }) => path)).toEqual(["on_row", "end"]);
    expect(await written()).toEqual(["on_row"]);
  });

  it("that would finish the run lets it continue; the result is the last output", async () => {
    const ended = await run([
      { id: "values", kind: "setValues", values: { a: 1 } },
      { id: "over", kind: "finish", result: "never", disabled: true },
      {
        ...{ id: "fork", kind: "condition", expression: "steps.over == null" },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "last", kind: "setValues", values: { b: 2 } }],
      },
    ]);
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: { b: 2 } });
  });

  it("inside a loop leaves each item the output of the step before it", async () => {
    const ended = await run([
      {
        ...{ id: "loop", kind: "forEach", items: [1, 2] },
        steps: [
          { id: "value", kind: "setValues", values: { item: "{{item}}" } },
          { id: "off", kind: "setValues", values: { item: "never" }, disabled: true },
        ],
      },
      { id: "end", kind: "finish", result: "{{steps.loop}}" },
    ]);
    expect(ended.result).toEqual([{ item: 1 }, { item: 2 }]);
  });
});

describe("a step that fails", () => {
  const failing = { id: "bad", kind: "createRow", table: "trip", values: { note: "refused" } };

  it("a failed step ends the run by default", async () => {
    expect(await run([{ ...failing, kind: "createRow" }])).toMatchObject({
      status: "FAILED",
      error: { code: "CHECK_VIOLATION", step: "bad" },
    });
  });

  it("a trigger that fails ends the run without its text, which the log receives", async () => {
    await environment.database.query("create table fragile (id int)");
    await environment.database.query(
      `create function fail_in_case() returns trigger language plpgsql as $$
       begin case new.id when 1 then return new; end case; end $$`,
    );
    await environment.database.query(
      "create trigger failing before insert on fragile for each row execute function fail_in_case()",
    );
    const ended = await run([
      { ...failing, kind: "createRow", table: "fragile", values: { id: 2 } },
    ]);
    expect(ended).toMatchObject({ status: "FAILED", error: { code: "CHECK_VIOLATION" } });
    expect(JSON.stringify(ended)).not.toContain("case");
    expect(environment.failures.splice(0)).toEqual([
      expect.objectContaining({ cause: expect.objectContaining({ code: "20000" }) }),
    ]);
  });

  it("onError continue skips a failed step, and its error is readable", async () => {
    const ended = await run([
      { ...failing, kind: "createRow", onError: "continue" },
      { id: "end", kind: "finish", result: ["{{steps.bad}}", "{{errors.bad.code}}"] },
    ]);
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: [null, "CHECK_VIOLATION"] });
  });

  it("a failed step continues with its handler's steps, which may end the run", async () => {
    const ended = await run([
      {
        ...failing,
        kind: "createRow",
        onError: {
          steps: [
            {
              id: "which",
              kind: "condition",
              expression: "errors.bad.code == 'CHECK_VIOLATION'",
              // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
              then: [{ id: "handled", kind: "finish", result: "handled" }],
            },
          ],
        },
      },
      { id: "end", kind: "finish", result: "not reached" },
    ]);
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: "handled" });
  });

  it("a fail step fails with its own code and message", async () => {
    expect(
      await run(
        [{ id: "no", kind: "fail", code: "TOO_FAR", message: "{{start.data.body.km}} km" }],
        {
          km: 12,
        },
      ),
    ).toMatchObject({
      status: "FAILED",
      error: { code: "TOO_FAR", message: "12 km", step: "no" },
    });
  });
});

describe("a switch", () => {
  it.each([
    ["a", "first"],
    [2, "second"],
    ["2", "other"],
    [null, "third"],
    [{ a: 1 }, "other"],
  ])("a switch takes the case that equals %j", async (value, result) => {
    const to = (id: string) => [{ id, kind: "finish" as const, result: id }];
    const { status, result: given } = await run(
      [
        {
          id: "which",
          kind: "switch",
          value: "{{start.data.body.v}}",
          cases: [
            { equals: "a", steps: to("first") },
            { equals: 2, steps: to("second") },
            { equals: null, steps: to("third") },
          ],
          default: to("other"),
        },
      ],
      { v: value },
    );
    expect([status, given]).toEqual(["SUCCEEDED", result]);
  });
});

describe("a switch over numbers", () => {
  it.each([
    ["1.50", "first"],
    ["15e-1", "first"],
    ["0.015E+2", "first"],
    ["1.5000000000000000000000001", "other"],
    ["-0.0", "zero"],
    ["100", "hundred"],
    ["1e2", "hundred"],
    ["10", "other"],
    ['"100"', "other"],
  ])("a switch takes the case with the number %s, however it is written", async (text, result) => {
    const to = (id: string) => [{ id, kind: "finish" as const, result: id }];
    const { slug } = await environment.publish([
      {
        id: "which",
        kind: "switch",
        value: "{{start.data.body.v}}",
        cases: [
          { equals: 1.5, steps: to("first") },
          { equals: 0, steps: to("zero") },
          { equals: 100, steps: to("hundred") },
        ],
        default: to("other"),
      },
    ]);
    const ended = await environment.call(slug, { ip: "203.0.113.99", body: `{"v":${text}}` });
    expect(ended.body.data).toMatchObject({ status: "SUCCEEDED", result });
  });
});

describe("a forEach", () => {
  const each = (concurrency: number): Steps => [
    {
      id: "loop",
      kind: "forEach",
      items: "{{start.data.body}}",
      concurrency,
      steps: [
        { id: "set", kind: "setValues", values: { n: "{{item}}" } },
        { id: "row", kind: "createRow", table: "trip", values: { note: "{{index}}:{{vars.n}}" } },
      ],
    },
    { id: "end", kind: "finish", result: "{{steps.loop}}" },
  ];

  it("a loop returns the outputs in the order of its items, at any concurrency", async () => {
    let now = 0;
    let most = 0;
    environment.rows.onCreate = async () => {
      now += 1;
      most = Math.max(most, now);
      // The first items continue once as many are in progress as allowed.
      await expect.poll(() => most).toBeGreaterThanOrEqual(3);
      await sleep(20 + Math.random() * 20);
      now -= 1;
    };
    const { result } = await run(each(3), ["a", "b", "c", "d", "e", "f", "g"]);
    expect((result as { note: string }[]).map(({ note }) => note)).toEqual([
      "0:a",
      "1:b",
      "2:c",
      "3:d",
      "4:e",
      "5:f",
      "6:g",
    ]);
    expect(most).toBe(3);
  });

  it("values that an item sets stay inside the item", async () => {
    const { error } = await run([
      {
        id: "loop",
        kind: "forEach",
        items: [1],
        steps: [{ id: "set", kind: "setValues", values: { n: "{{item}}" } }],
      },
      { id: "end", kind: "finish", result: "{{vars.n}}" },
    ]);
    expect(error).toMatchObject({ code: "TEMPLATE_ERROR", step: "end" });
  });

  it("a loop over an empty list returns an empty list; items that are not a list fail", async () => {
    expect((await run(each(2), [])).result).toEqual([]);
    expect((await run(each(2), { a: 1 })).error).toMatchObject({
      code: "TEMPLATE_ERROR",
      step: "loop",
    });
  });

  it("a loop whose item fails ends after the items in progress and starts no other", async () => {
    const before = await environment.countTrips();
    // The other item is in its first step until the fault is in the journal.
    environment.rows.onCreate = async ({ note }) => {
      if (note !== "fine") return;
      await expect
        .poll(() =>
          environment.database.query(
            "select 1 as one from system.workflow_run_steps where path = 'loop.0.row' and status = 'FAILED'",
          ),
        )
        .toHaveLength(1);
    };
    const ended = await run(
      [
        {
          id: "loop",
          kind: "forEach",
          items: "{{start.data.body}}",
          concurrency: 2,
          steps: [
            { id: "row", kind: "createRow", table: "trip", values: { note: "{{item}}" } },
            { id: "more", kind: "createRow", table: "trip", values: { note: "more" } },
          ],
        },
      ],
      ["refused", "fine", "later", "last"],
    );
    expect(ended).toMatchObject({
      status: "FAILED",
      error: { code: "CHECK_VIOLATION", step: "row" },
    });
    expect(await environment.countTrips()).toBe(before + 1);
    expect(await steps(ended.id)).toEqual([
      { path: "loop", status: "FAILED", attempt: 1 },
      { path: "loop.0.row", status: "FAILED", attempt: 1 },
      { path: "loop.1.row", status: "SUCCEEDED", attempt: 1 },
    ]);
  });

  it("a loop continues in the middle after its worker is gone, and each item's row is written once", async () => {
    const before = await environment.countTrips();
    let count = 0;
    environment.rows.onCreate = async () => {
      count += 1;
      if (count === 4) {
        // As for a worker that is frozen past its lease.
        await environment.database.query(
          "update system.workflow_runs set lease_until = '-infinity' where finished_at is null",
        );
        await reconcileRuns(environment, 0);
        await sleep(500);
      }
    };
    const id = await begin(each(2), ["a", "b", "c", "d", "e", "f"]);
    await ended(id).toMatchObject({ status: "SUCCEEDED", fence: "2" });
    const { result } = await environment.readRun(id);
    expect((result as { note: string }[]).map(({ note }) => note)).toEqual([
      "0:a",
      "1:b",
      "2:c",
      "3:d",
      "4:e",
      "5:f",
    ]);
    await sleep(600);
    expect(await environment.countTrips()).toBe(before + 6);
  });

  it("a canceled loop ends after the items in progress, and their rows stay", async () => {
    const before = await environment.countTrips();
    let entered = () => {};
    const both = new Promise<void>((resolve) => {
      entered = resolve;
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let count = 0;
    environment.rows.onCreate = async () => {
      count += 1;
      if (count === 2) entered();
      await held;
    };
    const { slug, id: workflowId } = await environment.publish(each(2), {
      response: "ASYNCHRONOUS",
    });
    const id = (await environment.call(slug, { body: [1, 2, 3] })).body.data.run;
    await both;
    await cancelRun(environment.database, workflowId, id, actor);
    release();
    await ended(id).toMatchObject({ status: "CANCELLED" });
    expect(await environment.countTrips()).toBe(before + 2);
    const done = (await steps(id)).filter(({ path }) => path.endsWith("row"));
    expect(done.map(({ status }) => status)).toEqual(["SUCCEEDED", "SUCCEEDED"]);
  });

  it("a finish step inside a loop ends the run with its result", async () => {
    const ended = await run([
      {
        id: "loop",
        kind: "forEach",
        items: [1, 2, 3],
        steps: [
          {
            id: "two",
            kind: "condition",
            expression: "item == 2",
            // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
            then: [{ id: "found", kind: "finish", result: "at {{index}}" }],
          },
        ],
      },
    ]);
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: "at 1" });
  });
});

describe("a delay", () => {
  it("a delay holds no worker, and continues on time by the database's clock", async () => {
    const id = await begin([
      { id: "nap", kind: "delay", seconds: 3600 },
      { id: "end", kind: "finish", result: "rested" },
    ]);
    await expect.poll(() => state(id)).toEqual({ status: "RUNNING", parked: true, held: false });
    await expect
      .poll(() => [...environment.workers].map((worker) => worker.activeCount()))
      .toEqual([0]);
    await reconcileRuns(environment, 0);
    await sleep(300);
    expect((await environment.readRun(id)).fence).toBe("1");
    await moveClock(environment.database, 3601);
    await ended(id).toMatchObject({ status: "SUCCEEDED", result: "rested", fence: "2" });
  });

  it("a delay until a past moment ends at once", async () => {
    const until = "2020-01-01T00:00:00Z";
    expect(await run([{ id: "nap", kind: "delay", until }])).toMatchObject({ status: "SUCCEEDED" });
    const startedAt = performance.now();
    expect(
      await run([{ id: "nap", kind: "delay", seconds: "{{start.data.body.s}}" }], { s: 0.3 }),
    ).toMatchObject({
      status: "SUCCEEDED",
    });
    expect(performance.now() - startedAt).toBeGreaterThan(300);
    for (const until of [
      "soon",
      "2027-02-30T00:00:00Z",
      "2027-02-29",
      "2027-04-31T10:00:00+02:00",
    ]) {
      expect(await run([{ id: "nap", kind: "delay", until }])).toMatchObject({
        error: { code: "DELAY_INVALID", step: "nap" },
      });
    }
  });

  it("a run in a delay is canceled at once", async () => {
    const { slug, id: workflowId } = await environment.publish(
      [{ id: "nap", kind: "delay", seconds: 3600 }],
      {
        response: "ASYNCHRONOUS",
      },
    );
    const id = (await environment.call(slug)).body.data.run;
    await expect.poll(async () => (await state(id))?.parked).toBe(true);
    expect(await cancelRun(environment.database, workflowId, id, actor)).toMatchObject({
      status: "CANCELLED",
    });
  });

  it("a delay does not outlast the run's time limit", async () => {
    const { slug } = await environment.publish(
      [{ id: "nap", kind: "delay", seconds: "{{start.data.body.s}}", onError: "continue" }],
      { response: "ASYNCHRONOUS" },
      { timeLimitSeconds: 60 },
    );
    const id = (await environment.call(slug, { body: { s: 3600 } })).body.data.run;
    await expect.poll(async () => (await state(id))?.parked).toBe(true);
    await moveClock(environment.database, 61);
    await ended(id).toMatchObject({ status: "FAILED", error: { code: "RUN_TIMED_OUT" } });
  });
});

describe("the response of a request", () => {
  const fetch = async (type: string, body: string | Buffer, more: object = {}, status = 200) => {
    answer = (_request, response) => response.writeHead(status, { "content-type": type }).end(body);
    const { slug } = await environment.publish([
      { id: "call", kind: "httpRequest", url: `${base}/x`, ...more },
      { id: "end", kind: "finish", result: "{{steps.call}}" },
    ] as Steps);
    return (await environment.call(slug, { body: {}, ip: "198.18.0.1" })).body.data;
  };
  const latin1 = (text: string) => Buffer.from(text, "latin1");

  it("is decoded by the charset that it declares", async () => {
    const json = latin1('{"city":"Köln"}');
    for (const [type, bytes, body] of [
      ["application/json; charset=ISO-8859-1", json, { city: "Köln" }],
      ['application/json;charset="latin1"', json, { city: "Köln" }],
      ["text/plain; charset=windows-1252", latin1("5 \x80"), "5 €"],
      ["text/csv; charset=utf-16le", Buffer.from("Köln", "utf16le"), "Köln"],
      ["text/plain", Buffer.from("Köln"), "Köln"],
    ] as const) {
      expect((await fetch(type, bytes)).result, type).toMatchObject({ status: 200, body });
    }
    const unknown = await fetch("text/plain; charset=klingon", "x");
    expect(unknown.error).toEqual({
      code: "HTTP_BODY_INVALID",
      message: 'The response declares the charset "klingon", which is not supported',
      step: "call",
    });
  });

  it("of an error keeps its status and its text, whatever type it declares", async () => {
    const more = { failOnStatus: false };
    const page = "<html>Bad gateway</html>";
    for (const type of ["application/json", "application/json; charset=klingon"]) {
      const { result } = await fetch(type, page, more, 502);
      expect(result).toMatchObject({ status: 502, body: page });
    }
    expect((await fetch("application/json", page, more)).error?.code).toBe("HTTP_BODY_INVALID");
    expect((await fetch("application/json", '{"a":1}', more, 404)).result).toMatchObject({
      body: { a: 1 },
    });
  });

  it("has its bytes in base64 if the step asks for them", async () => {
    const bytes = Buffer.from([0, 255, 254, 0xd8, 37, 80, 68, 70]);
    for (const type of ["application/pdf", "application/json"]) {
      const { result } = await fetch(type, bytes, { responseAs: "base64" });
      expect(result).toMatchObject({
        headers: { "content-type": type },
        body: bytes.toString("base64"),
      });
    }
  });
});

describe("a step with retry", () => {
  const call = (more: object) =>
    [
      { id: "call", kind: "httpRequest", url: `${base}/x`, ...more },
      { id: "end", kind: "finish", result: "{{steps.call.status}}" },
    ] as Steps;

  it("a step is retried after a pause on the statuses it names, and on no other", async () => {
    const statuses = [503, 429, 200];
    answer = (_request, response) => response.writeHead(statuses.shift() ?? 500).end();
    const retry = { attempts: 5, delayMs: 100 };
    const ended = await run(call({ method: "POST", retry }));
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: 200 });
    expect((await steps(ended.id))[0]).toEqual({ path: "call", status: "SUCCEEDED", attempt: 3 });
    statuses.push(400, 200);
    expect(await run(call({ retry }))).toMatchObject({
      status: "FAILED",
      error: { code: "HTTP_STATUS" },
    });
    expect(seen).toHaveLength(4);
  });

  it("a step fails with the last attempt's error after its last attempt", async () => {
    answer = (_request, response) => response.writeHead(500).end();
    const ended = await run(call({ retry: { attempts: 2, delayMs: 100, backoff: "fixed" } }));
    expect(ended).toMatchObject({ status: "FAILED", error: { code: "HTTP_STATUS", step: "call" } });
    expect(seen).toHaveLength(2);
  });

  it("a step waits for its next attempt without a worker", async () => {
    answer = (_request, response) => response.writeHead(seen.length === 1 ? 500 : 204).end();
    const id = await begin(call({ retry: { attempts: 2, delayMs: 3_000_000 } }));
    await expect.poll(() => state(id)).toEqual({ status: "RUNNING", parked: true, held: false });
    await moveClock(environment.database, 3001);
    await ended(id).toMatchObject({ status: "SUCCEEDED", result: 204 });
  });

  it("a step waits as long as the server requests, up to its longest pause", async () => {
    const pauseOf = async (status: number, after: string, retry: object = {}) => {
      answer = (_request, response) => response.writeHead(status, { "retry-after": after }).end();
      const { slug, id: workflowId } = await environment.publish(
        call({ retry: { attempts: 2, delayMs: 100, ...retry } }),
        { response: "ASYNCHRONOUS" },
      );
      const id = (await environment.call(slug, { body: {}, ip: "198.18.0.1" })).body.data.run;
      await expect.poll(() => state(id)).toEqual({ status: "RUNNING", parked: true, held: false });
      const [row] = await environment.database.query<{ seconds: string }>(
        `select round(extract(epoch from wake_at - clock_timestamp()) / 100)::text as seconds
         from system.workflow_runs where id = $1::text::uuid`,
        [id],
      );
      await cancelRun(environment.database, workflowId, id, actor);
      return Number(row?.seconds) * 100;
    };
    const longest = { maxDelayMs: 86_400_000 };
    expect(await pauseOf(429, "20000", longest)).toBe(20_000);
    const date = new Date(Date.now() + 30_000_000).toUTCString();
    expect(await pauseOf(503, date, { ...longest, backoff: "fixed" })).toBe(30_000);
    expect(await pauseOf(429, "20000", { maxDelayMs: 10_000_000 })).toBe(10_000);
    expect(await pauseOf(429, "soon", { delayMs: 3_600_000 })).toBeLessThanOrEqual(300);
    expect(await pauseOf(500, "20000", { delayMs: 3_600_000 })).toBeLessThanOrEqual(3600);
  });

  it("a POST with an unknown outcome is not sent again unless the step allows it", async () => {
    answer = (request) => request.socket.destroy();
    const retry = { attempts: 3, delayMs: 100 };
    await run(call({ method: "POST", retry }));
    expect(seen).toHaveLength(1);
    await run(call({ method: "POST", retry, repeatable: true }));
    expect(seen).toHaveLength(4);
    const reported = environment.failures.splice(0);
    expect(reported).toEqual([
      expect.objectContaining({ code: "HTTP_FAILED" }),
      expect.objectContaining({ code: "HTTP_FAILED" }),
    ]);
  });
});

describe("runWorkflow", () => {
  it("runWorkflow returns the other run's result, and no worker waits meanwhile", async () => {
    const child = await environment.publish([
      { id: "row", kind: "createRow", table: "trip", values: { note: "child {{start.data.n}}" } },
      { id: "end", kind: "finish", result: { note: "{{steps.row.note}}" } },
    ]);
    const ended = await run(
      [
        {
          id: "sub",
          kind: "runWorkflow",
          workflow: child.slug,
          input: { n: "{{start.data.body.n}}" },
        },
        { id: "end", kind: "finish", result: "{{steps.sub.note}}" },
      ],
      { n: 7 },
    );
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: "child 7" });
  });

  it("more waiting runs than worker slots all end", async () => {
    const child = await environment.publish([
      { id: "row", kind: "createRow", table: "trip", values: { note: "child" } },
    ]);
    const middle = await environment.publish([
      { id: "sub", kind: "runWorkflow", workflow: child.slug },
      { id: "end", kind: "finish", result: "{{steps.sub.note}}" },
    ]);
    const { slug } = await environment.publish(
      [
        {
          id: "loop",
          kind: "forEach",
          items: [1, 2, 3],
          concurrency: 3,
          steps: [{ id: "deep", kind: "runWorkflow", workflow: middle.slug }],
        },
      ],
      { response: "ASYNCHRONOUS" },
    );
    const before = await environment.countTrips();
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await environment.call(slug)).body.data.run),
    );
    for (const id of ids) {
      await expect
        .poll(() => environment.readRun(id), { interval: 100 })
        .toMatchObject({ status: "SUCCEEDED", result: ["child", "child", "child"] });
    }
    expect(await environment.countTrips()).toBe(before + 30);
  });

  it("runWorkflow fails with the other run's error, and for a missing workflow", async () => {
    const child = await environment.publish([
      { id: "no", kind: "fail", code: "NOT_TODAY", message: "no" },
    ]);
    expect(await run([{ id: "sub", kind: "runWorkflow", workflow: child.slug }])).toMatchObject({
      status: "FAILED",
      error: { code: "SUBWORKFLOW_FAILED", step: "sub" },
    });
    expect(await run([{ id: "sub", kind: "runWorkflow", workflow: "no-such" }])).toMatchObject({
      status: "FAILED",
      error: { code: "SUBWORKFLOW_NOT_FOUND", step: "sub" },
    });
  });

  it("a child run is canceled with the run that waits for it", async () => {
    const child = await environment.publish([{ id: "nap", kind: "delay", seconds: 3600 }]);
    const { slug, id: workflowId } = await environment.publish(
      [{ id: "sub", kind: "runWorkflow", workflow: child.slug }],
      { response: "ASYNCHRONOUS" },
    );
    const id = (await environment.call(slug)).body.data.run;
    const childState = async () =>
      (
        await environment.database.query<{ status: string; parked: boolean }>(
          `select status, wake_at is not null as parked from system.workflow_runs where parent_run_id = $1::text::uuid`,
          [id],
        )
      )[0];
    await expect.poll(childState).toEqual({ status: "RUNNING", parked: true });
    await expect.poll(async () => (await state(id))?.parked).toBe(true);
    await cancelRun(environment.database, workflowId, id, actor);
    expect((await environment.readRun(id)).status).toBe("CANCELLED");
    expect((await childState())?.status).toBe("CANCELLED");
  });

  it("runWorkflow stops waiting after its timeout", async () => {
    const child = await environment.publish([{ id: "nap", kind: "delay", seconds: 3600 }]);
    const id = await begin([
      { id: "sub", kind: "runWorkflow", workflow: child.slug, timeoutMs: 60_000 },
    ]);
    await expect.poll(async () => (await state(id))?.parked).toBe(true);
    await moveClock(environment.database, 61);
    await ended(id).toMatchObject({ status: "FAILED", error: { code: "STEP_TIMEOUT" } });
  });

  it("a workflow that runs itself fails at the depth limit", async () => {
    const { slug } = await environment.publish([{ id: "end", kind: "finish" }]);
    const recursive = await environment.publish(
      [{ id: "sub", kind: "runWorkflow", workflow: "again-and-again" }],
      { response: "ASYNCHRONOUS" },
      {},
      "again-and-again",
    );
    expect(slug).not.toBe(recursive.slug);
    const id = (await environment.call(recursive.slug)).body.data.run;
    await expect
      .poll(() => environment.readRun(id), { interval: 100 })
      .toMatchObject({ status: "FAILED", error: { code: "SUBWORKFLOW_FAILED" } });
    const [row] = await environment.database.query<{ depth: number }>(
      "select max(depth) as depth from system.workflow_runs",
    );
    expect(row?.depth).toBe(10);
  });
});

describe("the input of a workflow to run", () => {
  it("an input above the limit fails the step, and no run starts", async () => {
    const child = await environment.publish([{ id: "end", kind: "finish", result: "begun" }]);
    const large = "x".repeat(1_000_000);
    const sub = (count: number): Steps[number] => ({
      id: "sub",
      kind: "runWorkflow",
      workflow: child.slug,
      input: Array.from({ length: count }, () => "{{start.data.body.large}}"),
      retry: { attempts: 3, delayMs: 100 },
    });
    expect(await run([sub(4)], { large })).toMatchObject({ status: "SUCCEEDED", result: "begun" });
    expect(await run([sub(5)], { large })).toMatchObject({
      status: "FAILED",
      error: { code: "INPUT_TOO_LARGE", step: "sub" },
    });
    const [begun] = await environment.database.query<{ count: number }>(
      "select count(*)::integer as count from system.workflow_runs where workflow_id = $1::text::uuid",
      [child.id],
    );
    expect(begun?.count).toBe(1);
  });
});

describe("sendEmail", () => {
  it("sendEmail adds one mail for each recipient to the outbox, once", async () => {
    const ended = await run(
      [
        {
          id: "mail",
          kind: "sendEmail",
          to: ["a@example.org", "{{start.data.body.to}}"],
          subject: "Trip {{start.data.body.n}}",
          text: "Hello",
        },
      ],
      { to: "b@example.org", n: 5 },
    );
    expect(ended).toMatchObject({ status: "SUCCEEDED" });
    expect(
      await environment.database.query(
        "select recipient, subject, body from public.mail order by about",
      ),
    ).toEqual([
      { recipient: "a@example.org", subject: "Trip 5", body: "Hello" },
      { recipient: "b@example.org", subject: "Trip 5", body: "Hello" },
    ]);
  });

  it.each([
    { to: "nobody", subject: "s" },
    { to: "a@example.org, b@example.org", subject: "s" },
    { to: "a@example.org", subject: "s\r\nBcc: c@example.org" },
  ])("sendEmail rejects %j", async (body) => {
    const mail = { to: "{{start.data.body.to}}", subject: "{{start.data.body.subject}}", text: "" };
    expect(await run([{ id: "mail", kind: "sendEmail", ...mail }], body)).toMatchObject({
      error: { code: "MAIL_INVALID", step: "mail" },
    });
  });
});
