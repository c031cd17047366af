// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query(
    `create table public.trips (id int primary key generated always as identity, name text not null, km numeric,
       twice numeric generated always as (km * 2) stored)`,
  );
  await api.test.database.query("create view public.all_trips as select id from public.trips");
  for (const [name, exposedMethods] of [
    ["trips", ["GET", "POST", "PATCH"]],
    ["all_trips", ["GET"]],
    ["files", ["GET", "POST"]],
  ] as const) {
    const { body } = await api.ask("GET", `/resources?search=.${name}`);
    const exposed = await api.ask("PATCH", `/resources/${body.data[0].id}`, { exposedMethods });
    expect(exposed.status).toBe(200);
  }
});
afterAll(() => api.test.drop());

interface Fault {
  readonly path: string;
  readonly severity: string;
  readonly message: string;
}
async function check(definition: unknown) {
  const { status, body } = await api.ask("POST", "/workflow-definitions/check", { definition });
  expect([status, body.errors]).toEqual([200, undefined]);
  const { faults }: { faults: Fault[] } = body.data;
  const pathsOf = (severity: string) =>
    faults.filter((fault) => fault.severity === severity).map(({ path }) => path);
  return { ...body.data, errors: pathsOf("ERROR"), warnings: pathsOf("WARNING") };
}
/** Runs of an administrator, who has every permission. */
const manual = () => ({ kind: "manual", executeAs: api.admin.id });

describe("the check of a definition", () => {
  it("returns a valid definition with its defaults, and stores nothing", async () => {
    const { definition, faults, secrets } = await check({
      trigger: manual(),
      steps: [{ id: "end", kind: "finish", result: "{{start.data}}" }],
    });
    expect(faults).toEqual([]);
    expect(secrets).toEqual([]);
    expect(definition).toMatchObject({ priority: "NORMAL", concurrency: null });
    expect((await api.ask("GET", "/workflows")).body.data).toEqual([]);
  });

  it("returns the faults of the form, with pointers into the definition", async () => {
    const { definition, errors } = await check({
      trigger: manual(),
      steps: [
        { id: "a b", kind: "delay" },
        { id: "c", kind: "createRow" },
      ],
    });
    expect(definition).toBeNull();
    expect(errors).toEqual(["/steps/0/id", "/steps/1/table", "/steps/1/values"]);
    for (const hostile of [null, "text", [], 1, { steps: [[[[]]]] }]) {
      expect((await check(hostile)).errors.length).toBeGreaterThan(0);
    }
  });

  it("returns what a publish refuses: templates, conditions, secrets, users, watched tables", async () => {
    const { errors, secrets } = await check({
      trigger: { kind: "databaseEvent", table: "nope", on: ["insert"], executeAs: nobody },
      steps: [
        { id: "a", kind: "setValues", values: { "x/y": "{{steps.b.id}}" } },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        { id: "b", kind: "condition", expression: "start.data ==", then: [] },
        {
          id: "c",
          kind: "httpRequest",
          url: "https://a.example/",
          headers: { k: "{{secrets.NO}}" },
        },
      ],
    });
    expect(errors.sort()).toEqual([
      "/steps/0/values/x~1y",
      "/steps/1/expression",
      "/steps/2/headers/k",
      "/trigger/executeAs",
      "/trigger/table",
    ]);
    expect(secrets).toEqual(["NO"]);
  });

  it("publishes exactly the definitions that it finds no error in", async () => {
    const definitions = [
      { trigger: manual(), steps: [{ id: "end", kind: "finish" }] },
      { trigger: manual(), steps: [] },
      { trigger: { kind: "manual", executeAs: nobody }, steps: [{ id: "end", kind: "finish" }] },
      { trigger: manual(), steps: [{ id: "r", kind: "runWorkflow", workflow: "no-such" }] },
    ];
    for (const [index, definition] of definitions.entries()) {
      const { errors } = await check(definition);
      const made = await api.ask("POST", "/workflows", {
        slug: `checked-${index}`,
        name: "Checked",
        definition,
      });
      const published = await api.ask("POST", `/workflows/${made.body.data.id}/publish`);
      expect([index, published.status === 200]).toEqual([index, errors.length === 0]);
    }
  });

  it("warns of tables, columns, workflows and documents that do not exist", async () => {
    const { errors, warnings } = await check({
      trigger: manual(),
      steps: [
        { id: "a", kind: "listRows", table: "missing" },
        {
          id: "b",
          kind: "listRows",
          table: "trips",
          fields: 'id, nope, "any text"',
          orderBy: "-_rank,-km,wrong:nulls_last",
          where: { _or: [{ km: { _gt: 1 } }, { speed: { _gt: 1 } }], nope: { _eq: 1 } },
        },
        { id: "c", kind: "createRow", table: "trips", values: { km: 1, twice: 2, colour: "red" } },
        { id: "d", kind: "getRow", table: "trips", key: ["1", "2"] },
        { id: "v", kind: "deleteRows", table: "all_trips", where: {} },
        { id: "w", kind: "listRows", table: "all_trips", fields: "id" },
        { id: "e", kind: "runWorkflow", workflow: "no-such" },
        { id: "f", kind: "renderDocument", template: "no-such", name: "a.html" },
        { id: "l", kind: "getRow", table: "trips", key: 1, fields: ["id", "nope"] },
      ],
    });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      "/steps/0/table",
      "/steps/1/fields",
      "/steps/1/orderBy",
      "/steps/1/where/_or/1/speed",
      "/steps/1/where/nope",
      "/steps/2/values/twice",
      "/steps/2/values/colour",
      "/steps/2/values",
      "/steps/3/key",
      "/steps/4/table",
      "/steps/8/fields",
      "/steps/6/workflow",
      "/steps/7/template",
    ]);
    const fine = await check({
      trigger: manual(),
      steps: [
        { id: "a", kind: "createRow", table: "trips", values: { name: "{{start.data.name}}" } },
        { id: "b", kind: "getRow", table: "trips", key: "{{steps.a.id}}", fields: "*" },
        { id: "c", kind: "updateRows", table: "trips", key: 1, values: { km: 2 } },
      ],
    });
    expect(fine.faults).toEqual([]);
  });

  it("warns of tables that are not exposed, and of permissions that the user of the runs lacks", async () => {
    const steps = [
      { id: "a", kind: "deleteRows", table: "trips", key: 1 },
      { id: "b", kind: "createRow", table: "trips", values: { name: "a", km: 1 } },
      { id: "c", kind: "updateRows", table: "trips", key: 1, values: { km: 1 } },
      { id: "d", kind: "listRows", table: "trips" },
      { id: "e", kind: "storeFile", name: "a.txt", content: "a" },
    ];
    const trigger = { kind: "manual", executeAs: api.user.id };
    const all = await check({ trigger, steps });
    expect(all.errors).toEqual([]);
    expect(all.warnings).toEqual([
      "/steps/0/table",
      "/steps/1/table",
      "/steps/2/table",
      "/steps/3/table",
      "/steps/4",
    ]);
    const messages = all.faults.map(({ message }: Fault) => message);
    expect(messages[0]).toBe("The resource public.trips does not expose DELETE");
    expect(messages[1]).toBe("The user of the runs has no permission CREATE on public.trips");

    const roles = await api.ask("GET", "/roles?search=Drivers");
    const { body } = await api.ask("GET", "/resources?search=.trips");
    const grant = { roleId: roles.body.data[0].id, resourceId: body.data[0].id };
    for (const more of [
      { action: "CREATE", fields: ["name"] },
      { action: "READ", fields: ["id"] },
    ]) {
      const made = await api.ask("POST", "/grants", { ...grant, ...more });
      expect([more, made.status, made.faults]).toEqual([more, 201, []]);
    }
    expect((await check({ trigger, steps })).warnings).toEqual([
      "/steps/0/table",
      "/steps/1/values/km",
      "/steps/2/table",
      "/steps/4",
    ]);
    // Its callers are not known, so only what no user may do is reported.
    const called = { kind: "webhook", access: "AUTHENTICATED" };
    expect((await check({ trigger: called, steps })).warnings).toEqual(["/steps/0/table"]);
    expect((await check({ trigger: manual(), steps })).warnings).toEqual(["/steps/0/table"]);
  });

  it("requires a definition", async () => {
    const refused = async (data: unknown) =>
      (await api.ask("POST", "/workflow-definitions/check", data)).faults;
    expect(await refused({})).toEqual(["BODY_INVALID /data/definition"]);
    expect(await refused({ definition: {}, more: 1 })).toEqual(["BODY_INVALID /data/more"]);
    expect(await refused(null)).toEqual(["BODY_INVALID /data"]);
  });
});

