import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

const tables = ["steps", "jobs", "labels", "notes"];

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const statement of [
    "create schema extra",
    "create extension citext schema extra",
    "create extension hstore schema extra",
    "create type mood as enum ('sad', 'fine', 'glad')",
    "create domain stage as mood check (value <> 'glad')",
    "create table steps (stage stage primary key, title text not null)",
    `create table jobs (id int primary key, plain mood, stage stage,
       stages stage[] not null default '{}', kind regclass)`,
    "create table labels (label extra.citext primary key, n int not null)",
    "create table notes (id int primary key, label extra.citext references labels, tags extra.hstore, owner extra.citext)",
    "insert into steps values ('sad', 'First'), ('fine', 'Second')",
    `insert into jobs select g, s, s, array[s]::stage[], (array['pg_class', 'pg_type'])[g % 2 + 1]::regclass
     from generate_series(1, 7) g, lateral (select (array['sad', 'fine', null])[g % 3 + 1]::mood as s) m`,
    "insert into labels values ('Red', 1), ('blue', 2), ('Ocker', 3)",
    `insert into notes select g, l, extra.hstore('k', (g % 3)::text), l
     from generate_series(1, 6) g, lateral (select (array['RED', 'Blue', 'oCKER'])[g % 3 + 1]::extra.citext as l) m`,
  ]) {
    await test.database.query(statement);
  }
  for (const name of tables) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
    for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
      await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
    }
  }
});
afterAll(() => test.drop());

const list = (name: string, query: string) => client.list(user, `public/${name}`, query);
const where = (filter: unknown) => `where=${encodeURIComponent(JSON.stringify(filter))}`;

describe("a domain over an enum", () => {
  it.each([
    { _eq: "fine" },
    { _neq: "fine" },
    { _lt: "fine" },
    { _lte: "fine" },
    { _gt: "sad" },
    { _gte: "sad" },
    { _in: ["fine", "sad"] },
    { _nin: ["fine"] },
    { _between: ["sad", "fine"] },
    { _nbetween: ["fine", "fine"] },
    { _null: true },
    { _like: "f%" },
    { _icontains: "AD" },
    { _regex: "^s" },
  ])("a filter treats the domain like its enum: %j", async (condition) => {
    const found = await list("jobs", `fields=id&order_by=id&${where({ stage: condition })}`);
    expect(found).toMatchObject({ status: 200 });
    expect(found).toEqual(
      await list("jobs", `fields=id&order_by=id&${where({ plain: condition })}`),
    );
    expect(found.body).not.toEqual({ data: [] });
  });

  it("a value that the domain rejects is compared like any other value of its enum", async () => {
    for (const condition of [{ _eq: "glad" }, { _in: ["sad", "glad"] }, { _neq: "glad" }]) {
      const found = await list("jobs", `fields=id&order_by=id&${where({ stage: condition })}`);
      expect(found).toEqual(
        await list("jobs", `fields=id&order_by=id&${where({ plain: condition })}`),
      );
      expect(found).toMatchObject({ status: 200 });
    }
    expect(await list("jobs", where({ stage: { _eq: "none" } }))).toMatchObject({
      status: 400,
      body: { errors: [{ code: "VALUE_INVALID" }] },
    });
  });

  it("the domain can be the key of rows and of groups", async () => {
    expect(await client.read(user, "public/steps", "fine")).toMatchObject({
      body: { data: { title: "Second" } },
    });
    expect(await client.update(user, "public/steps", "fine", { title: "2nd" })).toMatchObject({
      status: 200,
    });
    expect(
      await list(
        "jobs",
        "aggregate=count,min(stage),max(stage),count_distinct(stage)&having[max_stage][_gt]=sad",
      ),
    ).toEqual({
      status: 200,
      body: { data: [{ count: 7, min_stage: "sad", max_stage: "fine", count_distinct_stage: 2 }] },
    });
    expect(await list("jobs", "aggregate=count&group_by=stage&order_by=-stage")).toEqual({
      status: 200,
      body: {
        data: [
          { stage: null, count: 2 },
          { stage: "fine", count: 3 },
          { stage: "sad", count: 2 },
        ],
      },
    });
    expect(
      await list("jobs", `fields=id&order_by=id&${where({ stages: { _has: "fine" } })}`),
    ).toMatchObject({
      body: { data: [{ id: 1 }, { id: 4 }, { id: 7 }] },
    });
    await client.create(user, "public/jobs", { id: 100, stage: "fine" });
    expect(
      await client.updateMany(
        user,
        "public/jobs",
        "where[stage][_eq]=fine&where[id][_gt]=99&max_affected=1",
        { stage: null },
      ),
    ).toMatchObject({ status: 200 });
    expect(await client.remove(user, "public/jobs", "100")).toMatchObject({ status: 204 });
  });

  it("a grant can filter by the domain and preset it", async () => {
    const other = await createRole(test.database, "Others");
    const guest = await createUser(test.database, "guest@example.com", "Others");
    for (const action of ["READ", "CREATE", "UPDATE"] as const) {
      await grant(test.database, client.snapshots, other, "public/jobs", {
        action,
        rowFilter: { stage: { _in: ["fine"] } },
        ...(action === "CREATE" ? { presets: { stage: "fine" } } : {}),
      });
    }
    const ids = await client.list(guest, "public/jobs", "fields=id&order_by=id");
    expect(ids.body).toEqual({ data: [{ id: 1 }, { id: 4 }, { id: 7 }] });
    expect(await client.create(guest, "public/jobs", { id: 101 })).toMatchObject({
      status: 201,
      body: { data: { id: 101, stage: "fine" } },
    });
    expect((await client.update(guest, "public/jobs", "101", { stage: "sad" })).status).toBe(403);
    await client.remove(user, "public/jobs", "101");
  });
});

