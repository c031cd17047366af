import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let a: TestUser;
let b: TestUser;
let roleId: string;
const t = "public/t";
const own = { owner: { _eq: "$USER.id" } };

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "R");
  a = await createUser(test.database, "a@example.com", "R");
  b = await createUser(test.database, "b@example.com", "R");
});
afterAll(() => test.drop());

beforeEach(async () => {
  await test.database.query("drop table if exists public.t");
  await test.database.query(
    `create table public.t (id int primary key, owner uuid, code text unique, title text default 'untitled', n int not null default 0, tags text[])`,
  );
  await test.database.query(
    `insert into public.t (id, owner, code, n) values (1, '${a.id}', 'a1', 1), (2, '${b.id}', 'b1', 2), (3, '${a.id}', 'a2', 3)`,
  );
  await expose(test.database, "public", "t", "GET", "POST", "PATCH", "DELETE");
});

const allow = (input: Parameters<typeof grant>[4]) =>
  grant(test.database, client.snapshots, roleId, t, input);
const allowAll = async () => {
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await allow({ action, rowFilter: own });
  }
};
const rows = () =>
  test.database.query<{ id: number; title: string; n: number }>(
    "select id, title, n from public.t order by id",
  );
const errorsOf = (answer: Answer) =>
  (answer.body as { errors: { code: string; path?: string }[] }).errors;

describe("creating several rows", () => {
  it("a list of rows is created completely or not at all, returned in the order sent, and unset fields have their defaults", async () => {
    await allowAll();
    const answer = await client.create(a, t, [
      { id: 10, owner: a.id, title: "ten" },
      { id: 11, owner: a.id },
      { id: 12, owner: a.id, title: null, tags: ["x", 'y"z'] },
      { id: 13, owner: a.id, title: "thirteen" },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      data: [
        { id: 10, title: "ten" },
        { id: 11, title: "untitled" },
        { id: 12, title: null, tags: ["x", 'y"z'] },
        { id: 13, title: "thirteen" },
      ],
    });
    const refused = await client.create(a, t, [
      { id: 20, owner: a.id },
      { id: 21, owner: b.id },
    ]);
    expect(refused.status).toBe(403);
    expect(
      (
        await client.create(a, t, [
          { id: 22, owner: a.id },
          { id: 1, owner: a.id },
        ])
      ).status,
    ).toBe(409);
    expect((await rows()).map((row) => row.id)).toEqual([1, 2, 3, 10, 11, 12, 13]);
  });

  it("every error names its row", async () => {
    await allowAll();
    const answer = await client.create(a, t, [
      { id: 30, owner: a.id, n: 1 },
      { id: "x", owner: a.id, n: 1.5 },
      { id: 31, owner: "nobody", n: 2 },
    ]);
    expect(
      errorsOf(answer)
        .map((fault) => fault.path)
        .sort(),
    ).toEqual(["/data/1/id", "/data/1/n", "/data/2/owner"]);
    expect(
      errorsOf(
        await client.create(a, t, [
          { id: 30, owner: a.id },
          { id: 31, owner: a.id, n: null },
        ]),
      ),
    ).toMatchObject([{ code: "REQUIRED_FIELD", path: "/data/1/n" }]);
    expect(errorsOf(await client.create(a, t, []))).toMatchObject([{ path: "/data" }]);
    expect(errorsOf(await client.create(a, t, [{}]))).toMatchObject([{ path: "/data/0" }]);
    const many = Array.from({ length: 1001 }, (_, id) => ({ id }));
    expect(errorsOf(await client.create(a, t, many))).toMatchObject([{ path: "/data" }]);
  });
});

