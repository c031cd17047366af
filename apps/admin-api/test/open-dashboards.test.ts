// Tiers: usual, topologies.
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A shop: clerks see the orders of Oslo without the cost, managers see all orders with all fields.

let environment: TestEnvironment;
let clerk: TestUser;
let manager: TestUser;
let orders: string;
let people: string;
let roleIds: string[];

const query = (text: string) => environment.test.database.query<Record<string, string>>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await query(
    `create schema shop;
     create table shop.orders (id int primary key, city text not null, channel text, cost numeric(20, 4), owner_id uuid, placed_at timestamptz,
       big bigint, note text);
     insert into shop.orders select n, case when n % 2 = 0 then 'Oslo' else 'Hidden ' || n end,
       case when n % 2 = 1 then 'channel ' || n when n % 3 = 0 then 'web' when n % 3 = 1 then 'phone' end,
       n * 1000000000000.0001, null, now() - n * interval '1 hour', 9007199254740993 + n % 4, '$USER.email'
     from generate_series(1, 40) n`,
  );
  await query("insert into system.roles (name) values ('Clerks'), ('Managers')");
  clerk = await createUser(database, "clerk@example.com", "Clerks");
  manager = await createUser(database, "manager@example.com", "Managers");
  await query(`update shop.orders set owner_id = '${clerk.id}' where id in (2, 4, 5)`);
  await query(`update shop.orders set owner_id = '${manager.id}' where id in (6, 7)`);
  await expose(database, "shop", "orders", "GET");
  const idOf = async (sql: string) => (await query(sql))[0]?.id ?? "";
  orders = await idOf("select id from system.resources where relation_name = 'orders'");
  people = await idOf(
    "select id from system.resources where relation_name = 'users' and schema_name = 'system'",
  );
  const clerks = await idOf("select id from system.roles where name = 'Clerks'");
  const managers = await idOf("select id from system.roles where name = 'Managers'");
  roleIds = [clerks, managers];
  const fields = ["id", "city", "channel", "owner_id", "placed_at", "big", "note"];
  const rowFilter = { city: { _eq: "Oslo" } };
  const granted = [
    { roleId: clerks, resourceId: orders, action: "READ", fields, rowFilter },
    { roleId: managers, resourceId: orders, action: "READ" },
  ];
  for (const grant of granted) {
    expect((await environment.ask("POST", "/grants", grant)).faults).toEqual([]);
  }
});
afterAll(() => environment.test.drop());

const parameters = () => [
  { name: "period", label: "Period", kind: "PERIOD" },
  { name: "channel", label: "Channel", kind: "VALUE", resourceId: orders, field: "channel" },
  {
    name: "channels",
    label: "Channels",
    kind: "VALUE",
    resourceId: orders,
    field: "channel",
    multiple: true,
  },
  { name: "big", label: "Big", kind: "VALUE", resourceId: orders, field: "big" },
  { name: "cost", label: "Cost", kind: "VALUE", resourceId: orders, field: "cost" },
  { name: "owner", label: "Owner", kind: "PERSON" },
];
const bindings = [
  { parameter: "period", field: "placed_at" },
  { parameter: "channel", field: "channel" },
  { parameter: "channels", field: "channel" },
  { parameter: "big", field: "big" },
  { parameter: "owner", field: "owner_id" },
];
const count = { aggregate: ["count"] };
const panels = () => [
  { id: "all", kind: "FIGURE", resourceId: orders, definition: count, bindings },
  {
    id: "channels",
    kind: "CHART",
    resourceId: orders,
    definition: { ...count, groupBy: ["channel"], where: { note: { _nnull: true } } },
    bindings,
  },
  {
    id: "costs",
    kind: "CHART",
    resourceId: orders,
    definition: { ...count, groupBy: ["cost"] },
    bindings,
  },
  { id: "list", kind: "LIST", resourceId: orders, definition: { orderBy: ["id"] }, bindings },
  { id: "text", kind: "TEXT", definition: { markdown: "# Shop" } },
];
async function create(more: object = {}): Promise<string> {
  const made = await environment.ask("POST", "/dashboards", {
    ...{ name: "Shop", roleIds, parameters: parameters(), panels: panels() },
    ...more,
  });
  expect(made.faults).toEqual([]);
  return `/dashboards/${made.body.data.id}`;
}
const given = (values: object) => `parameters=${encodeURIComponent(JSON.stringify(values))}`;
const rows = (path: string, secret: string, text = "") =>
  environment.app(`${path}/rows?${text}`, secret);

