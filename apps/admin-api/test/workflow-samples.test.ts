// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let webhook: string;
let manual: string;
let run: string;
beforeAll(async () => {
  api = await openTestEnvironment();
  const create = async (slug: string, trigger: object) => {
    const wait = (id: string) => ({ id, kind: "delay", seconds: 0 });
    const more = { id: "each", kind: "forEach", items: [], steps: [wait("more")] };
    const definition = { trigger, steps: [wait("ask"), wait("another"), more] };
    const made = await api.ask("POST", "/workflows", { slug, name: slug, definition });
    await api.ask("POST", `/workflows/${made.body.data.id}/publish`);
    return `/workflows/${made.body.data.id}`;
  };
  webhook = await create("hook", {
    kind: "webhook",
    executeAs: api.user.id,
    redactBody: ["/card"],
    redactHeaders: ["X-Key"],
  });
  manual = await create("hand", { kind: "manual", executeAs: api.user.id });
  // What a worker leaves behind.
  const [row] = await api.test.database.query<{ run_id: string }>(
    `with run as (
       insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, status, finished_at)
       select w.id, w.published_version_id, $1::text::uuid, '{"km":9007199254740993.10,"card":"[redacted]"}', 'SUCCEEDED', now()
       from system.workflows w where w.slug = 'hand' returning id)
     insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at, finished_at)
     select id, p.path, 0, 'httpRequest', p.status, '{"n":1.50}', 1, now(), now()
     from run, (values ('ask', 'SUCCEEDED'), ('loop.3.ask', 'SUCCEEDED'), ('bad', 'FAILED')) p (path, status) returning run_id`,
    [api.user.id],
  );
  run = row?.run_id ?? "";
});
afterAll(() => api.test.drop());

const actions = async (): Promise<string[]> => {
  const rows = await api.test.database.query<{ entry: string }>(
    `select action || ' ' || coalesce(array_to_string(changed_fields, ','), '') as entry from system.audit_log
     where action like 'workflow_sample.%' or action like 'workflow.%pin_example' order by id`,
  );
  return rows.map(({ entry }) => entry);
};