describe("an upsert", () => {
  it("an upsert merges into an own row, creates a missing one, and ignores on request", async () => {
    await allowAll();
    const merged = await client.create(
      a,
      t,
      [
        { id: 1, owner: a.id, title: "merged" },
        { id: 40, owner: a.id, title: "new" },
      ],
      "on_conflict=id&resolution=merge",
    );
    expect(merged).toMatchObject({
      status: 201,
      body: {
        data: [
          { id: 1, title: "merged", n: 1 },
          { id: 40, title: "new" },
        ],
      },
    });
    const one = await client.create(
      a,
      t,
      { id: 1, owner: a.id, n: 5 },
      "on_conflict=id&resolution=merge",
    );
    expect(one.body).toMatchObject({ data: { id: 1, title: "merged", n: 5 } });
    const ignored = await client.create(
      a,
      t,
      { id: 1, owner: a.id, n: 9 },
      "on_conflict=id&resolution=ignore",
    );
    expect(ignored.status).toBe(204);
    const some = await client.create(
      a,
      t,
      [
        { id: 1, owner: a.id },
        { id: 41, owner: a.id },
      ],
      "on_conflict=id&resolution=ignore",
    );
    expect(some.body).toMatchObject({ data: [{ id: 41 }] });
    expect((await rows()).find((row) => row.id === 1)?.n).toBe(5);
  });

  it("an upsert onto another owner's row is rejected and leaves the row unchanged", async () => {
    await allowAll();
    const query = "on_conflict=id&resolution=merge";
    const stolen = await client.create(a, t, { id: 2, owner: a.id, title: "stolen" }, query);
    expect(stolen.status).toBe(403);
    const together = [
      { id: 50, owner: a.id, title: "x" },
      { id: 2, owner: a.id, title: "stolen" },
    ];
    expect((await client.create(a, t, together, query)).status).toBe(403);
    expect(await rows()).toEqual([
      { id: 1, title: "untitled", n: 1 },
      { id: 2, title: "untitled", n: 2 },
      { id: 3, title: "untitled", n: 3 },
    ]);
    // An upsert cannot transfer an own row either.
    expect((await client.create(a, t, { id: 1, owner: b.id }, query)).status).toBe(403);
  });

  it("a field that a list may not write is named in the first row that sends it", async () => {
    await allow({ action: "CREATE", fields: ["id", "title"] });
    const rows = [{ id: 1, title: "a" }, { id: 2 }, { id: 3, n: 1 }, { id: 4, n: 1, nope: 1 }];
    expect(errorsOf(await client.create(a, t, rows))).toMatchObject([
      { code: "FIELD_UNKNOWN", path: "/data/2/n" },
      { code: "FIELD_UNKNOWN", path: "/data/3/nope" },
    ]);
    expect(errorsOf(await client.create(a, t, { id: 3, n: 1 }))).toMatchObject([
      { code: "FIELD_UNKNOWN", path: "/data/n" },
    ]);
  });

  it("an upsert requires CREATE, and UPDATE to merge", async () => {
    await allow({ action: "CREATE" });
    const merge = "on_conflict=id&resolution=merge";
    expect((await client.create(a, t, { id: 1 }, merge)).status).toBe(403);
    await allow({ action: "UPDATE", fields: ["title"] });
    expect(errorsOf(await client.create(a, t, { id: 1, n: 4 }, merge))).toMatchObject([
      { code: "FIELD_UNKNOWN", path: "/data/n" },
    ]);
    expect((await client.create(a, t, { id: 1, title: "x" }, merge)).status).toBe(201);
  });

  it.each([
    ["on_conflict=n&resolution=merge", "on_conflict"],
    ["on_conflict=nope&resolution=merge", "on_conflict"],
    ["on_conflict=id&resolution=replace", "resolution"],
    ["resolution=merge", "on_conflict"],
    ["on_conflict=id", "resolution"],
  ])("an upsert is rejected for %s", async (query, path) => {
    await allowAll();
    expect(errorsOf(await client.create(a, t, { id: 1 }, query))).toMatchObject([{ path }]);
  });
});

