import type { Database } from "@rowhouse/db";
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
/** A user who reads every row. */
let open: TestUser;
/** A user who reads the rows of one ward, and in some tables some fields in some rows only. */
let narrow: TestUser;
let sent: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Records the statements of the pool and executes them unchanged.
  const database: Database = {
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters, options) => {
      sent.push(text);
      return test.database.query(text, parameters, options);
    },
  };
  client = createClient(database);
  const openRole = await createRole(test.database, "Open");
  const narrowRole = await createRole(test.database, "Narrow");
  const notesRole = await createRole(test.database, "Notes");
  open = await createUser(test.database, "open@example.com", "Open");
  narrow = await createUser(test.database, "narrow@example.com", "Narrow", "Notes");
  for (const statement of [
    "create table wards (id int primary key, name text)",
    "insert into wards values (1, 'a'), (2, 'b')",
    // Both columns hold the same value. The planner assumes independence and expects a tenth of a tenth of the rows.
    "create table visits (id int primary key, a int, b int, ward_id int references wards, seen timestamptz, by uuid)",
    "insert into visits select n, n % 10, n % 10, 1 + (n % 4) / 3, now(), null from generate_series(1, 4000) n",
    "create table notes (id int primary key, a int, text text)",
    "insert into notes select n, n % 10, 'x' from generate_series(1, 4000) n",
    "create table fresh (id int primary key, a int)",
    "insert into fresh select n, n % 10 from generate_series(1, 100) n",
    "create table parted (id int, a int, b int) partition by range (id)",
    "create table parted_1 partition of parted for values from (0) to (2000)",
    "create table parted_2 partition of parted for values from (2000) to (5000)",
    "insert into parted select n, n % 10, n % 10 from generate_series(1, 4000) n",
    "create view seen_visits as select * from visits where ward_id = 1",
    "create materialized view kept_visits as select * from visits",
    "analyze wards, visits, notes, parted, kept_visits",
  ]) {
    await test.database.query(statement);
  }
  const names = ["wards", "visits", "notes", "fresh", "parted", "seen_visits", "kept_visits"];
  for (const name of names) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, openRole, `public/${name}`, { action: "READ" });
  }
  const read = { action: "READ" } as const;
  await grant(test.database, client.snapshots, narrowRole, "public/wards", {
    ...{ ...read, rowFilter: { id: { _eq: 1 } } },
  });
  await grant(test.database, client.snapshots, narrowRole, "public/visits", {
    ...{ ...read, rowFilter: { ward_id: { _eq: 2 } } },
  });
  await grant(test.database, client.snapshots, narrowRole, "public/notes", {
    ...{ ...read, fields: ["id"] },
  });
  await grant(test.database, client.snapshots, notesRole, "public/notes", {
    ...{ ...read, fields: ["a"], rowFilter: { id: { _gt: 3900 } } },
  });
});
afterAll(() => test.drop());

const countOf = async (user: TestUser, name: string, query: string) => {
  sent = [];
  const { status, body } = await client.list(user, name, `${query}&limit=1&fields=id`);
  expect([status, body]).toMatchObject([200, {}]);
  const { count } = (body as { meta: { count: number } }).meta;
  return { count, asked: sent.some((text) => text.startsWith("explain")) };
};

describe("count=estimated with a filter", () => {
  it("count=estimated uses the planner's estimate if the caller may read every relation of the filter completely", async () => {
    const both = "where[a][_eq]=1&where[b][_eq]=1";
    for (const name of ["public/visits", "public/parted", "public/kept_visits/view"]) {
      expect((await countOf(open, name, `count=exact&${both}`)).count).toBe(400);
      const { count, asked } = await countOf(open, name, `count=estimated&${both}`);
      expect([asked, count]).toEqual([true, expect.any(Number)]);
      expect(count).toBeGreaterThan(20);
      expect(count).toBeLessThan(80);
    }
    const related = await countOf(open, "public/visits", "count=estimated&where[ward.name][_eq]=a");
    expect(related.asked).toBe(true);
    const impossible = await client.list(
      open,
      "public/visits",
      "count=estimated&where[seen][_gt]=never",
    );
    expect(impossible).toMatchObject({
      status: 400,
      body: { errors: [{ code: "VALUE_INVALID", path: "where[seen][_gt]" }] },
    });
  });

  it("an estimate accepts variables, periods and searches", async () => {
    for (const filter of [
      "where[by][_eq]=$USER.id",
      "where[seen][_lte]=$NOW",
      "where[seen][_eq]=$PERIOD.today",
      "where[by][_eq]=$USER.id&where[seen][_eq]=$PERIOD.today",
    ]) {
      const { count, asked } = await countOf(open, "public/visits", `count=estimated&${filter}`);
      expect([asked, Number.isInteger(count)]).toEqual([true, true]);
    }
    expect((await countOf(open, "public/notes", "count=estimated&search=x")).asked).toBe(true);
  });

  it("count=estimated counts exactly if rows or values are hidden from the caller, also in a related table", async () => {
    const hidden = { count: expect.any(Number) as number, asked: false };
    // Statistics would reveal how common a value is in the rows of other wards.
    const common = await countOf(narrow, "public/visits", "count=estimated&where[a][_eq]=3");
    expect(common).toEqual({
      ...(await countOf(narrow, "public/visits", "count=exact&where[a][_eq]=3")),
      asked: false,
    });
    const values = await countOf(narrow, "public/notes", "count=estimated&where[a][_eq]=1");
    expect(values).toEqual({ count: 10, asked: false });
    expect(await countOf(narrow, "public/wards", "count=estimated&where[name][_eq]=b")).toEqual({
      ...{ ...hidden, count: 0 },
    });
    const view = await countOf(open, "public/seen_visits/view", "count=estimated&where[a][_eq]=1");
    expect(view.asked).toBe(false);
  });

  it("count=estimated counts exactly before the first ANALYZE", async () => {
    expect((await countOf(open, "public/fresh", "count=estimated&where[a][_eq]=1")).count).toBe(10);
    expect((await countOf(open, "public/fresh", "count=estimated")).count).toBe(100);
  });
});
