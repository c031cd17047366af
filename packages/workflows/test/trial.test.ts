import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createWorkflow,
  type DefinitionInput,
  listRunSteps,
  pinExample,
  readRun,
  type TestRequest,
  testWorkflow,
  wakeForRun,
} from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment, vault } from "./test-environment.ts";

// A test of a draft with mocks, up to a step, and without effects.

let environment: TestEnvironment;
let received = 0;
const server = createServer((_request, response) => {
  received += 1;
  response.setHeader("content-type", "application/json").end('{"id": 7}');
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  environment = await openTestEnvironment({ allowedHosts: ["127.0.0.1"] });
});
beforeEach(() => {
  received = 0;
});
afterAll(async () => {
  await environment.close();
  server.close();
});

let count = 0;
const draft = async (steps: DefinitionInput["steps"]): Promise<string> => {
  count += 1;
  const slug = `trial-${count}`;
  const trigger = { kind: "manual", executeAs: environment.userId } as const;
  const input = { slug, name: slug, definition: { trigger, steps } };
  return (await createWorkflow(environment.database, input, actor)).id;
};

/** Tests a draft, and returns its run and its steps as `path kind status simulated`. */
async function test(
  steps: DefinitionInput["steps"],
  options: Partial<TestRequest> = {},
  prepare: (id: string) => Promise<unknown> = async () => {},
) {
  const id = await draft(steps);
  await prepare(id);
  const request = { data: {}, effects: "NONE", mocks: {}, until: null, ...options } as const;
  const { run, priority } = await testWorkflow(
    { database: environment.database, vault },
    id,
    request,
    actor,
  );
  wakeForRun({ ...environment, handOff: { offer: () => false } }, run, priority);
  const ended = async () => {
    const found = await readRun(environment.database, id, run);
    return found.finishedAt === null ? undefined : found;
  };
  await expect.poll(ended, { timeout: 20_000 }).toBeDefined();
  const found = await readRun(environment.database, id, run);
  const shown = found.steps.map(({ path, status, simulated }) =>
    [path, status, simulated ?? ""].join(" ").trim(),
  );
  return { ...found, shown };
}

const row = (id: string, note: string) =>
  ({ id, kind: "createRow", table: "trip", values: { note } }) as const;
const ask = { id: "ask", kind: "httpRequest", method: "POST" } as const;