describe("the parameters of a dashboard", () => {
  it("filter every panel that binds them, and only narrow", async () => {
    const path = await create();
    const figure = async (values: object, secret = clerk.secret) =>
      (await environment.app(`${path}/panels/all?${given(values)}`, secret)).body.data.figure.value;
    expect(await figure({})).toBe(20);
    expect(await figure({ channel: "web" })).toBe(6);
    expect(await figure({ channel: "channel 5" })).toBe(0);
    expect(await figure({ channels: ["web", "phone"] })).toBe(13);
    expect(await figure({ channels: [] })).toBe(20);
    expect(await figure({ owner: clerk.id })).toBe(2);
    expect(await figure({ owner: manager.id.toUpperCase() })).toBe(1);
    expect(await figure({ owner: manager.id }, manager.secret)).toBe(2);
    expect(await figure({ big: "9007199254740993" })).toBe(10);
    // A variable of the filter language is a text here.
    expect(await figure({ channel: "$USER.email" })).toBe(0);
    const opened = await environment.app(`${path}?${given({ channel: "web" })}`, clerk.secret);
    expect(opened.body.data.panels.map((panel: { kind: string }) => panel.kind)).toEqual([
      "FIGURE",
      "CHART",
      "CHART",
      "LIST",
      "TEXT",
    ]);
    expect(opened.body.data.panels[1].rows).toEqual([{ channel: "web", count: 6 }]);
    expect(opened.body.data.panels[3].rows).toHaveLength(6);
    expect(opened.body.data.panels[4].markdown).toBe("# Shop");
    expect(opened.body.data.panels[2]).toMatchObject({ error: { code: "ACTION_DENIED" } });
  });

  it("are refused at their name if they are unknown, unreadable or of another type", async () => {
    const path = await create();
    const faults = async (text: string) =>
      (await environment.app(`${path}?${text}`, clerk.secret)).faults;
    for (const [name, values] of [
      ["nope", { nope: 1 }],
      ["cost", { cost: "1" }],
      ["period", { period: "SOMETIMES" }],
      ["period", { period: { from: "2024-02-30", until: "2024-03-01" } }],
      ["period", { period: { from: "2024-03-01", until: "2024-03-01" } }],
      ["period", { period: { from: "2024-03-01", until: "2024-04-01", more: 1 } }],
      ["channel", { channel: ["web"] }],
      ["channel", { channel: { _neq: "web" } }],
      ["channel", { channel: "a\u0000b" }],
      ["channels", { channels: "web" }],
      ["channels", { channels: ["web", null] }],
      ["channels", { channels: Array.from({ length: 101 }, String) }],
      ["big", { big: "many" }],
      ["owner", { owner: "ME" }],
      ["owner", { owner: { id: clerk.id } }],
      ["constructor", { constructor: 1 }],
    ] as const) {
      expect(await faults(given(values)), JSON.stringify(values)).toEqual([
        `QUERY_INVALID parameters[${name}]`,
      ]);
    }
    expect(
      await faults(`parameters=${encodeURIComponent('{"__proto__":{"channel":"web"}}')}`),
    ).toEqual(["QUERY_INVALID parameters[__proto__]"]);
    for (const text of [
      "[]",
      "null",
      "1",
      '"x"',
      "{",
      "1.50",
      `${"[".repeat(300)}${"]".repeat(300)}`,
    ]) {
      expect(await faults(`parameters=${encodeURIComponent(text)}`), text).toEqual([
        "QUERY_INVALID parameters",
      ]);
    }
    expect(await faults(`parameters=${"x".repeat(20_001)}`)).toEqual(["QUERY_INVALID parameters"]);
    expect(await faults("panels=no")).toEqual(["QUERY_INVALID panels"]);
    expect(await faults("parameter={}")).toEqual(["QUERY_INVALID parameter"]);
  });

  it("that the reader may not read look like parameters that do not exist", async () => {
    const path = await create();
    const without = await create({
      parameters: parameters().filter(({ name }) => name !== "cost"),
    });
    const texts: string[] = [];
    for (const board of [path, without]) {
      const opened = await environment.app(`${board}?panels=false`, clerk.secret);
      const used = await environment.app(`${board}?${given({ cost: 1 })}`, clerk.secret);
      const choices = await environment.app(`${board}/parameters/cost/values`, clerk.secret);
      const { id: _, ...data } = opened.body.data;
      texts.push(
        JSON.stringify([data, used.body, choices.status, choices.body]).replaceAll(
          /"asOf":"[^"]*"/g,
          "",
        ),
      );
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).not.toContain('"cost"}');
    const seen = await environment.app(`${path}?panels=false`, manager.secret);
    expect(seen.body.data.parameters.map((item: { name: string }) => item.name)).toContain("cost");
    expect(seen.body.data.panels[0]).not.toHaveProperty("rows");
  });

  it("have the default of the reader: a named period in days, and the reader as a person", async () => {
    const path = await create({
      parameters: parameters().map((parameter) => ({
        ...parameter,
        ...(parameter.name === "owner" ? { default: "ME" } : {}),
        ...(parameter.name === "period" ? { default: "LAST_7_DAYS" } : {}),
      })),
    });
    const opened = (
      await environment.app(path, clerk.secret, { "X-Service-Timezone": "Pacific/Auckland" })
    ).body.data;
    const [today] = await query(
      `select (now() at time zone 'Pacific/Auckland')::date - 6 as "from", (now() at time zone 'Pacific/Auckland')::date + 1 as until`,
    );
    expect(opened.timeZone).toBe("Pacific/Auckland");
    const days = Object.fromEntries(
      Object.entries(today ?? {}).map(([key, value]) => [key, String(value).slice(0, 10)]),
    );
    expect(opened.parameters[0]).toMatchObject({ value: "LAST_7_DAYS", ...days });
    expect(opened.parameters.at(-1)).toMatchObject({ kind: "PERSON", value: clerk.id });
    expect(opened.panels[0].figure.value).toBe(2);
    const all = await environment.app(`${path}?${given({ owner: null })}`, clerk.secret);
    expect(all.body.data.panels[0].figure.value).toBe(20);
  });

  it("are checked when they are saved, with every fault at its path", async () => {
    const answer = await environment.ask("POST", "/dashboards", {
      name: "x",
      parameters: [
        ...parameters().slice(0, 2),
        { name: "channel", label: "x", kind: "PERIOD" },
        { name: "a", label: "x", kind: "VALUE", resourceId: orders, field: "nope" },
        { name: "b", label: "x", kind: "VALUE", resourceId: nobody, field: "id" },
        { name: "c", label: "x", kind: "VALUE", resourceId: orders, field: "big", default: "x" },
        { name: "d", label: "x", kind: "PERSON", resourceId: orders, field: "city" },
      ],
      panels: [
        { ...panels()[0], bindings: [{ parameter: "nope", field: "id" }] },
        { ...panels()[0], id: "b", bindings: [{ parameter: "period", field: "city" }] },
        { ...panels()[0], id: "c", bindings: [{ parameter: "channel", field: "big" }] },
        { ...panels()[0], id: "d", bindings: [], definition: { ...count, comparison: true } },
        {
          ...panels()[0],
          id: "e",
          bindings: [],
          definition: { ...count, time: { field: "city" } },
        },
        {
          ...panels()[3],
          id: "f",
          bindings: [],
          presentation: { version: 1, layout: "table", columns: [{ field: "nope" }] },
        },
        {
          id: "g",
          kind: "PIVOT",
          resourceId: orders,
          definition: { ...count, rows: ["nope"] },
        },
      ],
    });
    expect(answer.faults).toEqual([
      "BODY_INVALID /data/parameters/2/name",
      "FIELD_UNKNOWN /data/parameters/3/field",
      "BODY_INVALID /data/parameters/4/resourceId",
      "VALUE_INVALID /data/parameters/5/default",
      "BODY_INVALID /data/parameters/6/field",
      "BODY_INVALID /data/panels/0/bindings/0/parameter",
      "BODY_INVALID /data/panels/1/bindings/0/field",
      "BODY_INVALID /data/panels/2/bindings/0/field",
      "BODY_INVALID /data/panels/3/definition/time",
      "BODY_INVALID /data/panels/4/definition/time/field",
      "FIELD_UNKNOWN /data/panels/5/presentation/columns/0/field",
      "FIELD_UNKNOWN /data/panels/6/definition/rows",
    ]);
    const path = await create();
    expect((await environment.ask("PATCH", path, { parameters: [] })).faults).toContain(
      "BODY_INVALID /data/parameters",
    );
    expect((await environment.ask("PATCH", path, { name: "Other", position: 3 })).status).toBe(200);
  });

  it("and panels follow a renamed column", async () => {
    const path = await create();
    await query("alter table shop.orders rename channel to via");
    const opened = (await environment.app(`${path}?${given({ channel: "web" })}`, clerk.secret))
      .body.data;
    expect(opened.panels[1]).toMatchObject({
      names: ["via", "count"],
      rows: [{ via: "web", count: 6 }],
    });
    const stored = (await environment.ask("GET", path)).body.data;
    expect(stored.parameters[1].field).toBe("via");
    expect(stored.panels[0].bindings[1]).toEqual({ parameter: "channel", field: "via" });
    await query("alter table shop.orders rename via to channel");
  });
});