describe("writing many rows", () => {
  it("a bulk update changes the own rows that match and returns their number", async () => {
    await allowAll();
    const answer = await client.updateMany(a, t, "where[n][_gte]=1&max_affected=10", {
      title: "all",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: [
          { id: 1, title: "all" },
          { id: 3, title: "all" },
        ],
        meta: { count: 2 },
      },
    });
    expect((await rows()).map((row) => row.title)).toEqual(["all", "untitled", "all"]);
    expect((await client.removeMany(a, t, "where[n][_gte]=2&max_affected=5")).status).toBe(204);
    expect((await rows()).map((row) => row.id)).toEqual([1, 2]);
  });

  it("a bulk write changes nothing if more rows match than max_affected", async () => {
    await allowAll();
    expect(
      (await client.updateMany(a, t, "where[n][_gte]=1&max_affected=1", { title: "x" })).status,
    ).toBe(409);
    expect((await client.removeMany(a, t, "where[n][_gte]=1&max_affected=1")).status).toBe(409);
    expect((await rows()).map((row) => row.title)).toEqual(["untitled", "untitled", "untitled"]);
  });

  it("a bulk write requires a filter and max_affected, and filters by readable fields only", async () => {
    await allow({ action: "READ", fields: ["id"] });
    await allow({ action: "UPDATE" });
    expect(errorsOf(await client.updateMany(a, t, "where[id][_eq]=1", { n: 1 }))).toMatchObject([
      { path: "max_affected" },
    ]);
    expect(errorsOf(await client.updateMany(a, t, "max_affected=1", { n: 1 }))).toMatchObject([
      { path: "where" },
    ]);
    expect(
      errorsOf(await client.updateMany(a, t, "where={}&max_affected=1", { n: 1 })),
    ).toMatchObject([{ path: "where" }]);
    expect(
      errorsOf(await client.updateMany(a, t, "where[n][_eq]=1&max_affected=1", { n: 1 })),
    ).toMatchObject([{ code: "FIELD_UNKNOWN" }]);
    expect(
      (await client.updateMany(a, t, "where[id][_eq]=1&max_affected=1", { n: 7 })).status,
    ).toBe(200);
  });

  it("a bulk write works on a table without a key", async () => {
    await test.database.query("create table if not exists public.log (line text, n int)");
    await test.database.query("truncate public.log");
    await test.database.query("insert into public.log values ('a', 1), ('b', 2), ('a', 3)");
    await expose(test.database, "public", "log", "GET", "POST", "PATCH", "DELETE");
    for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
      await grant(test.database, client.snapshots, roleId, "public/log", { action });
    }
    expect((await client.create(a, "public/log", { line: "c" })).body).toEqual({
      data: { line: "c", n: null },
    });
    const changed = await client.updateMany(a, "public/log", "where[line][_eq]=a&max_affected=2", {
      n: 9,
    });
    expect(changed.body).toMatchObject({ meta: { count: 2 } });
    expect(
      (await client.removeMany(a, "public/log", "where[n][_eq]=9&max_affected=2")).status,
    ).toBe(204);
    expect((await client.read(a, "public/log", "1")).status).toBe(404);
  });
});

