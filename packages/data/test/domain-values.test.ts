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
import { createImporter } from "./importer.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let importer: ReturnType<typeof createImporter>;
let user: TestUser;
let roleId: string;
const actions = ["READ", "CREATE", "UPDATE", "DELETE"] as const;
const tables = ["country", "person", "price", "code", "nothing"];

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  importer = createImporter(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const statement of [
    "create domain nm as varchar(3)",
    "create domain inner_nm as nm check (value <> 'bad')",
    "create domain deep_nm as inner_nm",
    "create domain iso as char(2)",
    "create domain amount as numeric(5,2)",
    "create domain names as varchar(3)[]",
    "create domain tenth as timestamp(1)",
    "create type pair as (n nm, a amount)",
    "create domain checked_pair as pair",
    "create table country (iso iso primary key, name text)",
    `create table person (id int primary key, nick nm check (nick ~ '^[a-z]*$'), deep deep_nm, nicks nm[], list names,
       pair pair, checked checked_pair, pairs pair[], plain varchar(3), bits bit(3), few varbit(3), n name, c "char",
       names name[])`,
    "create table price (id int primary key, amount amount, amounts amount[], at tenth, plain numeric(5,2))",
    "create index on price (amount)",
    "create table code (code nm primary key, n int)",
    "create table nothing (id int primary key, nick nm, amount amount, at tenth)",
    "alter table system.users add column handle text, add column cost numeric",
    "update system.users set handle = 'abcdef', cost = 5.004",
  ]) {
    await test.database.query(statement);
  }
  for (const name of tables) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
    if (name === "nothing") continue;
    for (const action of actions) {
      await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
    }
  }
});
afterAll(() => test.drop());

const list = (name: string, where: unknown, query = "fields=id") =>
  client.list(
    user,
    `public/${name}`,
    `where=${encodeURIComponent(JSON.stringify(where))}&${query}`,
  );

const invalidAt = (path: string) => ({
  status: 400,
  body: { errors: [{ code: "VALUE_INVALID", path }] },
});

describe("a value that does not fit a domain's length", () => {
  it.each([
    ["nick", "xyzzzz"],
    ["nick", "abcDEF"],
    ["deep", "abcd"],
    ["deep", "bad"],
    ["nicks", ["ab", "abcd"]],
    ["nicks", "{ab,abcd}"],
    ["list", ["abcd"]],
    ["pair", { n: "abcd", a: "1" }],
    ["pair", "(abcd,1)"],
    ["pair", { n: "abc", a: "1000" }],
    ["checked", { n: "abcd", a: "1" }],
    ["pairs", [{ n: "abcd", a: "1" }]],
    ["plain", "abcd"],
    ["plain", "abc\n"],
    ["bits", "10"],
    ["bits", "1010"],
    ["few", "1010"],
    ["n", "é".repeat(32)],
    ["c", "ab"],
    ["c", "é"],
    ["names", ["x".repeat(64)]],
  ])("is rejected in every write, with its path: %s %j", async (field, value) => {
    const name = "public/person";
    await test.database.query("truncate person");
    await test.database.query("insert into person (id) values (1)");
    expect(await client.create(user, name, { id: 2, [field]: value })).toMatchObject(
      invalidAt(`/data/${field}`),
    );
    expect(await client.create(user, name, [{ id: 2 }, { id: 3, [field]: value }])).toMatchObject(
      invalidAt(`/data/1/${field}`),
    );
    const upsert = "on_conflict=id&resolution=merge";
    expect(await client.create(user, name, { id: 1, [field]: value }, upsert)).toMatchObject({
      status: 400,
    });
    expect(await client.update(user, name, "1", { [field]: value })).toMatchObject(
      invalidAt(`/data/${field}`),
    );
    expect(
      await client.updateMany(user, name, "where[id][_eq]=1&max_affected=5", { [field]: value }),
    ).toMatchObject(invalidAt(`/data/${field}`));
    const line = `${JSON.stringify({ id: 2, [field]: value })}\n`;
    expect(await importer.ndjson(user, name, line)).toMatchObject(invalidAt(`/0/${field}`));
    if (typeof value === "string") {
      const file = `id,${field}\n2,"${value}"\n`;
      expect(await importer.csv(user, name, file)).toMatchObject(invalidAt(`/0/${field}`));
    }
    expect(
      await client.batch(user, [
        { method: "POST", path: "/public/person", body: { data: { id: 2, [field]: value } } },
      ]),
    ).not.toMatchObject({ status: 200 });
    const rows = await test.database.query<{ row: string }>(
      "select row_to_json(p)::text as row from person p where id <> 1 or to_jsonb(p) - 'id' <> (select to_jsonb(o) - 'id' from person o where id = 1)",
    );
    expect(rows).toEqual([]);
  });

  it("keeps what fits: trailing spaces are truncated, a number is rounded to its scale", async () => {
    await test.database.query("truncate person, price");
    expect(
      await client.create(user, "public/person", {
        ...{ id: 1, nick: "abc  ", plain: "abc  ", nicks: ["ab"], list: ["abc"], bits: "101" },
        ...{ pair: { n: "abc", a: "1.005" }, n: "x".repeat(63), c: "a", deep: "ok" },
      }),
    ).toMatchObject({
      status: 201,
      body: { data: { nick: "abc", plain: "abc", pair: { n: "abc", a: 1.01 }, c: "a" } },
    });
    expect(
      await client.create(user, "public/price", { id: 1, amount: "4.999", amounts: ["4.999"] }),
    ).toMatchObject({ status: 201, body: { data: { amount: "5.00", amounts: ["5.00"] } } });
  });
});