describe("known leaks of other products", () => {
  it("Metabase's leak: the choices of a filter do not name hidden values", async () => {
    const path = await create();
    const choices = async (name: string, secret: string, search = "") =>
      (await environment.app(`${path}/parameters/${name}/values?search=${search}`, secret)).body
        .data as { value: unknown; label: string }[];
    expect(await choices("channel", clerk.secret)).toEqual([
      { value: "phone", label: "phone" },
      { value: "web", label: "web" },
    ]);
    expect(await choices("channel", clerk.secret, "chan")).toEqual([]);
    expect(await choices("channel", clerk.secret, "WE")).toEqual([{ value: "web", label: "web" }]);
    expect(await choices("channel", manager.secret, "channel")).toHaveLength(20);
    expect(await choices("big", manager.secret, "993")).toEqual([
      { value: "9007199254740993", label: "9007199254740993" },
    ]);
    // Persons: the reader alone, until the Data API shows the reader the others.
    expect(await choices("owner", clerk.secret)).toEqual([
      { value: clerk.id, label: expect.stringContaining("clerk") },
    ]);
    await expose(environment.test.database, "system", "users", "GET");
    const [granted] = [
      await environment.ask("POST", "/grants", {
        ...{ roleId: roleIds[0], resourceId: people, action: "READ", fields: ["id", "name"] },
      }),
    ];
    expect(granted.faults).toEqual([]);
    expect((await choices("owner", clerk.secret)).length).toBeGreaterThan(2);
    await environment.ask("DELETE", `/grants/${granted.body.data.id}`);
    expect(await choices("owner", clerk.secret)).toHaveLength(1);
    expect((await environment.app(`${path}/parameters/cost/values`, clerk.secret)).status).toBe(
      404,
    );
    expect((await environment.app(`${path}/parameters/period/values`, clerk.secret)).status).toBe(
      404,
    );
  });

  it("Superset's leak: drill-through stays inside the row filter", async () => {
    const path = `${await create()}/panels`;
    const mark = (value: unknown) => `mark=${encodeURIComponent(JSON.stringify(value))}`;
    const hidden = await rows(`${path}/channels`, clerk.secret, mark({ channel: "channel 5" }));
    expect(hidden.body.data.rows).toEqual([]);
    const web = await rows(`${path}/channels`, clerk.secret, mark({ channel: "web" }));
    expect(web.body.data.rows).toHaveLength(6);
    expect(JSON.stringify(web.body)).not.toMatch(/cost|Hidden|_nnull/);
    const all = await rows(`${path}/all`, clerk.secret, "limit=1000");
    expect(all.body.data.rows).toHaveLength(20);
    const own = async (text: string) => rows(`${path}/all`, clerk.secret, text);
    const wider = `where=${encodeURIComponent('{"_or":[{"id":{"_gt":0}},{"city":{"_neq":"Oslo"}}]}')}`;
    expect((await own(`${wider}&limit=1000`)).body.data.rows).toHaveLength(20);
    for (const text of ['where={"cost":{"_gt":0}}', "order_by=-cost", "fields=id,cost"]) {
      const missing = text.replace("cost", "nothing");
      const [answer, unknown] = [await own(text), await own(missing)];
      expect(JSON.stringify(answer.body).replaceAll("cost", "nothing")).toBe(
        JSON.stringify(unknown.body),
      );
    }
    const file = await environment.fetchRaw(`/app/api${path}/all/rows?order_by=id&fields=id,city`, {
      headers: { Authorization: `Bearer ${clerk.secret}`, Accept: "text/csv" },
    });
    const lines = (await file.text()).trim().split(/\r?\n/);
    expect(lines).toHaveLength(21);
    expect(lines[1]).toBe("2,Oslo");
    expect((await rows(`${path}/costs`, clerk.secret, mark({}))).faults).toEqual(["ACTION_DENIED"]);
    expect(
      (await rows(`${path}/costs`, manager.secret, mark({ cost: "5000000000000.0005" }))).body.data
        .rows,
    ).toMatchObject([{ id: 5 }]);
  });
});

