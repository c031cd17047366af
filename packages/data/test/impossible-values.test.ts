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

/** Columns, each with a valid value and some invalid ones. */
const columns: Readonly<Record<string, readonly [held: string, ...impossible: string[]]>> = {
  boolean: ["true", "maybe"],
  integer: ["5", "2147483648", "x"],
  numeric: ["1.5", "1e9999", "x"],
  "double precision": ["1.5", "1e999"],
  date: ["2020-02-29", "2020-02-30", "never"],
  timestamptz: ["2020-02-29T00:00:00Z", "2020-02-29T25:00:00Z", "a\u0000b"],
  interval: ["P1D", "soon"],
  bytea: ["\\x00", "\\xz"],
  inet: ["10.0.0.1", "10.0.0.256"],
  jsonb: ["{}", "{"],
  int4range: ["[1,5)", "[5,1)"],
  mood: ["fine", "none"],
  even: ["4", "3", "x"],
  present: ["4", "x"],
  "varchar(3)": ["abc", "abcd"],
  short: ["abc", "abcd"],
  "integer[]": ["{1}", "{x}", "{1"],
  tsquery: ["'a'", "a b", "'"],
  tsvector: ["'a'", "a:b"],
  regclass: ["pg_class", "nothing_of_this_name", "no_schema.t", "a b"],
  regtype: ["integer", "no_type"],
  hstore: ["a=>1", "x"],
};

const nameOf = (type: string): string => `c${Object.keys(columns).indexOf(type)}`;

async function open(name: string): Promise<void> {
  await expose(test.database, "public", name, "GET", "PATCH", "DELETE");
  for (const action of ["READ", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
  }
}

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  const list = Object.keys(columns);
  for (const statement of [
    "create extension hstore schema public",
    "create type mood as enum ('fine', 'bad')",
    "create domain even as int check (value % 2 = 0)",
    "create domain present as int not null",
    "create domain short as varchar(3)",
    `create table kinds (id int primary key, ${list.map((type, at) => `c${at} ${type}`).join(", ")})`,
    "create table days (day date primary key, at timestamptz, n even, name text)",
    "insert into days values ('2020-01-01', now(), 4, 'first')",
  ]) {
    await test.database.query(statement);
  }
  await test.database.query(
    `insert into kinds select g, ${list.map((type, at) => `$${at + 1}::text::${type}`).join(", ")} from generate_series(1, 3) g`,
    list.map((type) => columns[type]?.[0] ?? null),
  );
  await open("kinds");
  await open("days");
});
afterAll(() => test.drop());