describe("a sample", () => {
  it("is created, listed by name without its data, read, changed and deleted", async () => {
    const made = await api.send(
      "POST",
      `${manual}/samples`,
      '{"data":{"name":"b","data":{"km":9007199254740993.10}}}',
    );
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ name: "b", runId: null, createdBy: api.admin.id });
    const path = `${manual}/samples/${made.body.data.id}`;
    await api.ask("POST", `${manual}/samples`, { name: "a", data: null });
    const list = await api.ask("GET", `${manual}/samples?limit=1`);
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(["a"]);
    expect(list.body.data[0]).not.toHaveProperty("data");
    const next = await api.ask(
      "GET",
      `${manual}/samples?limit=1&cursor=${encodeURIComponent(list.body.meta.nextCursor)}`,
    );
    expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(["b"]);
    expect((await api.ask("GET", `${manual}/samples?search=B`)).body.data).toHaveLength(1);
    const text = await (await api.raw("GET", path, undefined)).text();
    expect(text).toContain("9007199254740993.10");
    const changed = await api.ask("PATCH", path, { name: "c" });
    expect(changed.body.data.name).toBe("c");
    expect((await api.ask("PATCH", path, { data: [1] })).body.data.data).toEqual([1]);
    expect((await api.ask("PATCH", path, {})).status).toBe(200);
    expect((await api.ask("DELETE", path)).status).toBe(204);
    expect((await api.ask("GET", path)).status).toBe(404);
    expect(await actions()).toEqual([
      "workflow_sample.create name,data",
      "workflow_sample.create name,data",
      "workflow_sample.update name",
      "workflow_sample.update data",
      "workflow_sample.delete ",
    ]);
  });

  it("names no run once its data was changed", async () => {
    const made = await api.ask("POST", `${manual}/samples`, { name: "to change", run });
    const path = `${manual}/samples/${made.body.data.id}`;
    expect((await api.ask("PATCH", path, { name: "renamed" })).body.data.runId).toBe(run);
    expect((await api.ask("PATCH", path, { data: 1 })).body.data.runId).toBeNull();
    await api.ask("DELETE", path);
  });

  it("takes the input of a run as it is stored, and stays when that run is deleted", async () => {
    const made = await api.ask("POST", `${manual}/samples`, { name: "of a run", run });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ runId: run, data: { card: "[redacted]" } });
    const path = `${manual}/samples/${made.body.data.id}`;
    expect(await (await api.raw("GET", path, undefined)).text()).toContain("9007199254740993.10");
    for (const [workflow, id] of [
      [manual, nobody],
      [manual, "x"],
      [webhook, run],
    ] as const) {
      const refused = await api.ask("POST", `${workflow}/samples`, { name: "other", run: id });
      expect(refused.faults).toEqual(["BODY_INVALID /data/run"]);
    }
  });

  it("of a webhook has the shape of its calls, and is redacted like them", async () => {
    const made = await api.ask("POST", `${webhook}/samples`, {
      name: "call",
      data: { body: { card: "4111", km: 1 }, meta: { headers: { "X-Key": "k", accept: "a" } } },
    });
    expect(made.body.data.data).toEqual({
      query: {},
      body: { card: "[redacted]", km: 1 },
      meta: { headers: { "x-key": "[redacted]", accept: "a" } },
    });
    const path = `${webhook}/samples/${made.body.data.id}`;
    const changed = await api.ask("PATCH", path, { data: { body: { card: "5" } } });
    expect(changed.body.data.data.body).toEqual({ card: "[redacted]" });
    const refused = await api.ask("POST", `${webhook}/samples`, { name: "x", data: { nope: 1 } });
    expect(refused.status).toBe(400);
    expect(refused.faults[0]).toMatch(/^BODY_INVALID \/data\/data/);
  });

  it("has a name of its own, and the workflow at most 100, also of requests at once", async () => {
    const made = await api.ask("POST", "/workflows", {
      slug: "full",
      name: "Full",
      definition: { trigger: { kind: "manual", executeAs: api.user.id }, steps: [] },
    });
    const path = `/workflows/${made.body.data.id}/samples`;
    await api.test.database.query(
      `insert into system.workflow_samples (workflow_id, name, data)
       select $1::text::uuid, 'n' || n, '1' from generate_series(1, 98) n`,
      [made.body.data.id],
    );
    const taken = await api.ask("POST", path, { name: "n1", data: 1 });
    expect(taken.faults).toEqual(["CONFLICT /data/name"]);
    const statuses = await Promise.all(
      ["p", "q", "r", "s", "t"].map(
        async (name) => (await api.ask("POST", path, { name, data: 1 })).status,
      ),
    );
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409, 409]);
  });

  it("is refused with a fault at each field", async () => {
    for (const data of [
      {},
      { name: "x" },
      { name: "", data: 1 },
      { name: "x".repeat(201), data: 1 },
      { name: "x", data: 1, run },
      { name: "x", data: { a: "\0" } },
      { name: "a\0", data: 1 },
    ]) {
      const refused = await api.ask("POST", `${manual}/samples`, data);
      expect([data, refused.status]).toEqual([data, 400]);
      expect(refused.faults.every((fault) => fault.startsWith("BODY_INVALID"))).toBe(true);
    }
    expect((await api.ask("GET", `${webhook}/samples/${nobody}`)).status).toBe(404);
    const other = (await api.ask("POST", `${manual}/samples`, { name: "own", data: 1 })).body.data;
    for (const method of ["GET", "DELETE"]) {
      expect((await api.ask(method, `${webhook}/samples/${other.id}`)).status).toBe(404);
    }
    expect((await api.ask("PATCH", `${webhook}/samples/${other.id}`, { name: "x" })).status).toBe(
      404,
    );
  });
});