describe("marks", () => {
  it("that are no groups are refused, and select null and exact values", async () => {
    const path = `${await create()}/panels`;
    const faults = async (panel: string, text: string) =>
      (await rows(`${path}/${panel}`, clerk.secret, `mark=${encodeURIComponent(text)}`)).faults;
    for (const [text, fault] of [
      ['{"id":2}', "mark[id]"],
      ['{"count":6}', "mark[count]"],
      ['{"channel":{"_neq":"web"}}', "mark[channel]"],
      ['{"channel":["web"]}', "mark[channel]"],
      ['{"__proto__":{"channel":"web"}}', "mark[__proto__]"],
      ['{"constructor":"x"}', "mark[constructor]"],
      ["[]", "mark"],
      ["nothing", "mark"],
      [`${'{"a":'.repeat(250)}1${"}".repeat(250)}`, "mark"],
    ] as const) {
      expect(await faults("channels", text), text).toEqual([`QUERY_INVALID ${fault}`]);
    }
    const mark = encodeURIComponent('{"channel":null}');
    const none = await rows(`${path}/channels`, clerk.secret, `mark=${mark}`);
    expect(none.body.data.rows.every((row: { channel: unknown }) => row.channel === null)).toBe(
      true,
    );
    expect(none.body.data.rows).toHaveLength(7);
    for (const missing of ["nope", "constructor", "text%2F", "ALL"]) {
      expect((await rows(`${path}/${missing}`, clerk.secret)).status, missing).toBe(404);
    }
    const other = await create({ panels: [{ ...panels()[0], id: "other" }] });
    expect((await rows(`${path}/other`, clerk.secret)).status).toBe(404);
    expect((await rows(`${other}/panels/other`, clerk.secret)).status).toBe(200);
    expect((await rows(`${path}/text`, clerk.secret)).faults).toEqual(["ACTION_DENIED"]);
  });
});

