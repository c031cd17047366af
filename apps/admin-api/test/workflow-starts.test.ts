// Tiers: usual, topologies.
import { isDistributed } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

/** JSON whose keys reach prototypes in careless code. */
const keysOfObjects =
  '{"__proto__":{"x":1.50,"prototype":[{"constructor":1}]},"constructor":{"a":null}}';
const steps = [{ id: "end", kind: "finish", result: "{{start.data}}" }];
let count = 0;

/** A workflow's path; published and enabled unless it stays a draft. */
async function workflow(trigger: object, stage: "draft" | "published" | "enabled" = "enabled") {
  count += 1;
  const made = await api.ask("POST", "/workflows", {
    slug: `flow-${count}`,
    name: "Flow",
    definition: { trigger, steps },
  });
  expect(made.status).toBe(201);
  const path = `/workflows/${made.body.data.id}`;
  if (stage !== "draft") expect((await api.ask("POST", `${path}/publish`)).status).toBe(200);
  if (stage === "enabled") expect((await api.ask("POST", `${path}/enable`)).status).toBe(200);
  return path;
}
const manual = () => ({ kind: "manual", executeAs: api.user.id });
const webhook = () => ({ kind: "webhook", executeAs: api.user.id, redactHeaders: ["X-Key"] });
const sent = (path: string, data: string) => api.send("POST", path, `{"data":${data}}`);
const inputOf = async (runId: string): Promise<string | undefined> => {
  const [run] = await api.test.database.query<{ input: string }>(
    "select input::text from system.workflow_runs where id = $1::text::uuid",
    [runId],
  );
  return run?.input;
};

describe("a manual workflow", () => {
  it("can be started with any JSON, runs as the user that it names, and records the calling administrator", async () => {
    const path = await workflow(manual());
    for (const data of [
      '{"n":9007199254740993,"x":1.50}',
      '["a",null]',
      '"text"',
      "0",
      keysOfObjects,
      "null",
    ]) {
      const started = await sent(`${path}/runs`, data);
      expect(started.status).toBe(201);
      const { run } = started.body.data;
      expect(await inputOf(run)).toBe(data);
      const read = await api.ask("GET", `${path}/runs/${run}`);
      expect(read.body.data).toMatchObject({
        origin: "MANUAL",
        // Elsewhere there are workers.
        status: isDistributed() ? expect.any(String) : "QUEUED",
        callerUserId: api.admin.id,
        executeAsUserId: api.user.id,
      });
    }
    const entries = await api.test.database.query<{ user_id: string }>(
      "select actor_user_id::text as user_id from system.audit_log where action = 'workflow.run'",
    );
    expect(entries).toEqual(Array.from({ length: 6 }, () => ({ user_id: api.admin.id })));
  });

  it("cannot be started without an input or with an input that cannot be stored", async () => {
    const path = await workflow(manual());
    for (const body of ["{}", '{"data":{"a":"\\u0000"}}']) {
      const refused = await api.send("POST", `${path}/runs`, body);
      expect([refused.status, refused.faults.length]).toEqual([400, 1]);
      expect(refused.faults[0]).toMatch(/^BODY_INVALID \/data/);
    }
    expect((await sent(`${path}/runs`, `${"[".repeat(70)}${"]".repeat(70)}`)).status).toBe(400);
    expect((await api.ask("GET", `${path}/runs`)).body.data).toEqual([]);
  });

  it("can be started only while it is published and enabled, and only if it has no webhook", async () => {
    const refused = async (path: string) => {
      const answer = await sent(`${path}/runs`, "{}");
      return [answer.status, answer.faults];
    };
    const conflict = [409, ["CONFLICT"]];
    expect(await refused(await workflow(manual(), "draft"))).toEqual(conflict);
    expect(await refused(await workflow(manual(), "published"))).toEqual(conflict);
    expect(await refused(await workflow(webhook()))).toEqual(conflict);
    expect(await refused(`/workflows/${nobody}`)).toEqual([404, ["NOT_FOUND"]]);
    const disabled = await workflow(manual());
    await api.ask("POST", `${disabled}/disable`);
    expect(await refused(disabled)).toEqual(conflict);
  });

  it("cannot be published for a user who does not exist", async () => {
    const path = await workflow({ kind: "manual", executeAs: nobody }, "draft");
    expect((await api.ask("POST", `${path}/publish`)).faults).toEqual([
      "WORKFLOW_INVALID /trigger/executeAs",
    ]);
  });
});