describe("GET /admin/api/workflow-warnings", () => {
  it("lists enabled workflows whose published definition has faults, until they are gone or disabled", async () => {
    await api.test.database.query("create table public.stops (id int primary key)");
    const { body: resources } = await api.ask("GET", "/resources?search=.stops");
    await api.ask("PATCH", `/resources/${resources.data[0].id}`, { exposedMethods: ["GET"] });
    const made = async (slug: string, table: string) => {
      const definition = {
        trigger: manual(),
        steps: [{ id: "read", kind: "listRows", table }],
      };
      const { body } = await api.ask("POST", "/workflows", { slug, name: slug, definition });
      expect((await api.ask("POST", `/workflows/${body.data.id}/publish`)).status).toBe(200);
      await api.ask("POST", `/workflows/${body.data.id}/enable`);
      return body.data.id as string;
    };
    const id = await made("reads-stops", "stops");
    await made("reads-trips", "trips");
    const warned = async () => (await api.ask("GET", "/workflow-warnings")).body.data;
    expect(await warned()).toEqual([]);
    await api.test.database.query("drop table public.stops");
    expect(await warned()).toEqual([
      {
        id,
        name: "reads-stops",
        count: 1,
        first: expect.objectContaining({ path: "/steps/0/table", severity: "WARNING" }),
      },
    ]);
    await api.ask("POST", `/workflows/${id}/disable`);
    expect(await warned()).toEqual([]);
  });
});