describe("a key of a domain", () => {
  it("is compared with the whole text of an id", async () => {
    await test.database.query("truncate country");
    await test.database.query("insert into country values ('US', 'United States')");
    const name = "public/country";
    for (const id of ["USA", "US A"]) {
      expect(await client.read(user, name, id)).toMatchObject({ status: 404 });
      expect(await client.update(user, name, id, { name: "x" })).toMatchObject({ status: 404 });
      expect(await client.remove(user, name, id)).toMatchObject({ status: 404 });
      expect(await list("country", { iso: { _eq: id } }, "")).toEqual({
        status: 200,
        body: { data: [] },
      });
      expect(await list("country", { iso: { _in: [id, "DE"] } }, "")).toMatchObject({
        body: { data: [] },
      });
    }
    expect(await client.read(user, name, "US")).toMatchObject({ status: 200 });
  });

  it("is not cut in an upsert", async () => {
    await test.database.query("truncate code");
    await test.database.query("insert into code values ('abc', 1)");
    for (const resolution of ["merge", "ignore"]) {
      const query = `on_conflict=code&resolution=${resolution}`;
      const row = { code: "abcZZ", n: 2 };
      expect(await client.create(user, "public/code", row, query)).toMatchObject(
        invalidAt("/data/code"),
      );
    }
    expect(await list("code", {}, "fields=code,n")).toMatchObject({
      body: { data: [{ code: "abc", n: 1 }] },
    });
  });
});

