// Tiers: usual, topologies.
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A rental: the desk sees the bookings of its own branch without the price, the office sees all with all fields.

let api: TestEnvironment;
let desk: TestUser;
let office: TestUser;
const ids: Record<string, string> = {};

const run = (sql: string) => api.test.database.query<Record<string, string>>(sql);

beforeAll(async () => {
  api = await openTestEnvironment();
  await run(`create schema rental;
    create type rental.state as enum ('NEW', 'OUT', 'BACK', 'LOST');
    create table rental.drivers (id int primary key, name text, phone text);
    create table rental.bookings (id int primary key, branch text not null, title text not null, state rental.state not null,
      paid boolean, driver_id int references rental.drivers (id), price numeric(20, 4), starts timestamptz, ends timestamptz,
      day date, place double precision, note text, created_by uuid, photo text);
    insert into rental.drivers values (1, 'Ann', '11'), (2, 'Bob', '22'), (3, 'Cid', '33');
    insert into rental.bookings select n, case when n % 2 = 0 then 'Oslo' else 'Rome' end, 'Booking ' || n,
      (array['NEW', 'OUT', 'BACK']::rental.state[])[1 + n % 3], n % 4 = 0, 1 + n % 2, n * 1000000000000.0001,
      timestamptz '2026-03-28 12:00+00' + n * interval '6 hours', timestamptz '2026-03-28 14:00+00' + n * interval '6 hours',
      date '2026-03-28' + n, -n, 'note' || n, null, null from generate_series(1, 12) n;
    create view rental.totals as select branch, count(*) as bookings from rental.bookings group by branch;`);
  await run("insert into system.roles (name) values ('Desk'), ('Office')");
  const { database } = api.test;
  desk = await createUser(database, "desk@example.com", "Desk");
  office = await createUser(database, "office@example.com", "Office");
  await run("update system.users set name = 'Oslo' where email = 'desk@example.com'");
  await expose(database, "rental", "bookings", "GET", "POST", "PATCH");
  await expose(database, "rental", "drivers", "GET");
  await expose(database, "rental", "totals", "GET");
  for (const row of await run("select name, id from system.roles"))
    ids[row.name ?? ""] = row.id ?? "";
  for (const row of await run(
    "select relation_name as name, id from system.resources where schema_name = 'rental'",
  )) {
    ids[row.name ?? ""] = row.id ?? "";
  }
  const grant = async (role: string, resource: string, action: string, terms: object = {}) => {
    const data = { roleId: ids[role], resourceId: ids[resource], action, ...terms };
    const answer = await api.ask("POST", "/grants", data);
    expect(answer.faults).toEqual([]);
    ids[`${role} ${resource} ${action}`] = answer.body.data.id;
  };
  const mine = { branch: { _eq: "$USER.name" } };
  const seen = [
    "id",
    "branch",
    "title",
    "state",
    "paid",
    "starts",
    "ends",
    "day",
    "place",
    "driver_id",
  ];
  await grant("Desk", "bookings", "READ", { fields: seen, rowFilter: mine });
  await grant("Desk", "bookings", "UPDATE", {
    fields: ["state", "place", "paid"],
    rowFilter: mine,
    check: {
      _or: [
        { state: { _in: ["NEW", "OUT"] } },
        { _not: { state: { _neq: "BACK" } }, note: { _null: false } },
      ],
    },
  });
  await grant("Desk", "bookings", "CREATE", {
    fields: ["id", "title", "state", "note"],
    check: null,
    presets: { branch: "$USER.name", created_by: "$USER.id" },
  });
  for (const resource of ["bookings", "drivers", "totals"]) await grant("Office", resource, "READ");
  await grant("Office", "bookings", "UPDATE");
});
afterAll(() => api.test.drop());

const save = (more: object = {}) =>
  api.ask("POST", "/data-views", {
    name: "Bookings",
    resourceId: ids.bookings,
    roleIds: [ids.Desk, ids.Office],
    ...more,
  });
async function saved(more: object = {}): Promise<string> {
  const answer = await save(more);
  expect(answer.faults).toEqual([]);
  return answer.body.data.id;
}
const open = (
  id: string,
  user: { readonly secret: string },
  query: Record<string, unknown> = {},
) => {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const text = new URLSearchParams(texts).toString();
  return api.app(`/data-views/${id}${text === "" ? "" : `?${text}`}`, user.secret);
};
const csv = async (id: string, user: { readonly secret: string }, query = "") => {
  const answer = await api.fetchRaw(`/app/api/data-views/${id}${query}`, {
    headers: { Authorization: `Bearer ${user.secret}`, Accept: "text/csv" },
  });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
  };
};
const rowIds = (answer: Answer): number[] =>
  answer.body.data.rows.map((row: { id: number }) => row.id);

const kanban = {
  version: 1,
  layout: "kanban",
  group: "state",
  title: "title",
  order: "place",
  color: "price",
};