describe("a test without effects", () => {
  it("answers with the pinned example of a step, unless the test has a mock for it", async () => {
    const steps = [
      { ...ask, url },
      { id: "end", kind: "finish", result: "{{steps.ask.body}}" },
    ] as const;
    const pin = (id: string) =>
      pinExample(environment.database, id, "ask", { output: { body: "pinned" } }, actor);
    const pinned = await test([...steps], {}, pin);
    expect(pinned).toMatchObject({ status: "SUCCEEDED", result: "pinned" });
    expect(pinned.shown).toEqual(["ask SUCCEEDED EXAMPLE", "end SUCCEEDED"]);
    const mocked = await test([...steps], { mocks: { ask: { body: "mock" } } }, pin);
    expect(mocked).toMatchObject({ result: "mock" });
    const real = await test([...steps], { effects: "REAL" }, pin);
    expect(real).toMatchObject({ result: { id: 7 } });
    expect(received).toBe(1);
  });

  it("writes rows that its later steps read, and rolls them back", async () => {
    const ended = await test([
      row("one", "first"),
      { id: "all", kind: "listRows", table: "trip", where: { note: { _eq: "first" } } },
      { id: "end", kind: "finish", result: "{{steps.all.0.note}}" },
    ]);
    expect(ended).toMatchObject({
      status: "SUCCEEDED",
      result: "first",
      origin: "TEST",
      test: { effects: "NONE", until: null, mocked: [] },
    });
    expect(ended.shown).toEqual(["one SUCCEEDED ROLLED_BACK", "all SUCCEEDED", "end SUCCEEDED"]);
    expect(await environment.countTrips()).toBe(0);
  });

  it("sends no request, and shows it without its secrets and credentials", async () => {
    const ended = await test(
      [
        {
          ...ask,
          url: `${url}/orders?token={{start.data.token}}`,
          headers: { "X-Note": "a", Cookie: "a=b" },
          query: { page: 2 },
          auth: { kind: "bearer", token: "{{start.data.token}}" },
          body: { note: "{{start.data.note}}" },
        },
        { id: "end", kind: "finish", result: "{{steps.ask}}" },
      ],
      { data: { token: "t-123", note: "hello" } },
    );
    expect(received).toBe(0);
    expect(ended.shown).toEqual(["ask SUCCEEDED NOT_SENT", "end SUCCEEDED"]);
    expect(ended.result).toEqual({
      status: 200,
      headers: {},
      body: null,
      wouldHaveSent: {
        method: "POST",
        url: `${url}/orders?token=t-123&page=2`,
        headers: {
          "idempotency-key": `${ended.id}:ask`,
          "content-type": "application/json",
          "x-note": "a",
          cookie: "[redacted]",
          authorization: "[redacted]",
        },
        body: { note: "hello" },
      },
    });
  });

  it("skips delays and the pauses of retries, and says so", async () => {
    const ended = await test([
      { id: "nap", kind: "delay", seconds: 3600 },
      {
        ...row("bad", "refused"),
        onError: "continue",
        retry: { attempts: 3, delayMs: 60_000 },
      },
      row("good", "after"),
    ]);
    expect(ended.shown).toEqual([
      "nap SUCCEEDED SKIPPED",
      "bad FAILED ROLLED_BACK",
      "good SUCCEEDED ROLLED_BACK",
    ]);
    expect(ended.steps[1]).toMatchObject({ attempt: 3, error: { code: "CHECK_VIOLATION" } });
    expect(ended.steps[0]?.resumeAt).toBeNull();
  });

  it("checks deferred constraints at the end of each step, as a commit does", async () => {
    const { database } = environment;
    await database.query("create table public.parent (id bigint primary key)");
    await database.query(
      `create table public.child (id bigint primary key, parent_id bigint
         references public.parent (id) deferrable initially deferred)`,
    );
    const child = (id: string, parent: number) =>
      ({
        id,
        kind: "createRow",
        table: "child",
        onError: "continue",
        values: { id: parent, parent_id: parent },
      }) as const;
    const ended = await test([
      child("orphan", 1),
      child("orphan2", 2),
      { id: "parent", kind: "createRow", table: "parent", values: { id: 3 } },
      child("kept", 3),
    ]);
    expect(ended.shown).toEqual([
      "orphan FAILED ROLLED_BACK",
      "orphan2 FAILED ROLLED_BACK",
      "parent SUCCEEDED ROLLED_BACK",
      "kept SUCCEEDED ROLLED_BACK",
    ]);
    expect(ended.steps[0]?.error?.code).toBe("FOREIGN_KEY_VIOLATION");
  });

  it("runs the items of a loop one by one, and records each", async () => {
    const ended = await test([
      {
        ...{ id: "loop", kind: "forEach", items: [1, 2, 3], concurrency: 3 },
        steps: [row("trip", "item {{item}}")],
      },
      { id: "all", kind: "listRows", table: "trip" },
    ]);
    expect(ended.status).toBe("SUCCEEDED");
    expect(ended.result).toHaveLength(3);
    expect(await environment.countTrips()).toBe(0);
  });

  it("starts no other workflow, and reports one that does not exist", async () => {
    const other = await environment.publish([row("made", "by the other")]);
    const start = { id: "other", kind: "runWorkflow", input: { n: 1 } } as const;
    const ended = await test([
      { ...start, workflow: other.slug },
      { ...start, id: "gone", workflow: "no-such-workflow", onError: "continue" },
      { id: "end", kind: "finish", result: "{{steps.other}}" },
    ]);
    expect(ended.shown).toEqual([
      "other SUCCEEDED NOT_SENT",
      "gone FAILED NOT_SENT",
      "end SUCCEEDED",
    ]);
    expect(ended.result).toEqual({ wouldHaveSent: { workflow: other.slug, input: { n: 1 } } });
    expect(ended.steps[1]?.error?.code).toBe("SUBWORKFLOW_NOT_FOUND");
    expect(await environment.countTrips()).toBe(0);
  });

  it("sends no mail, and shows it", async () => {
    const ended = await test([
      { id: "mail", kind: "sendEmail", to: "a@example.com", subject: "Hi", text: "Hello" },
    ]);
    expect(ended.result).toEqual({
      to: ["a@example.com"],
      wouldHaveSent: {
        ...{ to: ["a@example.com"], subject: "Hi", text: "Hello", html: null, attachments: [] },
      },
    });
    expect(await environment.database.query("select from public.mail")).toEqual([]);
  });
});

