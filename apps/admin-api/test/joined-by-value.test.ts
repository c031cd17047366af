// Tiers: long, topologies. One of the slowest.
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// References whose text is not the text of the key, and groups whose text is no usual date.

let api: TestEnvironment;
let ann: TestUser;
let roleId: string;

const run = (sql: string) => api.test.database.query<Record<string, string>>(sql);

beforeAll(async () => {
  api = await openTestEnvironment();
  await run(`create extension citext; create schema shop;
    create collation shop.nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create type shop.pair as (a int, b int);
    insert into system.roles (name) values ('Readers')`);
  ann = await createUser(api.test.database, "ann@example.com", "Readers");
  const [role] = await run("select id from system.roles where name = 'Readers'");
  roleId = role?.id ?? "";
});
afterAll(() => api.test.drop());

async function open(name: string): Promise<string> {
  await expose(api.test.database, "shop", name, "GET");
  const [found] = await run(
    `select id from system.resources where schema_name = 'shop' and relation_name = '${name}'`,
  );
  const resourceId = found?.id ?? "";
  const made = await api.ask("POST", "/grants", { roleId, resourceId, action: "READ" });
  expect(made.faults).toEqual([]);
  return resourceId;
}

/** Creates two tables with a foreign key, and opens the second. */
async function createPair(name: string, type: string, keys: string, values: string) {
  await run(`create table shop.${name}_kinds (code ${type} primary key, name text not null);
    create table shop.${name} (id int primary key, code ${type} references shop.${name}_kinds, note text);
    insert into shop.${name}_kinds values ${keys};
    insert into shop.${name} values ${values}`);
  await open(`${name}_kinds`);
  return open(name);
}

async function openView(resourceId: string, presentation: object = {}) {
  const body = { name: `V ${Math.random()}`, resourceId, roleIds: [roleId], orderBy: ["id"] };
  const made = await api.ask("POST", "/data-views", { ...body, ...presentation });
  expect(made.faults).toEqual([]);
  return `/data-views/${made.body.data.id}`;
}

const pairs: readonly (readonly [
  name: string,
  type: string,
  keys: string,
  values: string,
  titles: object,
  groups: readonly (readonly [value: unknown, count: number])[],
])[] = [
  [
    "citext",
    "citext",
    "('Foo', 'The foo'), ('Bar', 'The bar')",
    "(1, 'FOO'), (2, 'foo'), (3, 'Bar')",
    { FOO: "The foo", foo: "The foo", Bar: "The bar" },
    [
      ["Bar", 1],
      ["Foo", 2],
    ],
  ],
  [
    "folded",
    "text collate shop.nocase",
    "('Foo', 'The foo')",
    "(1, 'FOO'), (2, 'foo'), (3, 'Foo')",
    { FOO: "The foo", foo: "The foo", Foo: "The foo" },
    [["Foo", 3]],
  ],
  [
    "decimals",
    "numeric",
    "(1.50, 'One'), (2, 'Two')",
    "(1, 1.500), (2, 1.5), (3, 2.0)",
    { "1.500": "One", "1.5": "One", "2.0": "Two" },
    [
      ["1.50", 2],
      ["2", 1],
    ],
  ],
  [
    "spans",
    "interval",
    "('24:00', 'A day')",
    "(1, '1 day'), (2, '24:00')",
    { P1D: "A day", PT24H: "A day" },
    [["PT24H", 2]],
  ],
  [
    "floats",
    "double precision",
    "(0, 'Nothing')",
    "(1, '-0'), (2, '0')",
    { "-0": "Nothing", "0": "Nothing" },
    [[0, 2]],
  ],
  [
    "bytes",
    "bytea",
    String.raw`('\x00ff', 'Bytes')`,
    String.raw`(1, '\x00ff')`,
    { "AP8=": "Bytes" },
    [["AP8=", 1]],
  ],
];

describe.each(pairs)("references of %s", (name, type, keys, values, titles, groups) => {
  let resourceId: string;
  beforeAll(async () => {
    resourceId = await createPair(name, type, keys, values.replaceAll(")", ", 'x')"));
  });

  it("have the titles of the rows that they equal", async () => {
    const path = await openView(resourceId);
    const { body } = await api.app(path, ann.secret);
    const field = body.data.fields.find(({ name: own }: { name: string }) => own === "code");
    expect(field.titles).toEqual(titles);
  });

  it("are in the column of a kanban that they equal, which has their cards", async () => {
    const kanban = { version: 1, layout: "kanban", group: "code", title: "note" };
    const path = await openView(resourceId, { presentation: kanban });
    const { body } = await api.app(path, ann.secret);
    const found = body.data.groups
      .filter(({ value }: { value: unknown }) => value !== null)
      .map(({ value, count }: { value: unknown; count: number }) => [value, count]);
    expect(found.toSorted()).toEqual(groups);
    for (const [value, count] of groups) {
      const group = encodeURIComponent(JSON.stringify(value));
      const cards = await api.app(`${path}?group=${group}`, ann.secret);
      expect(cards.body.data.rows).toHaveLength(count);
    }
  });

  it("are choices of a dashboard with titles, which a search finds", async () => {
    const parameter = { name: "code", label: "Code", kind: "VALUE", resourceId, field: "code" };
    const body = { name: `D ${name}`, panels: [], parameters: [parameter], roleIds: [roleId] };
    const made = await api.ask("POST", "/dashboards", body);
    expect(made.faults).toEqual([]);
    const choicesOf = async (search: string) =>
      (
        await api.app(
          `/dashboards/${made.body.data.id}/parameters/code/values?search=${search}`,
          ann.secret,
        )
      ).body.data.map(({ label }: { label: string }) => label);
    const labels = [...new Set(Object.values(titles))].toSorted();
    expect([...new Set(await choicesOf(""))].toSorted()).toEqual(labels);
    const [first = ""] = labels as string[];
    expect(await choicesOf(encodeURIComponent(first.toUpperCase()))).toContain(first);
    expect(await choicesOf("nothing-like-this")).toEqual([]);
  });
});

