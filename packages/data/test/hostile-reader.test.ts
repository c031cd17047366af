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
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(
    "create table public.folders (id int primary key, owner text not null)",
  );
  await test.database.query(
    "create table public.papers (id int primary key, folder_id int references public.folders, content json, body text)",
  );
  await test.database.query(
    "create table public.places (id int primary key, name text unique, n int)",
  );
  await test.database.query(
    "insert into public.folders values (1, 'reader@example.com'), (2, 'other@example.com')",
  );
  // In the rows of folder 2, a cast to jsonb and a text search raise an error.
  await test.database.query(
    `insert into public.papers values (1, 1, '{"k":1}', 'small'), (2, 2, '{"k":"\\u0000"}', 'small'),
       (3, 2, '{"k":1}', (select string_agg(md5(n::text), ' ') from generate_series(1, 60000) n))`,
  );
  await test.database.query(
    "insert into public.places select n, 'name ' || n, n % 3 from generate_series(1001, 1040) n",
  );
  await expose(test.database, "public", "folders", "GET");
  await expose(test.database, "public", "papers", "GET", "PATCH", "DELETE");
  await expose(test.database, "public", "places", "GET", "POST", "PATCH");
  const grantOf = (name: string, input: Parameters<typeof grant>[4]) =>
    grant(test.database, client.snapshots, roleId, name, input);
  await grantOf("public/folders", { action: "READ" });
  // A filter on a related row costs more than the caller's own, so the planner would evaluate the caller's first.
  for (const action of ["READ", "UPDATE", "DELETE"] as const) {
    await grantOf("public/papers", {
      action,
      rowFilter: { "folder.owner": { _eq: "$USER.email" } },
    });
  }
  await grantOf("public/places", { action: "READ", fields: ["name", "n"] });
  await grantOf("public/places", { action: "CREATE" });
  await grantOf("public/places", { action: "UPDATE" });
});
afterAll(() => test.drop());

const where = (filter: unknown) => `where=${encodeURIComponent(JSON.stringify(filter))}`;

describe("a filter that can raise an error on a row that the caller may not see", () => {
  it.each([
    { content: { _path: { k: { _eq: 1 } } } },
    { content: { _path: { k: { _gt: 0 } } } },
    { content: { _path: { k: { _null: false } } } },
    { content: { _json_contains: { k: 1 } } },
    { content: { _has_key: "k" } },
    { body: { _search: "small" } },
  ])(
    "the response contains the visible rows, although the filter fails on a hidden one: %j",
    async (filter) => {
      expect(await client.list(user, "public/papers", `fields=id&${where(filter)}`)).toMatchObject({
        status: 200,
        body: { data: [{ id: 1 }] },
      });
      expect(
        await client.list(user, "public/papers", `aggregate=count&${where(filter)}`),
      ).toMatchObject({
        body: { data: [{ count: 1 }] },
      });
      expect(
        await client.list(
          user,
          "public/folders",
          `fields=id&${where({ papers: { _some: filter } })}`,
        ),
      ).toEqual({ status: 200, body: { data: [{ id: 1 }] } });
      expect(
        await client.list(
          user,
          "public/folders",
          `fields=id&${where({ papers: { _none: filter } })}`,
        ),
      ).toEqual({ status: 200, body: { data: [{ id: 2 }] } });
      const many = `max_affected=5&${where({ _and: [filter, { id: { _gt: 1 } }] })}`;
      expect(await client.updateMany(user, "public/papers", many, { body: "x" })).toMatchObject({
        status: 200,
      });
      expect(await client.removeMany(user, "public/papers", many)).toMatchObject({ status: 204 });
    },
  );
});

describe("a key that the caller may not read", () => {
  it("a hidden key orders pages without ambiguity, and cursors do not reveal it", async () => {
    const names: string[] = [];
    let cursor = "";
    do {
      const { body } = await client.list(user, "public/places", `order_by=n&limit=3${cursor}`);
      const { data, meta } = body as { data: { name: string }[]; meta?: { nextCursor: string } };
      names.push(...data.map(({ name }) => name));
      cursor = meta === undefined ? "" : `&cursor=${meta.nextCursor}`;
      expect(Buffer.from(meta?.nextCursor ?? "", "base64url").toString("latin1")).not.toMatch(
        /10[0-4]\d/,
      );
    } while (cursor !== "");
    expect(new Set(names).size).toBe(40);
    expect(names).toHaveLength(40);
  });
});

it("a list that would merge into one row twice is rejected as a whole and names the second row", async () => {
  const rows = [
    { id: 1, name: "twice", n: 1 },
    { id: 2, name: "twice", n: 2 },
  ];
  expect(
    await client.create(user, "public/places", rows, "on_conflict=name&resolution=merge"),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ code: "BODY_INVALID", path: "/data/1" }] },
  });
  expect(await client.list(user, "public/places", "where[name][_eq]=twice")).toEqual({
    status: 200,
    body: { data: [] },
  });
});
