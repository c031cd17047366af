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
let reader: TestUser;
let masked: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query("create table drivers (id int primary key, name text)");
  await test.database.query(
    "create table vehicles (id int primary key, plate text, price numeric, driver_id int references drivers)",
  );
  await test.database.query("insert into drivers values (1, 'Ida'), (2, 'Bo')");
  await test.database.query(
    `insert into vehicles select n, case when n % 3 = 0 then null else 'P' || n end, n * 1.50, n % 2 + 1
     from generate_series(1, 12) n`,
  );
  await test.database.query("create view shown as select * from vehicles");
  await expose(test.database, "public", "drivers", "GET");
  await expose(test.database, "public", "vehicles", "GET", "PATCH");
  await expose(test.database, "public", "shown", "GET");
  const readers = await createRole(test.database, "Readers");
  reader = await createUser(test.database, "reader@example.com", "Readers");
  const some = await createRole(test.database, "Some");
  const cheap = await createRole(test.database, "Cheap");
  masked = await createUser(test.database, "masked@example.com", "Some", "Cheap");
  const { snapshots } = client;
  for (const name of ["drivers", "vehicles", "shown"]) {
    await grant(test.database, snapshots, readers, `public/${name}`, { action: "READ" });
  }
  await grant(test.database, snapshots, readers, "public/vehicles", { action: "UPDATE" });
  await grant(test.database, snapshots, some, "public/vehicles", {
    action: "READ",
    fields: ["id", "plate"],
  });
  // The price is visible in some rows only.
  await grant(test.database, snapshots, cheap, "public/vehicles", {
    action: "READ",
    rowFilter: { id: { _lte: 4 } },
  });
});
afterAll(() => test.drop());

interface Page {
  readonly data: readonly { readonly id: number }[];
  readonly meta: { readonly etags: readonly string[]; readonly nextCursor?: string };
}

const pageOf = async (user: TestUser, query: string): Promise<Page> => {
  const answer = await client.tagged(user, "public/vehicles", query);
  expect(answer.status).toBe(200);
  return answer.body as Page;
};

const tagOf = async (user: TestUser, id: number): Promise<string | undefined> => {
  const answer = await client.read(user, "public/vehicles", String(id));
  return (answer as { headers?: Record<string, string> }).headers?.ETag;
};

describe("Prefer: etags on a list", () => {
  it.each([
    ["of all fields", "order_by=id"],
    ["of some fields, as their tag covers the whole row", "fields=id,plate&order_by=-id&limit=5"],
    ["in the order of a related row", "fields=id&order_by=driver.name,-id"],
    ["with related rows", "fields=id,driver.name&order_by=plate"],
    ["of a filter", "fields=id&where[price][_gt]=5&offset=1"],
  ])("returns the ETag of each row %s", async (_name, query) => {
    for (const user of [reader, masked]) {
      if (user === masked && /driver|price/.test(query)) continue;
      const { data, meta } = await pageOf(user, query);
      expect(data.length).toBeGreaterThan(4);
      const tags = await Promise.all(data.map(({ id }) => tagOf(user, id)));
      expect(meta.etags).toEqual(tags);
      expect(new Set(tags).size).toBe(data.length);
    }
  });

  it("keeps the rows and the cursor of the same list without it", async () => {
    const query = "fields=id&order_by=-price&limit=4";
    const { body } = await client.list(reader, "public/vehicles", query);
    const { data, meta } = await pageOf(reader, query);
    expect({ data, meta: { nextCursor: meta.nextCursor } }).toEqual(body);
    const next = await pageOf(reader, `${query}&cursor=${meta.nextCursor}`);
    expect(next.data.map(({ id }) => id)).toEqual([8, 7, 6, 5]);
  });

  it("returns tags that If-Match takes", async () => {
    const [tag = ""] = (await pageOf(reader, "where[id][_eq]=1")).meta.etags;
    const ifMatch = [tag.slice(1, -1)];
    const change = (plate: string) =>
      client.update(reader, "public/vehicles", "1", { plate }, { ifMatch });
    expect((await change("new")).status).toBe(200);
    expect((await change("newer")).status).toBe(412);
  });

  it("returns an empty list for no row", async () => {
    expect(await pageOf(reader, "where[id][_eq]=0")).toEqual({ data: [], meta: { etags: [] } });
  });

  it.each([
    ["an aggregate", "public/vehicles", "aggregate=count"],
    ["a view", "public/shown/view", ""],
  ])("is refused on %s", async (_name, relation, query) => {
    expect(await client.tagged(reader, relation, query)).toMatchObject({
      status: 400,
      body: { errors: [{ code: "QUERY_INVALID", path: "Prefer" }] },
    });
  });
});