describe("a dashboard", () => {
  it("loses a right with the next request, also for one panel, its rows and its choices", async () => {
    const path = await create();
    const addresses = [
      `${path}/panels/all`,
      `${path}/panels/all/rows`,
      `${path}/parameters/channel/values`,
    ];
    const state = async () => {
      const answers = [];
      for (const address of addresses) {
        const { status, body } = await environment.app(address, clerk.secret);
        answers.push(body.data?.error?.code ?? status);
      }
      return answers;
    };
    expect(await state()).toEqual([200, 200, 200]);
    await expose(environment.test.database, "shop", "orders");
    expect(await state()).toEqual(["ACTION_DENIED", 403, 404]);
    await expose(environment.test.database, "shop", "orders", "GET");
    expect(await state()).toEqual([200, 200, 200]);
    await environment.ask("PATCH", path, { roleIds: [roleIds[1]] });
    expect(await state()).toEqual([404, 404, 404]);
    const closed = await environment.app(`${path}/panels/all`, clerk.secret);
    const missing = await environment.app(`/dashboards/${nobody}/panels/all`, clerk.secret);
    expect(closed.body).toEqual(missing.body);
  });

  it("keeps the other panels if one fails", async () => {
    await query(
      "create view shop.broken as select 1 as id, 1 / (select 0 * count(*) from shop.orders) as x",
    );
    await expose(environment.test.database, "shop", "broken", "GET");
    const [broken] = await query("select id from system.resources where relation_name = 'broken'");
    const path = await create({
      panels: [
        panels()[0],
        {
          id: "broken",
          kind: "FIGURE",
          resourceId: broken?.id,
          definition: { aggregate: ["max(x)"] },
        },
        panels()[1],
      ],
    });
    const opened = await environment.app(path, environment.admin.secret);
    expect(opened.status).toBe(200);
    expect(opened.body.data.panels[0].figure.value).toBe(40);
    expect(opened.body.data.panels[1].error.code).toEqual(expect.any(String));
    expect(opened.body.data.panels[1].error.message).toBe(
      "A result of this aggregation cannot be computed: a division by zero",
    );
    expect(opened.body.data.panels[2].rows.length).toBeGreaterThan(2);
    await query("drop view shop.broken");
  });

  it("reads equal readings once", async () => {
    // Each reading of the view takes one number of the sequence.
    await query(
      `create sequence shop.reads; create view shop.counted as
       select v.id from (values (1)) v (id) where nextval('shop.reads') > 0`,
    );
    await expose(environment.test.database, "shop", "counted", "GET");
    const [counted] = await query(
      "select id from system.resources where relation_name = 'counted'",
    );
    const panel = { kind: "FIGURE", resourceId: counted?.id, definition: count };
    const grouped = { ...panel, kind: "CHART", definition: { ...count, groupBy: ["id"] } };
    const path = await create({
      panels: Array.from({ length: 12 }, (_, n) => ({ ...(n % 2 ? panel : grouped), id: `p${n}` })),
    });
    const opened = (await environment.app(path, environment.admin.secret)).body.data;
    expect(opened.panels.every((item: { rows: object[] }) => item.rows.length === 1)).toBe(true);
    expect(await query("select last_value::text as n from shop.reads")).toEqual([{ n: "2" }]);
    await query("drop view shop.counted");
  });

  it("previews what a person would see, without storing it, and records it", async () => {
    const [before] = await query("select count(*) as n from system.dashboards");
    const body = {
      dashboard: { name: "Draft", parameters: parameters(), panels: panels() },
      parameters: { channel: "web" },
    };
    const asClerk = await environment.ask("POST", "/dashboards/preview", {
      ...body,
      as: { userId: clerk.id },
    });
    expect(asClerk.body.data.panels[0].figure.value).toBe(6);
    expect(asClerk.body.data.panels[2].error.code).toBe("ACTION_DENIED");
    const asSelf = await environment.ask("POST", "/dashboards/preview", {
      ...body,
      panelId: "all",
    });
    expect(asSelf.body.data.figure.value).toBe(6);
    const asRoles = await environment.ask("POST", "/dashboards/preview", {
      ...{ ...body, parameters: {} },
      as: { roleIds: [roleIds[1]] },
    });
    expect(asRoles.body.data.panels[0].figure.value).toBe(40);
    const refused = async (more: object) =>
      (await environment.ask("POST", "/dashboards/preview", { ...body, ...more })).faults;
    expect(await refused({ parameters: { nope: 1 } })).toEqual([
      "QUERY_INVALID /data/parameters/nope",
    ]);
    expect(await refused({ panelId: "nope" })).toEqual(["NOT_FOUND"]);
    expect(await refused({ as: { userId: nobody } })).toEqual(["VALUE_INVALID /data/as/userId"]);
    expect(
      await refused({ dashboard: { name: "x", panels: [{ ...panels()[0], resourceId: nobody }] } }),
    ).toContain("BODY_INVALID /data/dashboard/panels/0/resourceId");
    expect(await query("select count(*) as n from system.dashboards")).toEqual([before]);
    const log = (await environment.ask("GET", "/audit-log?action=permission.preview")).body.data;
    expect(log.length).toBe(2);
  });

  it("places panels without a place below the others, and refuses a place outside the grid", async () => {
    const path = await create({
      panels: [
        { ...panels()[0], layout: { x: 9, y: 2, w: 3, h: 4 } },
        { ...panels()[4] },
        { ...panels()[1] },
      ],
    });
    const { panels: stored } = (await environment.ask("GET", path)).body.data;
    expect(stored.map((panel: { layout: object }) => panel.layout)).toEqual([
      { x: 9, y: 2, w: 3, h: 4 },
      { x: 0, y: 6, w: 12, h: 3 },
      { x: 0, y: 9, w: 6, h: 6 },
    ]);
    const faults = async (layout: object) =>
      (await environment.ask("PATCH", path, { panels: [{ ...panels()[0], layout }] })).faults;
    expect(await faults({ x: 10, y: 0, w: 3, h: 1 })).toEqual([
      "BODY_INVALID /data/panels/0/layout",
    ]);
    expect(await faults({ x: 0, y: 1000, w: 3, h: 1 })).toEqual([
      "BODY_INVALID /data/panels/0/layout/y",
    ]);
  });
});

describe("the home of a person", () => {
  it("keeps what is pinned and what was opened last, and refuses more than its maximum", async () => {
    const change = (home: object) =>
      environment.changeApp("PATCH", "/preferences", clerk.secret, { home });
    const pinned = [{ kind: "dashboard", id: nobody }];
    const recent = [{ kind: "dataView", id: nobody, openedAt: "2026-05-01T08:00:00Z" }];
    expect((await change({ pinned, recent })).body.data).toEqual({ home: { pinned, recent } });
    expect((await change({ recent: null })).body.data).toEqual({ home: { pinned } });
    const many = (length: number) => Array.from({ length }, () => pinned[0]);
    expect((await change({ pinned: many(51) })).faults).toEqual(["BODY_INVALID /data/home/pinned"]);
    expect((await change({ pinned: [{ kind: "panel", id: nobody }] })).faults).toEqual([
      "BODY_INVALID /data/home/pinned/0/kind",
    ]);
    expect((await change({ recent: [{ ...recent[0], openedAt: "today" }] })).faults).toEqual([
      "BODY_INVALID /data/home/recent/0/openedAt",
    ]);
  });
});