describe("a test of a draft", () => {
  it("of a webhook accepts query, body and meta, and stores no credential from the headers", async () => {
    const path = await workflow(webhook(), "draft");
    const headers = { Authorization: "Bearer canary", cookie: "canary", "x-key": "canary", A: "b" };
    const tested = await sent(
      `${path}/test`,
      JSON.stringify({ query: { q: ["1", "2"] }, body: [1.5], meta: { ip: "192.0.2.1", headers } }),
    );
    expect(tested.status).toBe(201);
    const redacted = "[redacted]";
    expect(JSON.parse((await inputOf(tested.body.data.run)) ?? "")).toEqual({
      query: { q: ["1", "2"] },
      body: [1.5],
      meta: {
        ip: "192.0.2.1",
        headers: { authorization: redacted, cookie: redacted, "x-key": redacted, a: "b" },
      },
    });
    const bare = await sent(`${path}/test`, "{}");
    expect(await inputOf(bare.body.data.run)).toBe('{"query":{},"body":null,"meta":{}}');
    const refused = await sent(`${path}/test`, '{"query":{"a":1},"nope":2}');
    expect([refused.status, refused.faults]).toEqual([
      400,
      ["BODY_INVALID /data/query/a", "BODY_INVALID /data"],
    ]);
  });

  it("of every trigger, its sample and its step's example keep the keys of JavaScript's objects as data", async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    await api.test.database.query("create table public.items (id int primary key)");
    const row = { kind: "databaseEvent", schema: "public", table: "items", on: ["insert"] };
    for (const [trigger, data] of [
      [manual(), keysOfObjects],
      [webhook(), `{"query":{"__proto__":"a","constructor":["b"]},"body":${keysOfObjects}}`],
      [{ ...row, executeAs: api.user.id }, `{"new":{"__proto__":1,"d":${keysOfObjects}}}`],
    ] as const) {
      const path = await workflow(trigger, "draft");
      const tested = await sent(`${path}/test`, data);
      expect([data, ...tested.faults]).toEqual([data]);
      const stored = (await inputOf(tested.body.data.run)) ?? "";
      expect(stored).toContain(keysOfObjects);
      expect(stored).toContain('"__proto__":');
      const sample = await api.send(
        "POST",
        `${path}/samples`,
        `{"data":{"name":"s","data":${data}}}`,
      );
      expect([data, sample.status]).toEqual([data, 201]);
      const example = await api.send(
        "PUT",
        `${path}/examples/end`,
        `{"data":{"output":${keysOfObjects}}}`,
      );
      expect([data, example.status]).toEqual([data, 200]);
      expect(JSON.stringify(example.body.data.output)).toBe(
        JSON.stringify(JSON.parse(keysOfObjects)),
      );
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it("of a manual workflow accepts any JSON with every digit", async () => {
    const path = await workflow(manual(), "draft");
    const tested = await sent(`${path}/test`, '{"n":12345678901234567890.10}');
    expect(tested.status).toBe(201);
    expect(await inputOf(tested.body.data.run)).toBe('{"n":12345678901234567890.10}');
  });

  it("accepts effects, mocks with every digit, and a step to end at; anything else is a fault at its path", async () => {
    const path = await workflow(manual(), "draft");
    const mended = { steps: [{ id: "ask", kind: "httpRequest", url: "https://example.com" }] };
    const definition = { trigger: manual(), ...mended };
    expect((await api.ask("PATCH", path, { definition })).status).toBe(200);
    const test = (more: string) => api.send("POST", `${path}/test`, `{"data":{},${more}}`);
    const tested = await test(
      '"effects":"NONE","mocks":{"ask":{"n":12345678901234567890.10}},"until":"ask"',
    );
    expect(tested.status).toBe(201);
    const runPath = `${path}/runs/${tested.body.data.run}`;
    expect((await api.ask("GET", runPath)).body.data).toMatchObject({
      origin: "TEST",
      test: { effects: "NONE", until: "ask", mocked: ["ask"] },
      againOf: null,
    });
    const [stored] = await api.test.database.query<{ trial: string }>(
      "select trial::text as trial from system.workflow_runs where id = $1::text::uuid",
      [tested.body.data.run],
    );
    expect(stored?.trial).toContain('{"ask":{"n":12345678901234567890.10}}');
    // The definition that it runs is read like any other.
    const shown = await api.ask("GET", `${runPath}/definition`);
    expect(shown.body.data).toMatchObject(definition);
    const plain = await sent(`${path}/test`, "{}");
    expect((await api.ask("GET", `${path}/runs/${plain.body.data.run}`)).body.data.test).toEqual({
      ...{ effects: "REAL", until: null, mocked: [] },
    });
    for (const [more, fault] of [
      ['"effects":"SOME"', "BODY_INVALID /effects"],
      ['"mocks":[]', "BODY_INVALID /mocks"],
      ['"mocks":{"ask":"\\u0000"}', "BODY_INVALID /mocks/ask"],
      ['"mocks":{"__proto__":1}', "BODY_INVALID /mocks/__proto__"],
      ['"mocks":{"a/b":1}', "BODY_INVALID /mocks/a~1b"],
      ['"until":5', "BODY_INVALID /until"],
      ['"until":"nope"', "BODY_INVALID /until"],
      ['"other":1', "BODY_INVALID /other"],
    ] as const) {
      const refused = await test(more);
      expect([more, refused.status, refused.faults]).toEqual([more, 400, [fault]]);
    }
  });
});

describe("a repeated run", () => {
  it("needs no body; a body with a step or a version is checked", async () => {
    const path = await workflow(manual());
    const first = (await sent(`${path}/runs`, "{}")).body.data.run;
    await api.test.database.query(
      "update system.workflow_runs set status = 'CANCELLED', finished_at = clock_timestamp() where id = $1::text::uuid and finished_at is null",
      [first],
    );
    const again = `${path}/runs/${first}/again`;
    for (const body of [undefined, "{}", '{"data":{}}', '{"from":null}', '{"version":"NEWEST"}']) {
      const started = await (body === undefined
        ? api.ask("POST", again)
        : api.send("POST", again, body));
      expect([body, started.status]).toEqual([body, 201]);
      const read = await api.ask("GET", `${path}/runs/${started.body.data.run}`);
      expect(read.body.data).toMatchObject({
        ...{ origin: "AGAIN", againOf: { runId: first, from: null }, test: null },
      });
    }
    for (const [body, fault] of [
      ['{"from":1}', "BODY_INVALID /from"],
      ['{"from":"nope"}', "BODY_INVALID /from"],
      ['{"version":"OLDEST"}', "BODY_INVALID /version"],
      ['{"nope":{}}', "BODY_INVALID /nope"],
      ["[]", "BODY_INVALID "],
      ["{", "BODY_INVALID"],
    ] as const) {
      const refused = await api.send("POST", again, body);
      expect([body, refused.status, refused.faults]).toEqual([body, 400, [fault]]);
    }
  });
});

describe("the settings of a wait", () => {
  it("are refused when a draft is saved, checked or published if no call could honor them", async () => {
    const save = async (more: object, path?: string) => {
      const definition = { trigger: { ...webhook(), ...more }, steps };
      count += 1;
      const body = { slug: `wait-${count}`, name: "Wait", definition };
      const answer = await (path === undefined
        ? api.ask("POST", "/workflows", body)
        : api.ask("PATCH", path, { definition }));
      return { status: answer.status, faults: answer.faults, id: answer.body.data?.id };
    };
    const field = (name: string) => `WORKFLOW_INVALID /data/definition/trigger/${name}`;
    const kept = await save({ waitSeconds: 30, onTimeout: "CANCEL" });
    expect(kept.status).toBe(201);
    const path = `/workflows/${kept.id}`;
    for (const [more, names] of [
      [{ waitSeconds: 31 }, ["waitSeconds"]],
      [{ response: "ASYNCHRONOUS", waitSeconds: 5 }, ["waitSeconds"]],
      [{ response: "ASYNCHRONOUS", onTimeout: "CANCEL" }, ["onTimeout"]],
      [
        { response: "ASYNCHRONOUS", onTimeout: "CANCEL", waitSeconds: 90 },
        ["waitSeconds", "onTimeout"],
      ],
    ] as const) {
      for (const at of [undefined, path]) {
        const refused = await save(more, at);
        expect([more, refused.status, refused.faults]).toEqual([more, 400, names.map(field)]);
      }
    }
    const defaults = { response: "ASYNCHRONOUS", waitSeconds: 30, onTimeout: "CONTINUE" };
    expect((await save(defaults)).status).toBe(201);
    await api.ask("PATCH", "/settings", { "workflows.max_sync_wait_ms": 20_000 });
    // The default remains valid under a lower limit, which shortens it.
    expect((await save({ waitSeconds: 30 })).status).toBe(201);
    expect((await save({ waitSeconds: 20 }, path)).status).toBe(200);
    await api.ask("PATCH", "/settings", { "workflows.max_sync_wait_ms": 10_000 });
    expect((await api.ask("POST", `${path}/publish`)).faults).toEqual([
      "WORKFLOW_INVALID /trigger/waitSeconds",
    ]);
    await api.ask("PATCH", "/settings", { "workflows.max_sync_wait_ms": 30_000 });
    expect((await api.ask("POST", `${path}/publish`)).status).toBe(200);
  });
});