describe("references of types whose JSON is not their text", () => {
  it.each([
    ["documents", "jsonb", `'{"a": 1}'`],
    ["lists", "int[]", "'{1,2}'"],
    ["pairs", "shop.pair", "'(1,2)'"],
  ])("open: %s", async (name, type, value) => {
    const resourceId = await createPair(name, type, `(${value}, 'One')`, `(1, ${value}, 'x')`);
    const { status, body } = await api.app(await openView(resourceId), ann.secret);
    expect([status, body.data.rows.length]).toEqual([200, 1]);
    const panels = [
      {
        ...{ id: "a", kind: "CHART", resourceId },
        definition: { groupBy: ["code"], aggregate: ["count"] },
      },
      { id: "b", kind: "LIST", resourceId, definition: {} },
    ];
    const made = await api.ask("POST", "/dashboards", {
      ...{ name: `D ${name}`, panels, roleIds: [roleId] },
    });
    expect(made.faults).toEqual([]);
    const opened = await api.app(`/dashboards/${made.body.data.id}`, ann.secret);
    expect(opened.body.data.panels.map(({ error }: { error?: object }) => error)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("groups and choices of unusual dates", () => {
  const dates = ["infinity", "-infinity", "10000-01-02", "0044-03-15 BC", "0001-02-28"];
  const columns = ["d", "t", "z"] as const;
  let dashboard = "";
  beforeAll(async () => {
    await run(`create table shop.ages (id int primary key, d date, t timestamp, z timestamptz)`);
    for (const [index, date] of dates.entries()) {
      await run(`insert into shop.ages values (${index}, '${date}', '${date}', '${date}')`);
    }
    const resourceId = await open("ages");
    const panels = columns.flatMap((field) =>
      ["", "day", "year"].map((unit) => ({
        ...{ id: `${field}${unit}`, kind: "CHART", resourceId },
        bindings: [{ parameter: field, field }],
        definition: {
          groupBy: [unit === "" ? field : `date_trunc(${unit},${field})`],
          aggregate: ["count"],
        },
      })),
    );
    const parameters = columns.map((field) => ({
      ...{ name: field, label: field, kind: "VALUE", resourceId, field },
    }));
    const body = { name: "Ages", panels, parameters, roleIds: [roleId] };
    const made = await api.ask("POST", "/dashboards", body);
    expect(made.faults).toEqual([]);
    dashboard = `/dashboards/${made.body.data.id}`;
  });

  it("open the rows behind each mark", async () => {
    const { body } = await api.app(dashboard, ann.secret);
    for (const { id, names, rows, error } of body.data.panels) {
      expect(error).toBeUndefined();
      const seen = [];
      for (const row of rows) {
        const value = row[names[0]];
        if (row[names[1]] === 0) continue;
        const mark = encodeURIComponent(JSON.stringify({ [names[0]]: value }));
        const behind = await api.app(`${dashboard}/panels/${id}/rows?mark=${mark}`, ann.secret);
        expect([id, value, behind.body.errors]).toEqual([id, value, undefined]);
        seen.push(...behind.body.data.rows.map((one: { id: number }) => one.id));
      }
      expect([id, seen.toSorted()]).toEqual([id, [0, 1, 2, 3, 4]]);
    }
  });

  it("narrow the dashboard to each offered value", async () => {
    for (const field of columns) {
      const choices = await api.app(`${dashboard}/parameters/${field}/values`, ann.secret);
      expect(choices.body.data).toHaveLength(5);
      for (const { value } of choices.body.data) {
        const given = encodeURIComponent(JSON.stringify({ [field]: value }));
        const { status, body } = await api.app(`${dashboard}?parameters=${given}`, ann.secret);
        expect([value, status]).toEqual([value, 200]);
        const panel = body.data.panels.find(({ id }: { id: string }) => id === field);
        expect([value, panel.rows?.length]).toEqual([value, 1]);
      }
    }
  });
});
