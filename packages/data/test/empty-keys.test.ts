import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

// Rows whose key is an empty text, and tables without columns.

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await run(
    "create table one (code text primary key, name text)",
    "create table two (a text, b text, name text, primary key (a, b))",
    "create table numbers (id int primary key)",
  );
  for (const name of ["one", "two", "numbers"]) await open(name);
});
afterAll(() => test.drop());
beforeEach(() =>
  run(
    "delete from one",
    "delete from two",
    "insert into one values ('', 'empty'), ('a', 'a'), (',', 'comma')",
    "insert into two values ('', '', 'both'), ('', 'b', 'first'), ('a', '', 'second'), ('a', 'b', 'none')",
  ),
);

const run = async (...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await test.database.query(statement);
};
const open = async (name: string): Promise<void> => {
  await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
  }
};
const nameOf = async (table: string, id: string) => {
  const { status, body } = await client.read(user, `public/${table}`, id);
  return status === 200 ? (body as { data: { name: string } }).data.name : status;
};

describe("a comma as an id", () => {
  it("is the empty text of a key with one column, or two of them", async () => {
    expect(await nameOf("one", ",")).toBe("empty");
    expect(await nameOf("one", "a,b")).toBe(404);
    expect(await nameOf("one", ",")).toBe("empty");
    expect(await nameOf("one", "a,")).toBe(404);
    expect(await nameOf("one", "%2C")).toBe("comma");
    expect(await nameOf("one", "a")).toBe("a");
    expect(await nameOf("two", ",")).toBe("both");
    expect(await nameOf("two", ",b")).toBe("first");
    expect(await nameOf("two", "a,")).toBe("second");
    expect(await nameOf("two", "a,b")).toBe("none");
    expect(await nameOf("two", ",,")).toBe(404);
    expect((await client.read(user, "public/numbers", ",")).status).toBe(404);
  });

  it("selects the row of a change, a deletion and a write of a batch", async () => {
    expect((await client.update(user, "public/one", "a,b", { name: "x" })).status).toBe(404);
    expect((await client.update(user, "public/one", ",", { name: "x" })).status).toBe(200);
    expect((await client.update(user, "public/one", "a,b", { name: "y" })).status).toBe(404);
    expect(await nameOf("one", ",")).toBe("x");
    const path = "/api/public/table/one/,";
    const write = { method: "PATCH", path, data: { name: "z" } };
    expect((await client.batch(user, [write])).status).toBe(200);
    expect(await nameOf("one", ",")).toBe("z");
    expect((await client.remove(user, "public/one", ",")).status).toBe(204);
    expect(await nameOf("one", ",")).toBe(404);
    expect(await nameOf("one", "%2C")).toBe("comma");
  });
});

describe("a table without columns", () => {
  it("has empty rows", async () => {
    await run("create table bare ()", "insert into bare default values");
    await run("insert into bare default values");
    await open("bare");
    const list = await client.list(user, "public/bare");
    expect(list).toMatchObject({ status: 200, body: { data: [{}, {}] } });
    const counted = await client.list(user, "public/bare", "count=exact&limit=1");
    expect(counted).toMatchObject({ status: 200, body: { data: [{}], meta: { count: 2 } } });
    await run("alter table bare add column x int");
    await run("alter table bare drop column x");
    expect((await client.list(user, "public/bare")).body).toMatchObject({ data: [{}, {}] });
    await run("create view none as select from bare");
    await expose(test.database, "public", "none", "GET");
    await grant(test.database, client.snapshots, roleId, "public/none", { action: "READ" });
    expect((await client.list(user, "public/none/view")).body).toMatchObject({ data: [{}, {}] });
  });
});