describe("a value that its column cannot hold", () => {
  it.each(Object.entries(columns))(
    "an impossible value is rejected in a filter: %s",
    async (type, [held, ...impossible]) => {
      const name = nameOf(type);
      const answers: Record<string, unknown> = {};
      const ask = async (filter: unknown) => {
        const where = `where=${encodeURIComponent(JSON.stringify({ [name]: filter }))}`;
        // A shape is prepared on its second use.
        const [first, second, many] = [
          await client.list(user, "public/kinds", `${where}&fields=id`),
          await client.list(user, "public/kinds", `${where}&fields=id`),
          await client.removeMany(user, "public/kinds", `${where}&max_affected=0`),
        ];
        expect(second).toEqual(first);
        if (first.status !== 200) expect(many).toEqual(first);
        answers[JSON.stringify(filter)] = first.body;
      };
      await ask({ _eq: held });
      for (const value of impossible) {
        await ask({ _eq: value });
        await ask({ _between: [held, value] });
        if (!type.endsWith("[]")) await ask({ _in: [held, value] });
      }
      expect(answers).toMatchSnapshot();
    },
  );

  it("a null in brackets, which looks like a text, has a hint at the operators for null", async () => {
    const hint = "The column cannot hold this value; for null use _null or _nnull";
    const messagesOf = async (query: string) => {
      const { body } = await client.list(user, "public/days", query);
      return (body as { errors?: { message: string }[] }).errors?.map(({ message }) => message);
    };
    expect(await messagesOf("where[n][_eq]=null&where[at][_neq]=null")).toEqual([hint, hint]);
    expect(await messagesOf("where[at][_neq]=null")).toEqual([hint]);
    expect(await messagesOf("where[n][_in]=1,null")).toEqual([hint]);
    expect(await messagesOf("where[name][_eq]=null")).toBe(undefined);
    expect(await messagesOf("where[n][_eq]=x")).not.toEqual([hint]);
  });

  it("an impossible value is rejected as an id, beside valid values and in a write", async () => {
    const answers = [
      await client.read(user, "public/days", "never"),
      await client.update(user, "public/days", "never", { name: "x" }),
      await client.update(user, "public/days", "2020-01-02", { at: "never" }),
      await client.update(user, "public/days", "2020-01-01", { at: "never", n: 3 }),
      await client.remove(user, "public/days", "2020-02-30"),
      await client.list(
        user,
        "public/days",
        "where[at][_gt]=never&where[n][_eq]=3&where[day][_lt]=never",
      ),
      await client.list(user, "public/days", "aggregate=count,max(at)&having[max_at][_gt]=never"),
      await client.updateMany(user, "public/days", "where[at][_gt]=never&max_affected=5", { n: 3 }),
      await client.update(user, "public/kinds", "1", { [nameOf("tsvector")]: "a:b" }),
      await client.update(user, "public/kinds", "1", {
        [nameOf("hstore")]: "x",
        [nameOf("tsquery")]: "a b",
      }),
    ];
    expect(answers).toMatchSnapshot();
  });

  it("an impossible value is rejected whether or not a row could match and whether or not the field is visible in it", async () => {
    await test.database.query("create table visits (id int primary key, at timestamptz, n int)");
    await expose(test.database, "public", "visits", "GET");
    const rules = {
      Readers: { fields: ["id", "n"], rowFilter: null },
      Visitors: { fields: ["at"], rowFilter: { n: { _eq: 2 } } },
    };
    for (const [name, rule] of Object.entries(rules)) {
      const readers = await createRole(test.database, name);
      await grant(test.database, client.snapshots, readers, "public/visits", {
        ...{ action: "READ", ...rule },
      });
    }
    const reader = await createUser(test.database, "reader@example.com", ...Object.keys(rules));
    const ask = () => client.list(reader, "public/visits", "where[at][_gt]=never");
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ code: "VALUE_INVALID", path: "where[at][_gt]" }] },
    });
    for (const n of [1, 2]) {
      await test.database.query("insert into visits values ($1::int, now(), $1::int)", [String(n)]);
      expect(await ask()).toEqual(answer);
    }
  });
});

describe("a type that is dropped and created again under its name", () => {
  it.each([
    ["create type state as enum ('new', 'done')", "done"],
    ["create domain state as int check (value > 0)", "1"],
    ["create type state as (a int)", "(1)"],
  ])("a comparison still works after the type was created again: %s", async (create, value) => {
    const kind = create.split(" ")[1];
    await test.database.query(create);
    await test.database.query("create table tasks (id int primary key, state state)");
    await test.database.query("insert into tasks values (1, $1::text::state)", [value]);
    await open("tasks");
    const where = encodeURIComponent(JSON.stringify({ state: { _eq: value } }));
    for (let made = 0; made < 3; made += 1) {
      for (let asked = 0; asked < 3; asked += 1) {
        const query = `where=${where}&fields=id`;
        expect(await client.list(user, "public/tasks", query)).toMatchObject({
          body: { data: [{ id: 1 }] },
        });
      }
      await test.database.query("alter table tasks alter state type text");
      await test.database.query(`drop ${kind} state`);
      await test.database.query(create);
      await test.database.query("alter table tasks alter state type state using state::state");
    }
    await test.database.query("drop table tasks");
    await test.database.query(`drop ${kind} state`);
  });
});
