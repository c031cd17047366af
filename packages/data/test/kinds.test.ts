// Tier: all. One of the longest files.
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

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("create extension hstore");
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
});
afterAll(() => test.drop());

async function open(name: string): Promise<void> {
  await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
  }
}

describe("values of every type are returned as they were sent", () => {
  it.each([
    ["smallint", 7, 7],
    ["integer", "-7", -7],
    ["bigint", "9223372036854775807", "9223372036854775807"],
    ["numeric(20,5)", "1.50000", "1.50000"],
    ["real", 0.5, 0.5],
    ["double precision", 0.1, 0.1],
    ["boolean", true, true],
    ["text", "a'\"\\ü\n", "a'\"\\ü\n"],
    ["varchar(5)", "abcde", "abcde"],
    ["uuid", "11111111-1111-1111-1111-111111111111", "11111111-1111-1111-1111-111111111111"],
    ["date", "2024-02-29", "2024-02-29"],
    ["time", "12:34:56.789", "12:34:56.789"],
    ["timestamp", "2024-02-29 01:02:03.000001", "2024-02-29T01:02:03.000001"],
    ["timestamptz", "2024-02-29T01:02:03.000001+02:00", "2024-02-28T23:02:03.000001+00:00"],
    ["interval", "P1DT2H", "P1DT2H"],
    ["bytea", "AP8Q", "AP8Q"],
    ["inet", "192.168.0.0/16", "192.168.0.0/16"],
    ["macaddr", "08:00:2b:01:02:03", "08:00:2b:01:02:03"],
    ["int4range", "[1,5)", "[1,5)"],
    ["point", "(1,2)", "(1,2)"],
    ["bit varying(5)", "101", "101"],
    ["tsvector", "'a':1 'b':2", "'a':1 'b':2"],
    ["jsonb", { a: [1, null, "x"] }, { a: [1, null, "x"] }],
    ["json", [1, 2], [1, 2]],
    ["text[]", ["a", null, 'b"\\,{}'], ["a", null, 'b"\\,{}']],
    [
      "integer[]",
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["bigint[]", ["9007199254740993"], ["9007199254740993"]],
    ["jsonb[]", [{ a: 1 }, [2]], [{ a: 1 }, [2]]],
    ["public.address", { street: "x, y", zip: 7 }, { street: "x, y", zip: 7 }],
    ["public.address[]", [{ street: "x", zip: 7 }, null], [{ street: "x", zip: 7 }, null]],
    ["public.address[]", ["(x,7)", null], [{ street: "x", zip: 7 }, null]],
    ["public.address[]", '{"(x,7)"}', [{ street: "x", zip: 7 }]],
    ["public.homes", [[{ street: null, zip: 7 }]], [[{ street: null, zip: 7 }]]],
    ["public.digest", "AP8Q", "AP8Q"],
    ["bytea[]", ["AP8Q", null, ""], ["AP8Q", null, ""]],
    [
      "bytea[]",
      [
        ["AP8Q", null],
        ["", "AA"],
      ],
      [
        ["AP8Q", null],
        ["", "AA=="],
      ],
    ],
    ["bytea[]", [], []],
    ["bytea[]", '{AP8Q,NULL,"\\\\x00ff10",""}', ["AP8Q", null, "AP8Q", ""]],
    ["public.digest[]", ["AP8Q"], ["AP8Q"]],
    ["public.digests", ["AP8Q", null], ["AP8Q", null]],
    [
      "public.parcel",
      { raw: "AP8Q", note: "\\x00", sums: ["AA", null] },
      { raw: "AP8Q", note: "\\x00", sums: ["AA==", null], inner: null },
    ],
    [
      "public.parcel[]",
      [{ raw: null, inner: { raw: "AP8Q", amount: "1.10" } }, null],
      [{ raw: null, note: null, sums: null, inner: { raw: "AP8Q", amount: 1.1 } }, null],
    ],
    ["public.sealed", { raw: "AP8Q" }, { raw: "AP8Q", note: null, sums: null, inner: null }],
    ["hstore", { a: 'x"\\, =>', "": null, 'k"\\': 1 }, { a: 'x"\\, =>', "": null, 'k"\\': "1" }],
    ["hstore", "a=>1", { a: "1" }],
    ["hstore[]", [{ a: "b" }, null, {}], [{ a: "b" }, null, {}]],
    ["public.positive", 5, 5],
    ["public.state", "done", "done"],
    ["public.state[]", ["done", "new"], ["done", "new"]],
  ])("%s", async (type, sent, expected) => {
    await test.database.query("drop table if exists public.kinds");
    await test.database.query(
      `do $$ begin
         create type public.address as (street text, zip int);
         create domain public.positive as int check (value > 0);
         create domain public.homes as public.address[];
         create domain public.digest as bytea check (octet_length(value) < 5);
         create domain public.digests as bytea[];
         create type public.chip as (raw public.digest, amount numeric);
         create type public.parcel as (raw bytea, note text, sums public.digests, inner_chip int);
         alter type public.parcel drop attribute inner_chip;
         alter type public.parcel add attribute "inner" public.chip;
         create domain public.sealed as public.parcel;
         create type public.state as enum ('new', 'done');
       exception when duplicate_object then null; end $$`,
    );
    await test.database.query(`create table public.kinds (id int primary key, v ${type})`);
    await open("kinds");
    expect(await client.create(user, "public/kinds", { id: 1, v: sent })).toMatchObject({
      status: 201,
      body: { data: { v: expected } },
    });
    expect(
      await client.create(user, "public/kinds", [
        { id: 2, v: sent },
        { id: 3, v: null },
      ]),
    ).toMatchObject({
      body: { data: [{ v: expected }, { v: null }] },
    });
    expect(await client.update(user, "public/kinds", "3", { v: sent })).toMatchObject({
      status: 200,
      body: { data: { v: expected } },
    });
  });

  it("bytes match their returned form, as an id and in a filter", async () => {
    await test.database.query("create table public.files (digest bytea primary key)");
    await open("files");
    await client.create(user, "public/files", { digest: "AP+/" });
    await client.create(user, "public/files", { digest: "" });
    const row = { digest: "AP+/" };
    for (const form of ["AP+/", "\\x00ffbf"]) {
      expect(await client.read(user, "public/files", encodeURIComponent(form))).toMatchObject({
        body: { data: row },
      });
      for (const filter of [
        { digest: { _eq: form } },
        { digest: { _in: [form, "AAAA"] } },
        { digest: { _between: [form, form] } },
        { digest: { _gte: "AP8" } },
      ]) {
        const where = `where=${encodeURIComponent(JSON.stringify(filter))}`;
        expect(await client.list(user, "public/files", where)).toMatchObject({
          body: { data: [row] },
        });
      }
    }
    const refused = await client.list(user, "public/files", "where[digest][_eq]=a");
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: "VALUE_INVALID" }] } });
    expect(await client.read(user, "public/files", "a")).toMatchObject({ status: 404 });
  });

  it("bytes in an array match their returned form", async () => {
    await test.database.query(
      "create table public.bundles (id int primary key, sums bytea[], parcel public.parcel)",
    );
    await open("bundles");
    await client.create(user, "public/bundles", [
      { id: 1, sums: ["AP+/", "AA=="], parcel: { raw: "AP8Q" } },
      { id: 2, sums: [null], parcel: null },
    ]);
    for (const filter of [
      { sums: { _has: "AP+/" } },
      { sums: { _has_all: ["AP+/", "\\x00"] } },
      { sums: { _has_any: ["AP+/", "AAAA"] } },
      { sums: { _eq: "{AP+/,AA}" } },
      { sums: { _eq: '{"\\\\x00ffbf", AA==}' } },
      { sums: { _between: ["{AP+/}", "{AP+/,AAA}"] } },
      { parcel: { _eq: '("\\\\x00ff10",,,)' } },
    ]) {
      const where = `fields=id&where=${encodeURIComponent(JSON.stringify(filter))}`;
      expect(await client.list(user, "public/bundles", where)).toEqual({
        status: 200,
        body: { data: [{ id: 1 }] },
      });
    }
    for (const value of ["{a}", "x"]) {
      const refused = await client.list(user, "public/bundles", `where[sums][_eq]=${value}`);
      expect(refused).toMatchObject({
        status: 400,
        body: { errors: [{ code: "VALUE_INVALID", path: "where[sums][_eq]" }] },
      });
    }
    const groups = "aggregate=count&group_by=sums&order_by=-sums:nulls_last";
    expect(await client.list(user, "public/bundles", groups)).toMatchObject({
      body: { data: [{ sums: [null] }, { sums: ["AP+/", "AA=="] }] },
    });
    const first = await client.list(user, "public/bundles", "order_by=sums,parcel&limit=1");
    const { data, meta } = first.body as { data: unknown[]; meta: { nextCursor: string } };
    const next = `order_by=sums,parcel&limit=1&cursor=${meta.nextCursor}`;
    expect([data, (await client.list(user, "public/bundles", next)).body]).toMatchObject([
      [{ id: 1, sums: ["AP+/", "AA=="], parcel: { raw: "AP8Q" } }],
      { data: [{ id: 2 }] },
    ]);
  });

  it("an error names the invalid value and not a composite value beside it", async () => {
    await test.database.query(
      "create table public.sent (id int primary key, home public.address, homes public.address[], n public.positive)",
    );
    await open("sent");
    const rest = { home: { street: "x", zip: 7 }, homes: [{ street: "y" }] };
    expect(await client.create(user, "public/sent", { id: 1, ...rest, n: -1 })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/data/n" }] },
    });
    expect(
      await client.create(user, "public/sent", [{ id: 1, ...rest, homes: [{ zip: "x" }], n: 1 }]),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ code: "VALUE_INVALID", path: "/data/0/homes" }] },
    });
  });

  it.each([
    ["varchar(3)", "abcd"],
    ["public.positive", -1],
    ["public.state", "open"],
    ["inet", "nowhere"],
    ["public.address", "x"],
    ["public.address", { zip: "x" }],
    ["integer[]", [1, "x"]],
    ["text[]", { a: 1 }],
    ["int4range", "[5,1)"],
    ["bytea[]", ["\\x00"]],
    ["bytea[]", "{a}"],
    ["public.parcel", { raw: "a" }],
    ["public.parcel", { raw: "\\x00" }],
    ["public.parcel", { sums: ["a"] }],
    ["public.parcel[]", [{ inner: { raw: "AAAAAAAAAAA=" } }]],
    ["public.parcel[]", [{ raw: "AAAA" }, "(AAAA)"]],
    ["public.digest", "AAAAAAAAAAA="],
    ["hstore", { a: { b: 1 } }],
  ])("%s rejects an invalid value at its path: %j", async (type, sent) => {
    await test.database.query("drop table if exists public.kinds");
    await test.database.query(`create table public.kinds (id int primary key, v ${type})`);
    await open("kinds");
    expect(await client.create(user, "public/kinds", { id: 1, v: sent })).toMatchObject({
      status: 400,
      body: { errors: [{ code: expect.stringMatching(/VALUE_INVALID|CHECK_VIOLATION/) }] },
    });
  });
});

