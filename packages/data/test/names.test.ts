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

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    'create table docs (id int primary key, meta jsonb, parent_id int references docs, "a\tb" int)',
  );
  await test.database.query(`insert into docs values (1, '{"a\\u0001":{"b":1}}', null, 5)`);
  await expose(test.database, "public", "docs", "GET", "POST");
  for (const action of ["READ", "CREATE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/docs", { action });
  }
});
afterAll(() => test.drop());

const json = (value: unknown): string => `where=${encodeURIComponent(JSON.stringify(value))}`;
const nul = "a%00b";
const half = "a\ud800";

describe("a name with NUL or an unpaired surrogate", () => {
  it.each([
    ["a field", `fields=${nul}`],
    ["a field of a relation", `fields=parent.${nul}`],
    ["a field in quotes", `fields="${nul}"`],
    ["an order", `order_by=-${nul}`],
    ["a group", `group_by=${nul}`],
    ["an aggregate", `aggregate=sum(${nul})`],
    ["a parameter", `${nul}=1`],
    ["a filter in brackets", `where[${nul}][_eq]=1`],
    ["a key of a document in brackets", `where[meta][_path][${nul}][_eq]=1`],
    ["an operator", `where[id][_eq${nul}]=1`],
    ["a relation of deep", `fields=id&deep[${nul}][limit]=1`],
    ["an order of deep", `fields=docs.id&deep[docs][order_by]=${nul}`],
    ["a result in having", `aggregate=count&having[${nul}][_eq]=1`],
    ["a filter as JSON", json({ "a\0b": { _eq: 1 } })],
    ["an unpaired surrogate in a filter", json({ [half]: { _eq: 1 } })],
    ["a key of a document as JSON", json({ meta: { _path: { "a\0b": { _eq: 1 } } } })],
    ["an unpaired surrogate in a document", json({ meta: { _path: { [half]: { _lt: "x" } } } })],
    ["a relation as JSON", json({ "par\0ent": { _some: { id: { _eq: 1 } } } })],
    [
      "within a combination",
      json({ _or: [{ _not: { meta: { _path: { [half]: { _eq: 1 } } } } }] }),
    ],
  ])("a name with NUL or an unpaired surrogate gives 400: %s", async (_, query) => {
    expect(await client.list(user, "public/docs", query)).toMatchObject({
      status: 400,
      body: { errors: [{ code: "QUERY_INVALID" }] },
    });
  });

  it("such a name is rejected in a body and in on_conflict, and names no resource", async () => {
    expect((await client.create(user, "public/docs", { id: 5, "a\0b": 1 })).status).toBe(400);
    expect((await client.create(user, "public/docs", { id: 5, [half]: 1 })).status).toBe(400);
    const conflict = await client.create(
      user,
      "public/docs",
      { id: 5 },
      `on_conflict=${nul}&resolution=merge`,
    );
    expect(conflict.status).toBe(400);
    for (const name of ["public/do\0cs", "pub\0lic/docs", `public/docs${half}`]) {
      expect((await client.list(user, name)).status).toBe(404);
      expect((await client.create(user, name, { id: 5 })).status).toBe(404);
    }
  });

  it("other control characters are accepted, because names may contain them", async () => {
    const path = await client.list(
      user,
      "public/docs",
      `fields=id&${json({ meta: { _path: { "a\u0001.b": { _gte: 1 } } } })}`,
    );
    expect(path.body).toMatchObject({ data: [{ id: 1 }] });
    const tab = await client.list(
      user,
      "public/docs",
      "fields=a%09b&where[a%09b][_eq]=5&order_by=a%09b",
    );
    expect(tab.body).toEqual({ data: [{ "a\tb": 5 }] });
  });
});