describe("a comparison with a domain", () => {
  beforeAll(async () => {
    await test.database.query("truncate price, person");
    await test.database.query(
      `insert into price select g, g, array[g]::amount[], '2020-01-01 00:00:00.1'::timestamp + g * interval '1 hour', g
       from generate_series(1, 9) g`,
    );
    await test.database.query(
      "insert into person (id, nick, nicks, list, names) values (1, 'abc', '{abc}', '{abc}', '{abc}')",
    );
  });

  it.each([
    ["price", { amount: { _lt: "5.004" } }, [1, 2, 3, 4, 5]],
    ["price", { amount: { _eq: "5.004" } }, []],
    ["price", { amount: { _gte: "4.996" } }, [5, 6, 7, 8, 9]],
    ["price", { amount: { _lt: "100000" } }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["price", { amount: { _in: ["5.004", "6"] } }, [6]],
    ["price", { amount: { _between: ["4.996", "5.004"] } }, [5]],
    ["price", { amount: { _lt: "$USER.cost" } }, [1, 2, 3, 4, 5]],
    ["price", { plain: { _lt: "$USER.cost" } }, [1, 2, 3, 4, 5]],
    ["price", { amounts: { _eq: "{5.004}" } }, []],
    ["price", { amounts: { _in: ["{5.004}", "{6}"] } }, [6]],
    ["price", { amounts: { _has: "5.004" } }, []],
    ["price", { amounts: { _has_any: ["5.004", "6"] } }, [6]],
    ["price", { at: { _lte: "2020-01-01T01:00:00.06" } }, []],
    ["price", { at: { _lt: "$NOW" } }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["person", { nick: { _eq: "abcdef" } }, []],
    ["person", { nick: { _neq: "abcdef" } }, [1]],
    ["person", { nick: { _eq: "$USER.handle" } }, []],
    ["person", { nick: { _gt: "abcdef" } }, []],
    ["person", { nicks: { _has: "abcdef" } }, []],
    ["person", { nicks: { _has: "abc" } }, [1]],
    ["person", { nicks: { _eq: "{abcdef}" } }, []],
    ["person", { list: { _eq: "{abcdef}" } }, []],
    ["person", { list: { _in: ["{abcdef}"] } }, []],
    ["person", { list: { _has_only: ["abc", "abcdef"] } }, [1]],
  ])("is exact: %s %j", async (table, where, ids) => {
    expect(await list(table, where, "fields=id&order_by=id")).toEqual({
      status: 200,
      body: { data: ids.map((id) => ({ id })) },
    });
  });

  it("is exact in a condition on groups", async () => {
    const query = "aggregate=max(amount)&group_by=id&order_by=id";
    const having = `having=${encodeURIComponent(JSON.stringify({ max_amount: { _gt: "8.996" } }))}`;
    expect(await client.list(user, "public/price", `${query}&${having}`)).toMatchObject({
      body: { data: [{ id: 9 }] },
    });
  });

  it("rejects a text that PostgreSQL would cut to the bytes of a name", async () => {
    for (const where of [
      { n: { _eq: "x".repeat(64) } },
      { c: { _eq: "ab" } },
      { names: { _eq: `{${"x".repeat(64)}}` } },
    ]) {
      const [field] = Object.keys(where);
      expect(await list("person", where)).toMatchObject(invalidAt(`where[${field}][_eq]`));
    }
  });

  it("continues after a cursor", async () => {
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const query = `fields=id&order_by=amounts,amount&limit=4${cursor}`;
      const { body } = await client.list(user, "public/price", query);
      const { data, meta } = body as {
        readonly data: readonly { readonly id: number }[];
        readonly meta?: { readonly nextCursor?: string };
      };
      seen.push(...data.map(({ id }) => id));
      cursor = meta?.nextCursor && `&cursor=${meta.nextCursor}`;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("uses the index of the column", async () => {
    const plan = await test.database.transaction(async (transaction) => {
      await transaction.query("set local enable_seqscan = off");
      return transaction.query<{ "QUERY PLAN": string }>(
        "explain select from price where amount < '5.004'::numeric",
      );
    });
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("Index Cond");
  });
});

describe("a grant on a domain", () => {
  it.each([
    [{ action: "READ", rowFilter: { nick: { _eq: "abdZZ" } } }, "/data/rowFilter/nick/_eq"],
    [{ action: "READ", rowFilter: { nick: { _in: ["abdZZ"] } } }, "/data/rowFilter/nick/_in"],
    [{ action: "CREATE", check: { nick: { _eq: "abdZZ" } } }, "/data/check/nick/_eq"],
    [{ action: "CREATE", presets: { nick: "abdZZ" } }, "/data/presets/nick"],
    [{ action: "CREATE", presets: { amount: "100000" } }, "/data/presets/amount"],
  ] as const)("is rejected if the domain rejects its literal: %j", async (input, path) => {
    await expect(
      grant(test.database, client.snapshots, roleId, "public/nothing", input),
    ).rejects.toMatchObject({ faults: [{ code: "VALUE_INVALID", path }] });
  });

  it("sets presets as a column stores them, and rejects a variable that does not fit", async () => {
    const name = "public/nothing";
    const writer = await createRole(test.database, "Writers");
    const person = await createUser(test.database, "writer@example.com", "Writers");
    await grant(test.database, client.snapshots, writer, name, { action: "READ" });
    await grant(test.database, client.snapshots, writer, name, {
      action: "CREATE",
      fields: ["id"],
      presets: { amount: "1.005", at: "$NOW" },
    });
    await grant(test.database, client.snapshots, writer, name, {
      action: "UPDATE",
      fields: ["id"],
      presets: { nick: "$USER.handle" },
    });
    expect(await client.create(person, name, { id: 1 })).toMatchObject({
      status: 201,
      body: { data: { amount: "1.01" } },
    });
    await test.database.query(
      "update system.users set handle = 'abcdef' where email = 'writer@example.com'",
    );
    expect(await client.update(person, name, "1", { id: 2 })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "VALUE_INVALID" }] },
    });
    await test.database.query(
      "update system.users set handle = 'abc' where email = 'writer@example.com'",
    );
    expect(await client.update(person, name, "1", { id: 2 })).toMatchObject({
      status: 200,
      body: { data: { nick: "abc" } },
    });
  });
});