describe("types of an extension whose schema is not on the search path", () => {
  it("citext ignores case in every comparison: ids, relations, groups and grants", async () => {
    const ids = async (filter: unknown) => {
      const answer = await list("notes", `fields=id&order_by=id&${where(filter)}`);
      expect(answer).toMatchObject({ status: 200 });
      return (answer.body as { data: { id: number }[] }).data.map(({ id }) => id);
    };
    expect(await ids({ label: { _eq: "red" } })).toEqual([3, 6]);
    expect(await ids({ label: { _neq: "red" } })).toEqual([1, 2, 4, 5]);
    expect(await ids({ label: { _in: ["bLUE", "rED"] } })).toEqual([1, 3, 4, 6]);
    expect(await ids({ label: { _nin: ["bLUE", "rED"] } })).toEqual([2, 5]);
    expect(await ids({ label: { _between: ["BLUE", "blue"] } })).toEqual([1, 4]);
    expect(await ids({ label: { _lt: "C" } })).toEqual([1, 4]);
    expect(await ids({ label: { _like: "RE%" } })).toEqual([3, 6]);
    expect(await ids({ label: { _nlike: "re%" } })).toEqual([1, 2, 4, 5]);
    expect(await ids({ label: { _starts_with: "bL" } })).toEqual([1, 4]);
    expect(await ids({ label: { _regex: "^BLUE$" } })).toEqual([1, 4]);
    expect(await ids({ "label.n": { _eq: 2 } })).toEqual([1, 4]);
    expect(await client.read(user, "public/labels", "RED")).toMatchObject({
      body: { data: { label: "Red" } },
    });
    expect(await client.update(user, "public/labels", "bLuE", { n: 5 })).toMatchObject({
      status: 200,
      body: { data: { label: "blue", n: 5 } },
    });
    expect(
      await list("labels", 'fields=n&order_by=n&where={"notes":{"_some":{"id":{"_lt":3}}}}'),
    ).toMatchObject({ body: { data: [{ n: 3 }, { n: 5 }] } });
    expect(
      await list(
        "notes",
        "aggregate=count_distinct(label),min(label),max(label)&having[min_label][_eq]=BLUE",
      ),
    ).toEqual({
      status: 200,
      body: { data: [{ count_distinct_label: 3, min_label: "Blue", max_label: "RED" }] },
    });
  });

  it("citext ignores case in a grant's filter and preset", async () => {
    const other = await createRole(test.database, "Owners");
    const guest = await createUser(test.database, "Owner@Example.com", "Owners");
    for (const action of ["READ", "CREATE"] as const) {
      await grant(test.database, client.snapshots, other, "public/notes", {
        action,
        rowFilter: { owner: { _eq: "$USER.email" } },
        ...(action === "CREATE" ? { presets: { owner: "$USER.email" } } : {}),
      });
    }
    await client.create(user, "public/notes", { id: 50, owner: "OWNER@EXAMPLE.COM" });
    expect(await client.create(guest, "public/notes", { id: 51 })).toMatchObject({ status: 201 });
    expect(await client.list(guest, "public/notes", "fields=id&order_by=id")).toEqual({
      status: 200,
      body: { data: [{ id: 50 }, { id: 51 }] },
    });
    await client.removeMany(user, "public/notes", "where[id][_gt]=49&max_affected=2");
  });

  it("hstore is compared in its sort order", async () => {
    expect(
      await list("notes", `fields=id&order_by=id&${where({ tags: { _eq: "k=>1" } })}`),
    ).toEqual({
      status: 200,
      body: { data: [{ id: 1 }, { id: 4 }] },
    });
    expect(
      await list("notes", `fields=id&order_by=id&${where({ tags: { _gt: "k=>1" } })}`),
    ).toEqual({
      status: 200,
      body: { data: [{ id: 2 }, { id: 5 }] },
    });
  });
});

it("regclass values are filtered by name, and the name of a missing object is rejected", async () => {
  expect(
    await list("jobs", "fields=id&order_by=id&where[kind][_in]=pg_type,pg_proc"),
  ).toMatchObject({
    body: { data: [{ id: 1 }, { id: 3 }, { id: 5 }, { id: 7 }] },
  });
  expect(await list("jobs", "where[kind][_eq]=nothing_of_it")).toMatchObject({
    status: 400,
    body: { errors: [{ code: "VALUE_INVALID", path: "where[kind][_eq]" }] },
  });
});