describe("relations of every kind", () => {
  it("partitioned and inherited tables are read and written as one table", async () => {
    await test.database.query(`
      create table public.events (id int, day date, note text, primary key (id, day)) partition by range (day);
      create table public.events_2026 partition of public.events for values from ('2026-01-01') to ('2027-01-01');
      create table public.base (id int primary key, name text);
      create table public.child (extra text) inherits (public.base);
      insert into public.child values (1, 'inherited', 'x')`);
    await open("events");
    await open("base");
    expect(
      (await client.create(user, "public/events", { id: 1, day: "2026-05-01", note: "a" })).status,
    ).toBe(201);
    expect(
      (await client.update(user, "public/events", "1,2026-05-01", { note: "b" })).body,
    ).toEqual({
      data: { id: 1, day: "2026-05-01", note: "b" },
    });
    expect(
      (
        await client.updateMany(user, "public/events", "where[note][_eq]=b&max_affected=1", {
          note: "c",
        })
      ).status,
    ).toBe(200);
    expect((await client.create(user, "public/events", { id: 2, day: "2030-01-01" })).status).toBe(
      400,
    );
    expect((await client.list(user, "public/base")).body).toEqual({
      data: [{ id: 1, name: "inherited" }],
    });
  });

  it("generated columns are readable and accept no value", async () => {
    await test.database.query(
      "create table public.computed (id int primary key, a int, double int generated always as (a * 2) stored)",
    );
    await open("computed");
    expect((await client.create(user, "public/computed", { id: 1, a: 4 })).body).toEqual({
      data: { id: 1, a: 4, double: 8 },
    });
    expect((await client.create(user, "public/computed", { id: 2, double: 1 })).status).toBe(400);
    expect((await client.update(user, "public/computed", "1", { double: 1 })).status).toBe(400);
  });

  it("names of any characters and of 63 bytes work everywhere", async () => {
    const table = `ü.${"x".repeat(60)}`;
    const column = 'Spalte "1".ö [x]';
    const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
    await test.database.query(
      `create table public.${quoted(table)} (id int primary key, ${quoted(column)} text)`,
    );
    await open(table);
    const target = `public/${table}`;
    expect((await client.create(user, target, { id: 1, [column]: "v" })).status).toBe(201);
    expect((await client.update(user, target, "1", { [column]: "w" })).status).toBe(200);
    const where = encodeURIComponent(JSON.stringify({ [column]: { _eq: "w" } }));
    expect(
      (await client.list(user, target, `where=${where}&order_by=${encodeURIComponent(column)}`))
        .body,
    ).toEqual({
      data: [{ id: 1, [column]: "w" }],
    });
  });
});

describe("a statement that takes too long", () => {
  it("a slow statement ends at the configured time limit without an effect on others", async () => {
    await test.database.query("create view public.slow as select pg_sleep(60)::text as s");
    await expose(test.database, "public", "slow", "GET");
    await grant(test.database, client.snapshots, roleId, "public/slow", { action: "READ" });
    await test.database.query(
      "insert into system.settings (key, value) values ('data.statement_timeout_ms', '2000')",
    );
    const [slow, quick] = await Promise.all([
      client.list(user, "public/slow/view"),
      client.list(user, "public/base"),
    ]);
    expect(slow).toMatchObject({ status: 504, body: { errors: [{ code: "QUERY_TIMEOUT" }] } });
    expect(quick.status).toBe(200);
    await test.database.query("delete from system.settings");
  });
});
