// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query(
    `create table public.trips (id int primary key generated always as identity, name text not null, km numeric, tags text[])`,
  );
  await api.ask("POST", "/workflow-secrets", { name: "CRM_KEY", value: "k-0123456789" });
});
afterAll(() => api.test.drop());

let count = 0;
async function workflow(steps: object[], trigger: object = {}): Promise<string> {
  count += 1;
  const made = await api.ask("POST", "/workflows", {
    slug: `flow-${count}`,
    name: "Flow",
    definition: { trigger: { kind: "webhook", executeAs: api.user.id, ...trigger }, steps },
  });
  expect(made.faults).toEqual([]);
  return made.body.data.id;
}
const complete = async (id: string, step: string | null, definition?: unknown) => {
  const answer = await api.ask("POST", `/workflows/${id}/completions`, {
    step,
    ...(definition === undefined ? {} : { definition }),
  });
  expect(answer.faults).toEqual([]);
  return answer.body.data;
};
const names = (shape: { properties?: object }) => Object.keys(shape.properties ?? {});

/** Writes an ended run and its journal, as a worker leaves them. */
async function record(id: string, input: unknown, outputs: Record<string, unknown>): Promise<void> {
  await api.ask("POST", `/workflows/${id}/publish`);
  await api.test.database.query(
    `with run as (
       insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, status, accepted_at, started_at, finished_at)
       select id, published_version_id, $2::text::uuid, $3::text::json, 'SUCCEEDED', now(), now(), now()
       from system.workflows where id = $1::text::uuid returning id)
     insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at, finished_at)
     select run.id, e.key, 0, 'setValues', 'SUCCEEDED', e.value, 1, now(), now() from run, json_each($4::text::json) e`,
    [id, api.user.id, JSON.stringify(input), JSON.stringify(outputs)],
  );
}

const end = { id: "end", kind: "finish" };