describe("an example", () => {
  it("is pinned from a value or a step of a run, replaced, listed and deleted", async () => {
    const path = `${manual}/examples/ask`;
    const pinned = await api.send("PUT", path, '{"data":{"output":{"n":1.50}}}');
    expect(pinned.body.data).toMatchObject({ step: "ask", updatedAt: expect.any(String) });
    expect(await (await api.raw("GET", path, undefined)).text()).toContain('{"n":1.50}');
    const replaced = await api.ask("PUT", path, { run, path: "loop.3.ask" });
    expect(replaced.body.data.output).toEqual({ n: 1.5 });
    await api.ask("PUT", `${manual}/examples/another`, { output: null });
    const list = await api.ask("GET", `${manual}/examples`);
    expect(list.body.data).toEqual([
      { step: "another", updatedAt: expect.any(String) },
      { step: "ask", updatedAt: expect.any(String) },
    ]);
    expect((await api.ask("DELETE", path)).status).toBe(204);
    expect((await api.ask("DELETE", path)).status).toBe(404);
    expect((await api.ask("GET", path)).status).toBe(404);
    expect((await actions()).filter((entry) => entry.includes("pin"))).toEqual([
      "workflow.pin_example ask",
      "workflow.pin_example ask",
      "workflow.pin_example another",
      "workflow.unpin_example ask",
    ]);
  });

  it("is refused with a fault at its field", async () => {
    const put = async (data: unknown, workflow = manual) =>
      (await api.ask("PUT", `${workflow}/examples/ask`, data)).faults;
    expect(await put({ run: nobody, path: "ask" })).toEqual(["BODY_INVALID /data/run"]);
    expect(await put({ run, path: "ask" }, webhook)).toEqual(["BODY_INVALID /data/run"]);
    expect(await put({ run, path: "bad" })).toEqual(["BODY_INVALID /data/path"]);
    expect(await put({ run, path: "none" })).toEqual(["BODY_INVALID /data/path"]);
    expect(await put({ run, path: "\0" })).toEqual(["BODY_INVALID /data/path"]);
    expect(await put({ output: { a: "\0" } })).toEqual(["BODY_INVALID /data/output/a"]);
    for (const data of [{}, { run }, { output: 1, run, path: "ask" }]) {
      expect((await put(data))[0]).toMatch(/^BODY_INVALID/);
    }
    for (const step of ["nosuchstep", "a%20b", "constructor", "x".repeat(64)]) {
      const refused = await api.ask("PUT", `${manual}/examples/${step}`, { output: 1 });
      expect([step, refused.status]).toEqual([step, 404]);
    }
  });

  it("belongs to a step of the draft or of the published version", async () => {
    const definition = {
      trigger: { kind: "manual", executeAs: api.user.id },
      steps: [{ id: "fresh", kind: "delay", seconds: 0 }],
    };
    const made = await api.ask("POST", "/workflows", { slug: "renamed", name: "R", definition });
    const path = `/workflows/${made.body.data.id}`;
    const put = async (step: string) =>
      (await api.ask("PUT", `${path}/examples/${step}`, { output: 1 })).status;
    await api.ask("POST", `${path}/publish`);
    const steps = [{ id: "newer", kind: "delay", seconds: 0 }];
    await api.ask("PATCH", path, { definition: { ...definition, steps } });
    expect([await put("fresh"), await put("newer"), await put("older")]).toEqual([200, 200, 404]);
    await api.ask("DELETE", path);
  });

  it("a workflow has at most 500", async () => {
    const id = webhook.replace("/workflows/", "");
    await api.test.database.query(
      `insert into system.workflow_examples (workflow_id, step_id, output)
       select $1::text::uuid, 's' || n, '1' from generate_series(1, 500) n`,
      [id],
    );
    expect((await api.ask("PUT", `${webhook}/examples/more`, { output: 1 })).faults).toEqual([
      "CONFLICT",
    ]);
    await api.test.database.query(
      "delete from system.workflow_examples where workflow_id = $1::text::uuid and step_id = 's1'",
      [id],
    );
    for (const output of [1, 2]) {
      const pinned = await api.ask("PUT", `${webhook}/examples/more`, { output });
      expect(pinned.status).toBe(200);
    }
  });
});

it("samples and examples end with their workflow, and outlive their authors and runs", async () => {
  await api.ask("PUT", `${manual}/examples/ask`, { output: 1 });
  const count = async () => {
    const [row] = await api.test.database.query<{ count: number }>(
      `select ((select count(*) from system.workflow_samples s join system.workflows w on w.id = s.workflow_id where w.slug = 'hand')
         + (select count(*) from system.workflow_examples e join system.workflows w on w.id = e.workflow_id where w.slug = 'hand'))::integer as count`,
    );
    return row?.count;
  };
  const before = await count();
  await api.test.database.query("delete from system.workflow_runs where id = $1::text::uuid", [
    run,
  ]);
  expect(await count()).toBe(before);
  const list = await api.ask("GET", `${manual}/samples?search=of a run`);
  expect(list.body.data[0].runId).toBeNull();
  expect((await api.ask("DELETE", manual)).status).toBe(204);
  expect(await count()).toBe(0);
});