describe("entity tags", () => {
  it("If-Match permits a write only while the row is unchanged since it was read", async () => {
    await allowAll();
    const tag = (answer: Answer) => (answer.headers?.ETag ?? "").slice(1, -1);
    const first = tag(await client.read(a, t, "1"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(tag(await client.read(a, t, "1", "fields=id"))).toBe(first);
    expect((await client.update(a, t, "1", { n: 8 }, { ifMatch: [first] })).status).toBe(200);
    expect((await client.update(a, t, "1", { n: 9 }, { ifMatch: [first] })).status).toBe(412);
    expect((await client.remove(a, t, "1", { ifMatch: [first, "other"] })).status).toBe(412);
    expect((await client.update(a, t, "2", { n: 9 }, { ifMatch: ["*"] })).status).toBe(404);
    const second = tag(await client.read(a, t, "1"));
    expect((await client.remove(a, t, "1", { ifMatch: [second] })).status).toBe(204);
  });

  it("an entity tag does not depend on fields hidden from its reader", async () => {
    await allow({ action: "READ", fields: ["id", "title"] });
    const before = (await client.read(a, t, "1")).headers?.ETag;
    await test.database.query("update public.t set n = 99");
    expect((await client.read(a, t, "1")).headers?.ETag).toBe(before);
  });
});

describe("return=representation on a deletion", () => {
  const representation = { representation: true };

  it("returns the row as it was, with the fields that its reader may see", async () => {
    await allow({ action: "READ", fields: ["id", "title"] });
    await allow({ action: "DELETE" });
    const answer = await client.remove(a, t, "1", representation);
    expect(answer).toEqual({ status: 200, body: { data: { id: 1, title: "untitled" } } });
    expect(answer.headers).toEqual({ "Preference-Applied": "return=representation" });
    expect(await client.remove(a, t, "1", representation)).toMatchObject({ status: 404 });
    expect((await rows()).map((row) => row.id)).toEqual([2, 3]);
  });

  it("returns the key alone of a row that the caller may delete and not read", async () => {
    await allow({ action: "READ", rowFilter: own });
    await allow({ action: "DELETE" });
    expect((await client.remove(a, t, "2", representation)).body).toEqual({ data: { id: 2 } });
    expect((await client.remove(a, t, "3", representation)).body).toMatchObject({
      data: { id: 3, code: "a2" },
    });
  });

  it("returns no more than the key to a caller without READ, and nothing of a row of others", async () => {
    await allow({ action: "DELETE", rowFilter: own });
    expect((await client.remove(a, t, "1", representation)).body).toEqual({ data: { id: 1 } });
    const [missing, hidden] = [
      await client.remove(a, t, "9", representation),
      await client.remove(a, t, "2", representation),
    ];
    expect(missing.status).toBe(404);
    expect(hidden).toEqual(missing);
  });

  it("returns the rows of a deletion by a filter with their number, which the header has in any case", async () => {
    await allowAll();
    const many = "where[n][_gte]=1&max_affected=5";
    const few = "where[n][_gte]=1&max_affected=1";
    const refused = await client.removeMany(a, t, few, representation);
    expect(refused).toEqual(await client.removeMany(a, t, few));
    expect([refused.status, errorsOf(refused)[0]?.path]).toEqual([409, "max_affected"]);
    const answer = await client.removeMany(a, t, many, representation);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: [{ id: 1 }, { id: 3 }], meta: { count: 2 } },
    });
    expect(answer.headers).toMatchObject({ "X-Service-Count": "2" });
    expect(await client.removeMany(a, t, many, representation)).toEqual({
      status: 200,
      body: { data: [], meta: { count: 0 } },
    });
    expect((await client.removeMany(a, t, many)).headers).toEqual({ "X-Service-Count": "0" });
    expect((await rows()).map((row) => row.id)).toEqual([2]);
  });

  it("honors If-Match, and deletes nothing for another tag", async () => {
    await allowAll();
    const stale = await client.remove(a, t, "1", { ...representation, ifMatch: ["other"] });
    expect(stale.status).toBe(412);
    const any = await client.remove(a, t, "1", { ...representation, ifMatch: ["*"] });
    expect(any).toMatchObject({ status: 200, body: { data: { id: 1, n: 1 } } });
  });

  it("returns the row as it was found if a trigger marks it instead", async () => {
    await allowAll();
    await test.database.query(
      `create or replace function public.mark() returns trigger language plpgsql as $$
       begin update public.t set title = 'gone' where id = old.id; return null; end $$`,
    );
    await test.database.query(
      "create trigger mark before delete on public.t for each row execute function public.mark()",
    );
    expect(await client.remove(a, t, "1", representation)).toMatchObject({
      status: 200,
      body: { data: { id: 1, title: "untitled" } },
    });
    const many = await client.removeMany(a, t, "where[id][_eq]=3&max_affected=1", representation);
    expect(many.body).toMatchObject({ data: [{ id: 3, title: "untitled" }], meta: { count: 1 } });
    expect((await rows()).map((row) => row.title)).toEqual(["gone", "untitled", "gone"]);
  });

  it("does not delete rows whose response is too large", async () => {
    await allowAll();
    await test.database.query("update public.t set title = repeat('x', 70000)");
    await test.database.query(
      `insert into system.settings (key, value) values ('data.max_response_bytes', '65536')`,
    );
    const many = "where[n][_gte]=1&max_affected=5";
    try {
      expect((await client.remove(a, t, "1", representation)).status).toBe(400);
      expect((await client.removeMany(a, t, many, representation)).status).toBe(400);
      expect(await rows()).toHaveLength(3);
      expect((await client.removeMany(a, t, many)).status).toBe(204);
    } finally {
      await test.database.query("delete from system.settings");
    }
  });
});

describe("return=minimal", () => {
  it("return=minimal returns no body and still rejects a denied write", async () => {
    await allowAll();
    const minimal = { minimal: true };
    expect(await client.create(a, t, { id: 60, owner: a.id }, "", minimal)).toEqual({
      status: 204,
      body: null,
    });
    expect((await client.create(a, t, [{ id: 61, owner: a.id }], "", minimal)).status).toBe(204);
    expect((await client.create(a, t, { id: 62, owner: b.id }, "", minimal)).status).toBe(403);
    expect((await client.update(a, t, "1", { n: 4 }, minimal)).status).toBe(204);
    expect((await client.update(a, t, "2", { n: 4 }, minimal)).status).toBe(404);
  });
});