describe.each(["NONE", "REAL"] as const)("a test with effects %s", (effects) => {
  it("does not carry out a step with a mock, in any iteration", async () => {
    const ended = await test(
      [
        {
          ...{ id: "loop", kind: "forEach", items: [1, 2] },
          steps: [{ ...ask, url }],
        },
        { id: "end", kind: "finish", result: "{{steps.loop}}" },
      ] as DefinitionInput["steps"],
      { effects, mocks: { ask: { status: 404, n: 5 } } },
    );
    expect(received).toBe(0);
    expect(ended.result).toEqual([
      { status: 404, n: 5 },
      { status: 404, n: 5 },
    ]);
    expect(ended.shown.slice(1, 3)).toEqual([
      "loop.0.ask SUCCEEDED MOCK",
      "loop.1.ask SUCCEEDED MOCK",
    ]);
    expect(ended.test).toEqual({ effects, until: null, mocked: ["ask"] });
  });

  it("ends with the output of the step that it runs until", async () => {
    const steps = [
      { id: "a", kind: "setValues", values: { n: 1 } },
      {
        ...{ id: "if", kind: "condition", expression: "vars.n == 1" },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [
          { id: "in", kind: "setValues", values: { m: 2 } },
          { id: "b", kind: "setValues", values: { m: 3 } },
        ],
      },
      { id: "c", kind: "fail", message: "too far" },
    ] as DefinitionInput["steps"];
    const inner = await test(steps, { effects, until: "in" });
    expect(inner).toMatchObject({ status: "SUCCEEDED", result: { m: 2 } });
    expect(inner.shown).toEqual(["a SUCCEEDED", "if SUCCEEDED", "in SUCCEEDED"]);
    const around = await test(steps, { effects, until: "if" });
    expect(around).toMatchObject({ status: "SUCCEEDED", result: true });
    expect(around.shown).toHaveLength(4);
  });

  it("ends in the first iteration that ends the step that it runs until", async () => {
    const ended = await test(
      [
        {
          ...{ id: "loop", kind: "forEach", items: [10, 20, 30] },
          steps: [{ id: "in", kind: "setValues", values: { n: "{{item}}" } }],
        },
      ] as DefinitionInput["steps"],
      { effects, until: "in" },
    );
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: { n: 10 } });
  });

  it("fails with the step that it runs until, without its handler", async () => {
    const ended = await test(
      [
        {
          ...{ id: "loop", kind: "forEach", items: [1], onError: "continue" },
          steps: [{ ...row("bad", "refused"), onError: { steps: [row("handler", "handled")] } }],
        },
      ] as DefinitionInput["steps"],
      { effects, until: "bad" },
    );
    expect(ended).toMatchObject({
      status: "FAILED",
      error: { code: "CHECK_VIOLATION", step: "bad" },
    });
    expect(await environment.countTrips()).toBe(0);
  });

  it("refuses mocks and an end of steps that the draft does not have, or that only compute", async () => {
    const refused = test([{ id: "a", kind: "setValues", values: {} }], {
      effects,
      mocks: { a: 1, b: 2 },
      until: "x",
    });
    await expect(refused).rejects.toMatchObject({
      faults: [
        { code: "BODY_INVALID", path: "/mocks/a" },
        { code: "BODY_INVALID", path: "/mocks/b" },
        { code: "BODY_INVALID", path: "/until" },
      ],
    });
  });
});

it("a real test with mocks parks in a delay, and continues with its mocks", async () => {
  const ended = await test(
    [{ id: "nap", kind: "delay", seconds: 1 }, { ...ask, url }, row("real", "kept")],
    { effects: "REAL", mocks: { ask: "mocked" } },
  );
  expect(ended.shown).toEqual(["nap SUCCEEDED", "ask SUCCEEDED MOCK", "real SUCCEEDED"]);
  expect(await environment.countTrips()).toBe(1);
  await environment.database.query("delete from public.trip");
  const steps = await listRunSteps(environment.database, ended.id, {
    ...{ limit: 10, cursor: null, search: null, statuses: null, kinds: ["httpRequest"] },
  });
  expect(steps.items[0]?.input).toMatchObject({ url: `${url}` });
});