describe("completions", () => {
  it("name what a step can read: earlier steps by branch and loop, variables, errors and the item", async () => {
    const id = await workflow([
      { id: "trip", kind: "getRow", table: "trips", key: "1", onError: "continue" },
      { id: "set", kind: "setValues", values: { who: "{{steps.trip.name}}", far: true } },
      {
        id: "known",
        kind: "condition",
        expression: "true",
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "yes", kind: "deleteRows", table: "trips", key: "1" }],
        else: [{ id: "no", kind: "setValues", values: { other: 1 } }],
      },
      { id: "rows", kind: "listRows", table: "trips", fields: ["id", "tags"] },
      {
        id: "loop",
        kind: "forEach",
        items: "{{steps.rows}}",
        steps: [
          { id: "inner", kind: "setValues", values: { one: "{{item.tags}}" } },
          { id: "last", kind: "setValues", values: {} },
        ],
        onError: { steps: [{ id: "caught", kind: "setValues", values: {} }] },
      },
      end,
    ]);
    expect(names((await complete(id, "trip")).steps)).toEqual([]);
    const no = await complete(id, "no");
    expect(names(no.steps)).toEqual(["trip", "set"]);
    expect(no.vars.properties).toMatchObject({ who: { type: "string" }, far: { type: "boolean" } });
    expect(names(no.errors)).toEqual(["trip"]);
    expect(no.item).toBeNull();
    const last = await complete(id, "last");
    expect(names(last.steps)).toEqual(["trip", "set", "yes", "no", "known", "rows", "inner"]);
    expect(last.item.properties).toMatchObject({
      id: { type: "number" },
      tags: { type: "array", items: { type: "string" } },
    });
    expect(names(last.item)).toEqual(["id", "tags"]);
    expect(last.index.type).toBe("number");
    expect(last.vars.properties.one).toMatchObject({ type: "array" });
    const caught = await complete(id, "caught");
    expect(names(caught.steps)).toEqual(["trip", "set", "yes", "no", "known", "rows", "loop"]);
    expect(names(caught.errors)).toEqual(["trip", "loop"]);
    expect(caught.item).toBeNull();
    const after = await complete(id, "end");
    expect(names(after.steps)).toEqual([
      ...["trip", "set", "yes", "no", "known", "rows", "loop", "caught"],
    ]);
    expect(after.steps.properties).toMatchObject({
      trip: { type: "object", properties: { km: { type: "string" }, name: { type: "string" } } },
      yes: { type: "number" },
      known: { type: "boolean" },
      rows: { type: "array", items: { type: "object" } },
    });
  });

  it("everything that they name, and nothing else of the steps, compiles at that step", async () => {
    const steps = [
      { id: "a", kind: "setValues", values: { x: 1 } },
      {
        id: "loop",
        kind: "forEach",
        items: [1],
        steps: [
          { id: "b", kind: "setValues", values: { y: 1 } },
          { id: "c", kind: "finish" },
        ],
      },
      { id: "d", kind: "finish" },
    ];
    const id = await workflow(steps);
    for (const [place, allowed] of [
      ["c", ["a", "b"]],
      ["d", ["a", "loop"]],
    ] as const) {
      expect(names((await complete(id, place)).steps)).toEqual(allowed);
      for (const name of ["a", "b", "c", "d", "loop"]) {
        const text = JSON.stringify(steps).replace(
          `{"id":"${place}","kind":"finish"}`,
          `{"id":"${place}","kind":"finish","result":"{{steps.${name}}}"}`,
        );
        const { body } = await api.ask("POST", "/workflow-definitions/check", {
          definition: {
            trigger: { kind: "manual", executeAs: api.user.id },
            steps: JSON.parse(text),
          },
        });
        expect([place, name, body.data.faults.length === 0]).toEqual([
          place,
          name,
          (allowed as readonly string[]).includes(name),
        ]);
      }
    }
  });

  it("know the input and the outputs of the last runs, with short examples", async () => {
    const long = "x".repeat(500);
    const id = await workflow([
      { id: "ask", kind: "httpRequest", url: "https://a.example/" },
      {
        id: "loop",
        kind: "forEach",
        items: "{{start.data.body.list}}",
        steps: [{ id: "inner", kind: "httpRequest", url: "https://a.example/" }, end],
      },
      { id: "after", kind: "finish" },
    ]);
    await record(
      id,
      { body: { plate: "GO-1", list: [{ n: 1 }] } },
      {
        ask: {
          status: 200,
          body: { name: "Ada", deep: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
        },
        "loop.0.inner": { status: 200, body: "first" },
      },
    );
    await record(
      id,
      { body: { plate: long, list: [{ n: 2, more: "m" }] } },
      {
        ask: { status: 200, body: { name: null, age: 7 } },
      },
    );
    const { start, steps, item } = await complete(id, "end");
    const { body } = start.properties.data.properties;
    expect(body).toMatchObject({ type: "object", source: "RUNS" });
    expect(body.properties.plate.examples).toEqual([`${"x".repeat(79)}…`, "GO-1"]);
    expect(start.properties.data.properties.meta.properties.ip.source).toBe("DEFINITION");
    expect(names(item)).toEqual(["n", "more"]);
    const { ask, inner } = steps.properties;
    expect(ask.properties.status).toMatchObject({ type: "number", source: "DEFINITION" });
    expect(ask.properties.body.properties).toMatchObject({
      name: { type: "string", examples: ["Ada"] },
      age: { type: "number" },
    });
    expect(JSON.stringify(ask)).not.toContain('"e"');
    expect(inner.properties.body).toMatchObject({ type: "string", examples: ["first"] });
    // A run of another workflow is not read.
    const other = await workflow([
      { id: "ask", kind: "httpRequest", url: "https://a.example/" },
      end,
    ]);
    expect((await complete(other, "end")).steps.properties.ask.properties.body.type).toBe("any");
  });

  it("work on a definition with faults, and stay bounded on a hostile one", async () => {
    const id = await workflow([end]);
    const faulty = {
      trigger: { kind: "databaseEvent", table: "trips" },
      steps: [
        null,
        { id: "row", kind: "createRow", table: "" },
        { id: "typo", kind: "nope" },
        { id: "text", kind: "setValues", values: { a: "{{", __proto__x: 1, b: "{{steps.row" } },
        { id: "here", kind: "finish", result: 5 },
      ],
    };
    const found = await complete(id, "here", faulty);
    expect(names(found.steps)).toEqual(["row", "typo", "text"]);
    expect(names(found.start.properties.data.properties.new)).toEqual(["id", "name", "km", "tags"]);
    let deep: unknown = { id: "deepest", kind: "finish" };
    for (let level = 0; level < 28; level += 1) {
      deep = { id: `l${level}`, kind: "forEach", items: [], steps: [deep] };
    }
    const wide = Array.from({ length: 3000 }, (_, index) => ({
      id: `s${index}`,
      kind: "listRows",
      table: "trips",
    }));
    for (const [step, steps] of [
      ["s2999", wide],
      ["none", []],
    ] as const) {
      const answer = await api.ask("POST", `/workflows/${id}/completions`, {
        step,
        definition: { steps },
      });
      expect(answer.faults).toEqual(["BODY_INVALID /data/step"]);
    }
    expect(names((await complete(id, "deepest", { steps: [deep] })).steps)).toEqual([]);
    expect(names((await complete(id, "s499", { steps: wide })).steps)).toHaveLength(499);
    const before = Reflect.ownKeys(Object.prototype);
    const raw = await api.send(
      "POST",
      `/workflows/${id}/completions`,
      `{"data":{"step":"b","definition":{"steps":[{"id":"a","kind":"setValues","values":{"__proto__":{"x":1}}},
        {"id":"__proto__","kind":"setValues","values":{}},{"id":"b","kind":"finish"}]}}}`,
    );
    expect(raw.status).toBe(200);
    expect(JSON.stringify(raw.body.data)).toContain('"__proto__"');
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });

  it("name the secrets only where a secret is allowed", async () => {
    const id = await workflow([
      { id: "ask", kind: "httpRequest", url: "https://a.example/" },
      { id: "say", kind: "setValues", values: {} },
    ]);
    expect((await complete(id, "ask")).secrets).toEqual(["CRM_KEY"]);
    expect((await complete(id, "say")).secrets).toEqual([]);
    const trigger = await complete(id, null);
    expect(trigger).toMatchObject({ secrets: [], item: null });
    expect(names(trigger.steps)).toEqual([]);
    expect(names(trigger.start.properties.data)).toEqual(["query", "body", "meta"]);
  });

  it("read few of the entries of a run of 20,000 steps", async () => {
    const id = await workflow([
      { id: "first", kind: "setValues", values: {} },
      {
        id: "loop",
        kind: "forEach",
        items: [],
        steps: [{ id: "inner", kind: "setValues", values: {} }, end],
      },
    ]);
    await record(id, {}, { first: { known: 1 } });
    await api.test.database.query(
      `insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at, finished_at)
       select r.id, 'loop.' || n || '.inner', n, 'setValues', 'SUCCEEDED', json_build_object('n', n), 1, now(), now()
       from system.workflow_runs r, generate_series(0, 19999) n where r.workflow_id = $1::text::uuid`,
      [id],
    );
    const { steps } = await complete(id, "end");
    expect(names(steps.properties.inner)).toEqual(["n"]);
    expect(names(steps.properties.first)).toEqual(["known"]);
  });

  it("of an unknown workflow are 404", async () => {
    const answer = await api.ask("POST", `/workflows/${nobody}/completions`, { step: null });
    expect(answer.status).toBe(404);
  });
});