describe("the presentation of a DataView", () => {
  it("is a table of all fields unless it is given, also in place of one that an earlier version stored", async () => {
    const { body } = await save();
    const table = { version: 1, layout: "table", columns: [] };
    expect(body.data).toMatchObject({ presentation: table, icon: null, position: 0 });
    await run(`update system.data_views set presentation = '{"layout": "cards", "columns": 3}', icon = 'none'
      where id = '${body.data.id}'`);
    const read = await api.ask("GET", `/data-views/${body.data.id}`);
    expect(read.body.data).toMatchObject({ presentation: table, icon: null });
    expect((await open(body.data.id, desk)).body.data.presentation).toEqual(table);
    await api.ask("DELETE", `/data-views/${body.data.id}`);
  });

  it("is checked when it is saved, with every fault at its path", async () => {
    const table = (column: object) => ({ version: 1, layout: "table", columns: [column] });
    const form = (field: object, more: object = {}) => ({
      ...{ version: 1, layout: "form", use: "BOTH", sections: [{ title: "", fields: [field] }] },
      ...more,
    });
    const calendar = { version: 1, layout: "calendar", start: "starts", title: "title" };
    const at = "/data/presentation";
    for (const [presentation, faults] of [
      [{ ...kanban, version: 2 }, [`BODY_INVALID ${at}/version`]],
      [{ ...kanban, layout: "map" }, [`BODY_INVALID ${at}/layout`]],
      [{ ...kanban, nope: 1 }, [`BODY_INVALID ${at}/nope`]],
      [{ ...kanban, degraded: true }, [`BODY_INVALID ${at}/degraded`]],
      [{ ...kanban, group: "nope" }, [`FIELD_UNKNOWN ${at}/group`]],
      [{ ...kanban, group: "title" }, [`BODY_INVALID ${at}/group`]],
      [{ ...kanban, group: "driver.id" }, [`BODY_INVALID ${at}/group`]],
      [
        { ...kanban, title: "nope", order: "no", color: "no" },
        [`FIELD_UNKNOWN ${at}/title`, `FIELD_UNKNOWN ${at}/order`, `FIELD_UNKNOWN ${at}/color`],
      ],
      [{ ...kanban, fields: ["title", "nope"] }, [`FIELD_UNKNOWN ${at}/fields/1`]],
      [{ ...calendar, start: "title" }, [`BODY_INVALID ${at}/start`]],
      [{ ...calendar, end: "day" }, [`BODY_INVALID ${at}/end`]],
      [
        { version: 1, layout: "cards", title: "title", image: "price" },
        [`BODY_INVALID ${at}/image`],
      ],
      [table({ field: "nope" }), [`FIELD_UNKNOWN ${at}/columns/0/field`]],
      [table({ field: "title", summary: "sum" }), [`BODY_INVALID ${at}/columns/0/summary`]],
      [table({ field: "title", width: 1 }), [`BODY_INVALID ${at}/columns/0/width`]],
      [form({ field: "driver.name" }), [`BODY_INVALID ${at}/sections/0/fields/0/field`]],
      [
        form({ field: "state", default: "GONE" }),
        [`VALUE_INVALID ${at}/sections/0/fields/0/default`],
      ],
      [form({ field: "state" }, { sections: [] }), [`BODY_INVALID ${at}/sections`]],
    ] as const) {
      expect((await save({ presentation })).faults, JSON.stringify(presentation)).toEqual(faults);
    }
    const ofView = form({ field: "branch" });
    expect((await save({ resourceId: ids.totals, presentation: ofView })).faults).toEqual([
      `BODY_INVALID ${at}/layout`,
    ]);
    const icon = (await save({ icon: "skull", position: -1 })).faults;
    expect(icon).toEqual(["BODY_INVALID /data/icon", "BODY_INVALID /data/position"]);
    expect(await run("select 1 from system.data_views")).toEqual([]);
  });

  it("keeps every digit of a default", async () => {
    const sections = [{ title: "", fields: [{ field: "price", default: 1 }] }];
    const data = {
      name: "Form",
      resourceId: ids.bookings,
      presentation: { version: 1, layout: "form", use: "CREATE", sections },
    };
    const body = JSON.stringify({ data }).replace('"default":1', '"default":1234567890123456.7891');
    const answer = await api.send("POST", "/data-views", body);
    expect(answer.body.data.presentation.sections[0].fields[0].default).toBe(
      "1234567890123456.7891",
    );
    await api.ask("DELETE", `/data-views/${answer.body.data.id}`);
  });

  it("shows a reader only their own fields, and becomes a plain table without a key field", async () => {
    const id = await saved({ fields: ["title"], presentation: kanban });
    const forDesk = (await open(id, desk)).body;
    expect(forDesk.data.presentation).toEqual({
      version: 1,
      layout: "kanban",
      group: "state",
      title: "title",
      order: "place",
    });
    expect(JSON.stringify(forDesk)).not.toContain("price");
    expect((await open(id, office)).body.data.presentation).toEqual(kanban);
    await api.ask("PATCH", `/data-views/${id}`, {
      presentation: { ...kanban, group: "driver_id", title: "note" },
    });
    const degraded = (await open(id, desk)).body;
    expect(degraded.data.presentation).toEqual({
      version: 1,
      layout: "table",
      columns: [],
      degraded: true,
    });
    expect(degraded.data.groups).toBeUndefined();
    expect(JSON.stringify(degraded)).not.toMatch(/kanban|note/);
    expect((await open(id, desk, { group: "1" })).faults).toEqual(["QUERY_INVALID group"]);
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("the reader's own part of an open DataView", () => {
  it("narrows, sorts and selects the rows, and a row has its key beside the selected fields", async () => {
    const id = await saved({
      where: { state: { _neq: "BACK" } },
      fields: ["title", "state", "driver.name"],
      orderBy: ["id"],
    });
    expect(rowIds(await open(id, office))).toEqual([1, 3, 4, 6, 7, 9, 10, 12]);
    expect(rowIds(await open(id, desk))).toEqual([4, 6, 10, 12]);
    const narrowed = await open(id, desk, {
      where: { state: { _eq: "OUT" } },
      order_by: "-id",
      fields: "title",
    });
    expect(narrowed.body.data).toMatchObject({
      orderBy: ["-id"],
      fields: [{ name: "title" }],
      rows: [
        { id: 10, title: "Booking 10" },
        { id: 4, title: "Booking 4" },
      ],
    });
    expect(Object.keys(narrowed.body.data.rows[0])).toEqual(["title", "id"]);
    const byName = await open(id, office, {
      where: { driver: { name: { _eq: "Bob" } } },
      limit: "2",
      count: "exact",
    });
    expect(rowIds(byName)).toEqual([1, 3]);
    expect(byName.body.meta).toMatchObject({ count: 4, nextCursor: expect.any(String) });
    const next = await open(id, office, {
      where: { driver: { name: { _eq: "Bob" } } },
      cursor: byName.body.meta.nextCursor,
    });
    expect(rowIds(next)).toEqual([7, 9]);
    expect(new Date(next.body.meta.asOf).toISOString()).toBe(next.body.meta.asOf);
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("gives the errors of the Data API at its own parameters, alike for hidden and for missing fields", async () => {
    const id = await saved({
      fields: ["title", "state", "price"],
      presentation: { version: 1, layout: "calendar", start: "starts", title: "title" },
    });
    for (const [query, faults] of [
      [{ where: { price: { _gt: 1 } } }, ["FIELD_UNKNOWN where[price]"]],
      [{ where: { nope: { _gt: 1 } } }, ["FIELD_UNKNOWN where[nope]"]],
      [{ where: { driver: { name: { _eq: "x" } } } }, ["FIELD_UNKNOWN where[driver][name]"]],
      [{ where: "{" }, ["QUERY_INVALID where"]],
      [{ where: { state: { _eq: "GONE" } } }, ["VALUE_INVALID where[state][_eq]"]],
      [{ where: { title: { _nope: 1 } } }, ["QUERY_INVALID where[title][_nope]"]],
      [{ order_by: "price" }, ["FIELD_UNKNOWN order_by"]],
      [{ order_by: "nope" }, ["FIELD_UNKNOWN order_by"]],
      [{ fields: "price" }, ["FIELD_UNKNOWN fields"]],
      [{ fields: "nope" }, ["FIELD_UNKNOWN fields"]],
      // Readable, but not a part of the DataView.
      [{ fields: "day" }, ["FIELD_UNKNOWN fields"]],
      [{ group: "1" }, ["QUERY_INVALID group"]],
      [{ from: "2026-13-01" }, ["VALUE_INVALID from"]],
      [{ from: "yesterday" }, ["QUERY_INVALID from"]],
      [{ to: "2026-01-01T00:00", from: "2026-01-01T25:00:00Z" }, ["VALUE_INVALID from"]],
      [{ cursor: "x" }, ["QUERY_INVALID cursor"]],
      [{ nope: "1" }, ["QUERY_INVALID nope"]],
    ] as const) {
      const answer = await open(id, desk, query);
      expect(answer.faults, JSON.stringify(query)).toEqual(faults);
      expect(answer.status).toBe(400);
    }
    const price = (await open(id, desk, { where: { price: { _gt: 1 } } })).body;
    const nope = (await open(id, desk, { where: { nope: { _gt: 1 } } })).body;
    expect(JSON.parse(JSON.stringify(price).replaceAll("price", "nope"))).toEqual(nope);
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("of a view whose stored part is not the reader's is 403, whatever the reader adds", async () => {
    const id = await saved({ where: { price: { _gt: 1 } } });
    for (const query of [
      {},
      { where: { title: { _eq: "x" } } },
      { where: "{" },
      { order_by: "nope" },
    ]) {
      const answer = await open(id, desk, query);
      expect([answer.status, ...answer.faults]).toEqual(
        query.where === "{" ? [400, "QUERY_INVALID where"] : [403, "ACTION_DENIED"],
      );
    }
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("cannot widen the stored filter by any trick", async () => {
    const id = await saved({ where: { state: { _eq: "NEW" } }, orderBy: ["id"] });
    const allowed = new Set(rowIds(await open(id, office)));
    expect([...allowed]).toEqual([3, 6, 9, 12]);
    const texts = [
      '{"_or":[{"state":{"_eq":"NEW"}},{"state":{"_neq":"NEW"}}]}',
      '{"_or":[]}',
      '{"_and":[]}',
      '{"_not":{"_and":[]}}',
      '{"_not":{"_not":{"_or":[{"id":{"_gte":0}}]}}}',
      "{}",
      '{"state":{"_neq":"NEW"}}',
      '{"state":{"_in":["NEW","OUT","BACK"]}}',
      '{"__proto__":{"state":{"_eq":"OUT"}}}',
      '{"constructor":{"prototype":{"where":null}}}',
      '{"state":{"_eq":"OUT"},"state":{"_eq":"NEW"}}',
      '{"toString":{"_eq":"x"}}',
      '[{"state":{"_eq":"OUT"}}]',
      "null",
      "true",
      '"state"',
      "1e999",
      '{"id":{"_gt":1e400}}',
      `{"_or":[${Array.from({ length: 500 }, (_, n) => `{"id":{"_eq":${n}}}`).join()}]}`,
      `${'{"_not":'.repeat(60)}{}${"}".repeat(60)}`,
      `${'{"_and":['.repeat(3000)}`,
      `{"id":{"_in":[${Array.from({ length: 3000 }, (_, n) => n).join()}]}}`,
      '{"title":{"_eq":"x\' or true --"}}',
      '{"title":{"_like":"%\\\\"}}',
      '{"id) or (true":{"_eq":1}}',
      '{"\\u0000":{"_eq":1}}',
      '{"\\ud800":{"_eq":1}}',
      '{"where":{"_eq":1}}',
      '{"_where":{"state":{"_eq":"OUT"}}}',
    ];
    for (const where of texts) {
      const answer = await open(id, office, { where });
      if (answer.status === 200) {
        for (const row of rowIds(answer)) expect(allowed.has(row), where).toBe(true);
      } else expect([where.slice(0, 60), answer.status]).toEqual([where.slice(0, 60), 400]);
    }
    // The stored filter and the reader's have their own limits: one below the maximum each.
    const many = { _or: Array.from({ length: 90 }, (_, n) => ({ id: { _eq: n } })) };
    await api.ask("PATCH", `/data-views/${id}`, {
      where: { _and: [{ state: { _eq: "NEW" } }, many] },
    });
    expect(rowIds(await open(id, office, { where: many }))).toEqual([3, 6, 9, 12]);
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("has the entity tags of its rows with Prefer: etags, as the Data API has", async () => {
    const id = await saved({ fields: ["title"], limit: 2, orderBy: ["id"] });
    const answer = await api.app(`/data-views/${id}`, office.secret, { Prefer: "etags" });
    expect(answer.headers.get("preference-applied")).toBe("etags");
    expect(answer.body.meta.etags).toHaveLength(2);
    expect((await open(id, office)).body.meta.etags).toBeUndefined();
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("a kanban", () => {
  it("has each value of its group with the number of rows under the reader's filter", async () => {
    const id = await saved({ presentation: kanban });
    const groups = async (user: TestUser, query = {}) =>
      (await open(id, user, query)).body.data.groups;
    expect(await groups(office)).toEqual([
      { value: "NEW", label: null, count: 4, closed: false },
      { value: "OUT", label: null, count: 4, closed: false },
      { value: "BACK", label: null, count: 4, closed: false },
      { value: "LOST", label: null, count: 0, closed: false },
    ]);
    // The check of the desk refuses LOST whatever a row's note is, and BACK only without a note.
    expect(await groups(desk, { where: { id: { _lt: 9 } } })).toEqual([
      { value: "NEW", label: null, count: 1, closed: false },
      { value: "OUT", label: null, count: 1, closed: false },
      { value: "BACK", label: null, count: 2, closed: false },
      { value: "LOST", label: null, count: 0, closed: true },
    ]);
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("counts flags and rows without a value, and related rows by their text", async () => {
    await run("update rental.bookings set driver_id = null where id = 12");
    const byFlag = await saved({ presentation: { ...kanban, group: "paid" } });
    expect((await open(byFlag, office)).body.data.groups).toEqual([
      { value: null, label: null, count: 0, closed: false },
      { value: false, label: null, count: 9, closed: false },
      { value: true, label: null, count: 3, closed: false },
    ]);
    const byDriver = await saved({ presentation: { ...kanban, group: "driver_id" } });
    expect((await open(byDriver, office)).body.data.groups).toEqual([
      { value: null, label: null, count: 1, closed: false },
      { value: 1, label: "Ann", count: 5, closed: false },
      { value: 2, label: "Bob", count: 6, closed: false },
      { value: 3, label: "Cid", count: 0, closed: false },
    ]);
    // The desk may read the key alone, and may not change it.
    expect((await open(byDriver, desk)).body.data.groups).toEqual([
      { value: null, label: null, count: 1, closed: true },
      { value: 1, label: null, count: 5, closed: true },
    ]);
    await run("update rental.bookings set driver_id = 1 where id = 12");
    for (const id of [byFlag, byDriver]) await api.ask("DELETE", `/data-views/${id}`);
  });

  it("has a page for one value of its group, in the order of its cards", async () => {
    const id = await saved({ presentation: kanban, orderBy: ["id"], fields: ["title"] });
    const page = await open(id, office, { group: '"OUT"', limit: "2" });
    expect(rowIds(page)).toEqual([10, 7]);
    expect(page.body.data.groups).toBeUndefined();
    const next = await open(id, office, { group: '"OUT"', cursor: page.body.meta.nextCursor });
    expect(rowIds(next)).toEqual([4, 1]);
    expect(rowIds(await open(id, office, { group: "null" }))).toEqual([]);
    for (const [group, fault] of [
      ['"GONE"', "VALUE_INVALID group"],
      ["[1]", "QUERY_INVALID group"],
      ['{"_neq":"NEW"}', "QUERY_INVALID group"],
      ["OUT", "QUERY_INVALID group"],
    ] as const) {
      expect((await open(id, office, { group })).faults).toEqual([fault]);
    }
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("a calendar", () => {
  it("has the rows that overlap a half-open window, whose dates begin in the reader's time zone", async () => {
    const presentation = {
      version: 1,
      layout: "calendar",
      start: "starts",
      end: "ends",
      title: "title",
    };
    const id = await saved({ presentation, orderBy: ["id"] });
    // Booking n lasts from 12:00 + 6n h to 14:00 + 6n h, from March 28; the clocks change in the night of the 29th.
    expect(rowIds(await open(id, office, { from: "2026-03-29", to: "2026-03-30" }))).toEqual([
      2, 3, 4, 5,
    ]);
    const there = await api.app(`/data-views/${id}?from=2026-03-29&to=2026-03-30`, office.secret, {
      "X-Service-Timezone": "Europe/Oslo",
    });
    // Midnight in Oslo is 23:00 before, and 22:00 after the change.
    expect(rowIds(there)).toEqual([2, 3, 4, 5]);
    expect(
      rowIds(await open(id, office, { from: "2026-03-29T02:00:00Z", to: "2026-03-29T06:00:00Z" })),
    ).toEqual([]);
    expect(
      rowIds(await open(id, office, { from: "2026-03-29T01:59:59Z", to: "2026-03-29T06:00:01Z" })),
    ).toEqual([2, 3]);
    await run(
      "update system.users set time_zone = 'Pacific/Kiritimati' where email = 'office@example.com'",
    );
    expect(rowIds(await open(id, office, { from: "2026-03-30", to: "2026-03-31" }))).toEqual([
      4, 5, 6, 7,
    ]);
    await run("update system.users set time_zone = null where email = 'office@example.com'");
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("of dates includes the day of an end, and a row without an end has the day of its start", async () => {
    const presentation = { version: 1, layout: "calendar", start: "day", title: "title" };
    const id = await saved({ presentation, orderBy: ["id"] });
    expect(rowIds(await open(id, office, { from: "2026-03-30", to: "2026-04-01" }))).toEqual([
      2, 3,
    ]);
    expect(
      rowIds(await open(id, office, { from: "2026-03-30T00:00:00Z", to: "2026-03-31T00:00:01Z" })),
    ).toEqual([2, 3]);
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("a table and a form", () => {
  it("has summaries with every digit, of the columns that the reader may see", async () => {
    const presentation = {
      version: 1,
      layout: "table",
      columns: [
        { field: "price", summary: "sum" },
        { field: "id", summary: "count" },
        { field: "state", summary: "countDistinct" },
        { field: "day", summary: "max" },
      ],
    };
    const id = await saved({ presentation });
    expect((await open(id, office)).body.data.summaries).toBeUndefined();
    expect(
      (await open(id, office, { summaries: "true", where: { id: { _lte: 3 } } })).body.data
        .summaries,
    ).toEqual({
      price: "6000000000000.0006",
      id: 3,
      state: 3,
      day: "2026-03-31",
    });
    expect((await open(id, desk, { summaries: "true" })).body.data.summaries).toEqual({
      id: 6,
      state: 3,
      day: "2026-04-09",
    });
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("shows as set by the system what the grants set, and of the fields those that the reader may read or write", async () => {
    const fields = ["branch", "title", "price", "note"].map((field) => ({ field }));
    const form = {
      version: 1,
      layout: "form",
      use: "CREATE",
      sections: [{ title: "New", fields }],
    };
    const id = await saved({ presentation: form });
    const { presentation, presets } = (await open(id, desk)).body.data;
    expect(presentation.sections[0].fields).toEqual([
      { field: "branch" },
      { field: "title" },
      { field: "note" },
    ]);
    // `created_by` is set too, and not readable.
    expect(presets).toEqual({ create: ["branch"], update: [] });
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("a DataView as a file", () => {
  it("has the shown fields and rows of the reader, without a maximum number", async () => {
    const id = await saved({
      name: "A view",
      fields: ["title", "price", "state"],
      where: { state: { _eq: "OUT" } },
      orderBy: ["-id"],
    });
    expect(await csv(id, desk)).toEqual({
      status: 200,
      type: "text/csv; charset=utf-8; header=present",
      text: "title,state\r\nBooking 10,OUT\r\nBooking 4,OUT\r\n",
    });
    expect((await csv(id, office, "?limit=1&fields=price")).text).toBe(
      "price\r\n10000000000000.0010\r\n",
    );
    expect((await csv(id, desk, "?where=%7B%22price%22%3A%7B%22_gt%22%3A1%7D%7D")).status).toBe(
      400,
    );
    expect((await csv(id, desk, "?count=exact")).status).toBe(400);
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("a field beside the relation of its name", () => {
  const staff = [
    { id: 1, boss: null, boss_row: null },
    { id: 2, boss: 1, boss_row: { name: "Ann" } },
  ];
  let resourceId = "";
  const views: string[] = [];
  const savedHere = async (data: object) => {
    const id = await saved(data);
    views.push(id);
    return id;
  };

  beforeAll(async () => {
    await run(`create table rental.staff (id int primary key, name text, boss int references rental.staff);
      insert into rental.staff values (1, 'Ann', null), (2, 'Bob', 1);
      create table rental.details (id int primary key references rental.staff, room text);
      insert into rental.details values (2, 'B2')`);
    for (const name of ["staff", "details"]) {
      await expose(api.test.database, "rental", name, "GET");
      const [row] = await run(`select id from system.resources where relation_name = '${name}'`);
      ids[name] = row?.id ?? "";
      const data = { roleId: ids.Office, resourceId: ids[name], action: "READ" };
      expect((await api.ask("POST", "/grants", data)).faults).toEqual([]);
    }
    resourceId = ids.staff ?? "";
  });
  afterAll(async () => {
    for (const id of views) await api.ask("DELETE", `/data-views/${id}`);
    await run("drop table rental.details, rental.staff");
  });

  it("is in the rows of a DataView, and the related row under an alias", async () => {
    const fields = ["boss", "boss.name"];
    const id = await savedHere({ name: "Staff", resourceId, fields, orderBy: ["id"] });
    const { data } = (await open(id, office)).body;
    expect(data.fields.map(({ name }: { name: string }) => name)).toEqual(fields);
    expect(data.rows).toEqual(staff);
    expect((await csv(id, office)).text).toBe("boss,boss_row.name\r\n,\r\n1,Ann\r\n");
    expect((await open(id, office, { fields: "boss.name", limit: 1 })).body.data.rows).toEqual([
      { id: 1, boss: null },
    ]);
  });

  it("is in the rows if the layout names the related field alone", async () => {
    const board = { version: 1, layout: "kanban", group: "boss", title: "boss.name" };
    const id = await savedHere({ name: "Board", resourceId, presentation: board, orderBy: ["id"] });
    const { rows } = (await open(id, office)).body.data;
    expect(rows[1]).toEqual({ id: 2, name: "Bob", boss: 1, boss_row: { name: "Ann" } });
  });

  it("is in the rows if it is the key", async () => {
    const fields = ["room", "id.name"];
    const id = await savedHere({ name: "Rooms", resourceId: ids.details, fields });
    expect((await open(id, office)).body.data.rows).toEqual([
      { room: "B2", id: 2, id_row: { name: "Bob" } },
    ]);
  });

  it("has no alias of the author's", async () => {
    const data = { name: "No", resourceId, fields: ["boss", "b:boss.name"] };
    const answer = await api.ask("POST", "/data-views", data);
    expect([answer.status, answer.body.errors[0]]).toMatchObject([
      400,
      { path: "/data/fields", message: "This does not take aliases; a column has its label" },
    ]);
  });
});

describe("a preview of a DataView", () => {
  const preview = (data: object) => api.ask("POST", "/data-views/preview", data);
  const view = (more: object = {}) => ({
    name: "Trial",
    resourceId: ids.bookings,
    orderBy: ["id"],
    ...more,
  });

  it("returns what the person would receive from the App API, and stores nothing", async () => {
    const parts = { fields: ["title", "price"], presentation: kanban, where: { id: { _lt: 9 } } };
    const id = await saved({ ...view(parts) });
    for (const [as, user] of [
      [{ userId: desk.id }, desk],
      [{ userId: office.id }, office],
    ] as const) {
      const query = { where: { state: { _eq: "OUT" } }, orderBy: ["-id"], fields: ["title"] };
      const answer = await preview({ view: view(parts), as, query });
      const real = await open(id, user, { where: query.where, order_by: "-id", fields: "title" });
      expect(answer.status).toBe(200);
      const { id: _, name: __, ...data } = answer.body.data;
      expect({ ...real.body.data, ...data }).toEqual(real.body.data);
      expect(data.rows).toEqual(real.body.data.rows);
    }
    const roles = await preview({ view: view(parts), as: { roleIds: [ids.Desk] } });
    expect(roles.body.data.rows).toEqual([]);
    const own = await preview({ view: view(parts) });
    expect(own.body.data.rows).toHaveLength(8);
    expect(await run("select name from system.data_views")).toHaveLength(1);
    const log = (await api.ask("GET", "/audit-log?limit=3")).body.data;
    expect(
      log.map((entry: { action: string; targetId: string }) => [entry.action, entry.targetId]),
    ).toEqual([
      ["permission.preview", ids.Desk],
      ["permission.preview", office.id],
      ["permission.preview", desk.id],
    ]);
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("names each fault in the body, and gives the refusals that the person would receive", async () => {
    const as = { userId: desk.id };
    expect((await preview({ view: view({ fields: ["nope"] }) })).faults).toEqual([
      "FIELD_UNKNOWN /data/view/fields",
    ]);
    expect(
      (await preview({ view: view(), as, query: { where: { price: { _gt: 1 } } } })).faults,
    ).toEqual(["FIELD_UNKNOWN /data/query/where/price"]);
    expect((await preview({ view: view(), as, query: { orderBy: ["price"] } })).faults).toEqual([
      "FIELD_UNKNOWN /data/query/orderBy",
    ]);
    expect((await preview({ view: view({ where: { price: { _gt: 1 } } }), as })).faults).toEqual([
      "ACTION_DENIED",
    ]);
    expect((await preview({ view: view(), as: {} })).faults).toEqual(["BODY_INVALID /data/as"]);
  });

  it("Supabase's leak: a copy or an export past the impersonation has the rights of the viewed person", async () => {
    const parts = { fields: ["title", "price"], where: { id: { _lte: 2 } } };
    const ofDesk = "title\r\nBooking 2\r\n";
    const answer = await api.fetchRaw("/admin/api/data-views/preview", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${api.admin.secret}`,
        Accept: "text/csv",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ data: { view: view(parts), as: { userId: desk.id } } }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, ofDesk]);
    // The same through the preview of any path.
    const id = await saved(parts);
    const copied = await api.ask("POST", "/permissions/preview", {
      userId: desk.id,
      path: `/app/api/data-views/${id}`,
      headers: { Accept: "text/csv" },
    });
    expect(copied.body.data).toMatchObject({ status: 200, body: ofDesk });
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("the navigation", () => {
  it("has the icon of each entry, by position and name", async () => {
    const made = [
      await saved({ name: "b", icon: "truck", position: 20 }),
      await saved({ name: "a", position: 20 }),
      await saved({ name: "c", icon: "star", position: 3 }),
    ];
    const entries = async () =>
      (await api.app("/navigation", desk.secret)).body.data.dataViews.map(
        ({ name, icon }: { name: string; icon: string | null }) => [name, icon],
      );
    expect(await entries()).toEqual([
      ["c", "star"],
      ["a", null],
      ["b", "truck"],
    ]);
    const listed = (await api.ask("GET", "/data-views?limit=2")).body;
    expect(listed.data.map((view: { name: string }) => view.name)).toEqual(["c", "a"]);
    const rest = (await api.ask("GET", `/data-views?cursor=${listed.meta.nextCursor}`)).body.data;
    expect(rest.map((view: { name: string }) => view.name)).toEqual(["b"]);
    for (const id of made) await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("a revoked right", () => {
  it("acts at the next request, in rows, presentation, groups and files", async () => {
    const id = await saved({ presentation: kanban, orderBy: ["id"] });
    const terms = (fields: string[]) =>
      api.ask("PATCH", `/grants/${ids["Desk bookings READ"]}`, { fields });
    const before = (await api.ask("GET", `/grants/${ids["Desk bookings READ"]}`)).body.data.fields;
    expect((await open(id, desk)).body.data.presentation.layout).toBe("kanban");
    await terms(before.filter((name: string) => name !== "state"));
    const after = (await open(id, desk)).body;
    expect(after.data.presentation).toMatchObject({ layout: "table", degraded: true });
    expect(JSON.stringify(after)).not.toMatch(/state|OUT/);
    expect((await open(id, desk, { where: { state: { _eq: "OUT" } } })).faults).toEqual([
      "FIELD_UNKNOWN where[state]",
    ]);
    const file = () =>
      api
        .fetchRaw(`/app/api/data-views/${id}?limit=1`, {
          headers: { Authorization: `Bearer ${desk.secret}`, Accept: "text/csv" },
        })
        .then((answer) => answer.text());
    expect(await file()).not.toMatch(/state|OUT/);
    await terms(before);
    expect(await file()).toMatch(/state/);
    expect((await open(id, desk)).body.data.groups).toHaveLength(4);
    await api.ask("PATCH", `/data-views/${id}`, { roleIds: [ids.Office] });
    expect((await open(id, desk)).faults).toEqual(["NOT_FOUND"]);
    await api.ask("DELETE", `/data-views/${id}`);
  });
});

describe("the names of a DataView", () => {
  const parts = () => ({
    fields: ["title", "price", "driver.name"],
    where: { price: { _gt: 0 }, driver: { name: { _null: false } } },
    orderBy: ["-price:nulls_last", "driver.name"],
    presentation: { ...kanban, fields: ["driver.name"] },
  });
  const renamed = {
    fields: ["title", "cost", "driver.full_name"],
    where: { cost: { _gt: 0 }, driver: { full_name: { _null: false } } },
    orderBy: ["-cost:nulls_last", "driver.full_name"],
    presentation: { ...kanban, color: "cost", fields: ["driver.full_name"] },
  };
  const rename = async () => {
    await run("alter table rental.bookings rename column price to cost");
    await run("alter table rental.drivers rename column name to full_name");
  };
  const renameBack = async () => {
    await run("alter table rental.bookings rename column cost to price");
    await run("alter table rental.drivers rename column full_name to name");
  };

  it("follow the renames of their columns, own and related, and a change keeps them", async () => {
    const id = await saved(parts());
    const before = rowIds(await open(id, office));
    await rename();
    expect((await api.ask("GET", `/data-views/${id}`)).body.data).toMatchObject(renamed);
    const opened = await open(id, office);
    expect(rowIds(opened)).toEqual(before);
    expect(opened.body.data.fields.map((field: { name: string }) => field.name)).toContain("cost");
    expect(opened.body.data.presentation.color).toBe("cost");
    // A change binds the current names again.
    const changed = await api.ask("PATCH", `/data-views/${id}`, { name: "Renamed" });
    expect(changed.body.data).toMatchObject(renamed);
    await renameBack();
    expect((await api.ask("GET", `/data-views/${id}`)).body.data).toMatchObject(parts());
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("follow an exchange of two names", async () => {
    const id = await saved({ fields: ["id", "title"], where: { note: { _eq: "note3" } } });
    await run(`alter table rental.bookings rename column title to other;
      alter table rental.bookings rename column note to title;
      alter table rental.bookings rename column other to note`);
    expect((await api.ask("GET", `/data-views/${id}`)).body.data).toMatchObject({
      fields: ["id", "note"],
      where: { title: { _eq: "note3" } },
    });
    expect((await open(id, office)).body.data.rows).toEqual([{ id: 3, note: "Booking 3" }]);
    await run(`alter table rental.bookings rename column title to other;
      alter table rental.bookings rename column note to title;
      alter table rental.bookings rename column other to note`);
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("are bound again after a restore, by the names that they had in the dump", async () => {
    const id = await saved(parts());
    await rename();
    // A dump and its restore number the columns anew and give the relations new numbers.
    await run("update system.reading_columns set attribute_number = attribute_number + 50");
    await run("update system.installation set self_oid = 1");
    await run("select system.sync_registry()");
    expect((await api.ask("GET", `/data-views/${id}`)).body.data).toMatchObject(renamed);
    await renameBack();
    expect((await api.ask("GET", `/data-views/${id}`)).body.data).toMatchObject(parts());
    await api.ask("DELETE", `/data-views/${id}`);
  });

  it("of a dropped column stay as text, and the bindings go with the column and with the DataView", async () => {
    await run("alter table rental.bookings add column extra int");
    const id = await saved({ fields: ["id", "extra"] });
    const bound = () =>
      run(
        `select mention from system.reading_columns where data_view_id = '${id}' order by mention`,
      );
    expect(await bound()).toEqual([{ mention: "extra" }, { mention: "id" }]);
    await run("alter table rental.bookings drop column extra");
    expect(await bound()).toEqual([{ mention: "id" }]);
    expect((await api.ask("GET", `/data-views/${id}`)).body.data.fields).toEqual(["id", "extra"]);
    expect((await open(id, office)).body.data.fields).toHaveLength(1);
    await api.ask("DELETE", `/data-views/${id}`);
    expect(await bound()).toEqual([]);
  });
});
