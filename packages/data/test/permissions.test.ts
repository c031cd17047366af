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

// The table of docs/security.md: role R reads `id, title` of its own rows; A and B are two of its members.
let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let a: TestUser;
let b: TestUser;
let roleId: string;
const t = "public/t";

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
    `create table public.t (id bigint generated always as identity primary key, owner uuid, title text not null default 'x',
      secret text, code text unique, b bigint, n numeric, j jsonb)`,
  );
  await test.database.query(
    `insert into public.t (owner, title, secret, code) values
      ('${a.id}', 'a1', 'sa1', 'ca'), ('${b.id}', 'b1', 'sb1', 'cb'), ('${a.id}', 'a2', 'sa2', 'ca2')`,
  );
  await expose(test.database, "public", "t", "GET", "POST", "PATCH", "DELETE");
});

const own = { owner: { _eq: "$USER.id" } };
const allow = (input: Parameters<typeof grant>[4], role = roleId) =>
  grant(test.database, client.snapshots, role, t, input);
const allowReading = () => allow({ action: "READ", fields: ["id", "title"], rowFilter: own });
const rowsOf = async () =>
  test.database.query<{ owner: string; title: string }>(
    "select owner, title from public.t order by id",
  );

describe("reading", () => {
  it("a list contains the rows of the filter and the fields of the grant", async () => {
    await allowReading();
    expect(await client.list(a, t)).toEqual({
      status: 200,
      body: {
        data: [
          { id: "1", title: "a1" },
          { id: "3", title: "a2" },
        ],
      },
    });
    expect(await client.read(a, t, "1")).toEqual({
      status: 200,
      body: { data: { id: "1", title: "a1" } },
    });
  });

  it("another owner's row gives the same response as a missing one", async () => {
    await allowReading();
    expect(await client.read(a, t, "2")).toEqual(await client.read(a, t, "999"));
    expect((await client.read(a, t, "nonsense")).status).toBe(404);
    expect((await client.read(a, t, "99999999999999999999")).status).toBe(404);
    expect((await client.read(a, t, "1,2")).status).toBe(404);
  });

  it.each([
    ["where[secret][_starts_with]=s"],
    ["where[_or][0][_and][0][secret][_eq]=sa1"],
    ["where[_not][secret][_null]=true"],
    ["order_by=secret"],
    ["fields=id,secret"],
  ])("a hidden field gives the same response as an unknown one: %s", async (query) => {
    await allowReading();
    const hidden = await client.list(a, t, query);
    const unknown = await client.list(a, t, query.replace("secret", "nope12"));
    expect(hidden.status).toBe(400);
    expect(JSON.stringify(hidden.body).replaceAll("secret", "nope12")).toBe(
      JSON.stringify(unknown.body),
    );
  });

  it("a count omits filtered rows", async () => {
    await allowReading();
    const answer = await client.list(a, t, "count=exact&limit=1");
    expect(answer.body).toMatchObject({ data: [{ id: "1", title: "a1" }], meta: { count: 2 } });
  });

  it("a table without any grant gives the same response as a missing one", async () => {
    expect(await client.list(a, t)).toEqual(await client.list(a, "public/nothing"));
    expect((await client.list(a, t)).status).toBe(404);
  });

  it("another action on a table with some grant gives 403", async () => {
    await allowReading();
    expect((await client.create(a, t, { title: "x" })).status).toBe(403);
    expect((await client.remove(a, t, "1")).status).toBe(403);
  });

  it("a filter with a null variable matches nothing, also negated", async () => {
    for (const operator of ["_eq", "_neq"]) {
      const id = await allow({
        action: "READ",
        rowFilter: { title: { [operator]: "$USER.time_zone" } },
      });
      expect((await client.list(a, t)).body).toEqual({ data: [] });
      await test.database.query(`delete from system.grants where id = '${id}'`);
    }
    for (const operator of ["_in", "_nin"]) {
      const id = await allow({
        action: "READ",
        rowFilter: { title: { [operator]: ["$USER.time_zone"] } },
      });
      expect((await client.list(a, t)).body).toEqual({ data: [] });
      await test.database.query(`delete from system.grants where id = '${id}'`);
    }
    await allow({ action: "READ", rowFilter: { _not: { title: { _eq: "$USER.time_zone" } } } });
    expect((await client.list(a, t)).body).toEqual({ data: [] });
  });

  it("several roles are combined row by row: a field is present where a matching grant lists it and absent elsewhere", async () => {
    await allow({ action: "READ", fields: ["id"] });
    const second = await createRole(test.database, `S${Date.now()}`);
    await test.database.query(
      `insert into system.role_members (role_id, user_id) values ('${second}', '${a.id}')`,
    );
    await allow({ action: "READ", fields: ["secret"], rowFilter: own }, second);
    expect((await client.list(a, t)).body).toEqual({
      data: [{ id: "1", secret: "sa1" }, { id: "2" }, { id: "3", secret: "sa2" }],
    });
    // A hidden field is unknown: neither equal nor, if negated, different, nor null.
    const ids = async (query: string) =>
      ((await client.list(a, t, query)).body as { data: { id: string }[] }).data.map(
        (row) => row.id,
      );
    expect(await ids("where[secret][_eq]=sb1")).toEqual([]);
    expect(await ids("where[_not][secret][_eq]=sb1")).toEqual(["1", "3"]);
    expect(await ids("where[secret][_null]=true")).toEqual([]);
    expect(await ids("order_by=-secret:nulls_last")).toEqual(["3", "1", "2"]);
    await test.database.query(`delete from system.roles where id = '${second}'`);
  });

  it("pages are complete if some rows hide the field that orders them", async () => {
    await allow({ action: "READ", fields: ["title"] });
    const second = await createRole(test.database, `S${Date.now()}`);
    await test.database.query(
      `insert into system.role_members (role_id, user_id) values ('${second}', '${a.id}')`,
    );
    await allow({ action: "READ", fields: ["id"], rowFilter: own }, second);
    await test.database.query(`insert into public.t (owner, title) values ('${b.id}', 'b2')`);
    const titles: string[] = [];
    let query = "order_by=-id&limit=1&fields=title";
    for (let pages = 0; pages < 6; pages += 1) {
      const { body } = await client.list(a, t, query);
      const page = body as { data: { title: string }[]; meta?: { nextCursor?: string } };
      titles.push(...page.data.map((row) => row.title));
      if (page.meta?.nextCursor === undefined) break;
      query = `order_by=-id&limit=1&fields=title&cursor=${page.meta.nextCursor}`;
    }
    expect(titles).toEqual(["b1", "b2", "a2", "a1"]);
    await test.database.query(`delete from system.roles where id = '${second}'`);
  });

  it("administrators read every field of every row, but no secret column", async () => {
    const admin = await createUser(
      test.database,
      `admin${Date.now()}@example.com`,
      "Administrators",
    );
    const answer = await client.list(admin, t, "fields=secret&limit=1");
    expect(answer.body).toMatchObject({ data: [{ secret: "sa1" }] });
    await expose(test.database, "system", "users", "GET");
    const users = await client.list(admin, "system/users", "fields=password_hash");
    expect(users).toEqual(await client.list(admin, "system/users", "fields=password_hash"));
    expect(users.status).toBe(400);
    await expose(test.database, "system", "users");
  });

  it("a filter that can raise an error is evaluated on visible rows only", async () => {
    await allow({ action: "READ", fields: ["id", "title"], rowFilter: own });
    // An invalid regular expression raises an error on evaluation; B's rows must not decide whether it is evaluated.
    await test.database.query(`delete from public.t where owner = '${a.id}'`);
    const answer = await client.list(a, t, "where[title][_regex]=(");
    expect(answer.status).toBe(200);
  });
});

describe("writing", () => {
  it("a create without READ returns the key alone", async () => {
    await allow({ action: "CREATE", fields: ["title", "owner"] });
    expect(await client.create(a, t, { title: "new", owner: b.id })).toEqual({
      status: 201,
      body: { data: { id: "4" } },
    });
  });

  it("a role that may create any row extends a role that may create some rows", async () => {
    await allow({ action: "CREATE", check: { title: { _eq: "mine" } } });
    const second = await createRole(test.database, `S${Date.now()}`);
    await test.database.query(
      `insert into system.role_members (role_id, user_id) values ('${second}', '${a.id}')`,
    );
    await allow({ action: "CREATE" }, second);
    await allow({ action: "UPDATE", check: { title: { _eq: "mine" } } });
    await allow({ action: "UPDATE" }, second);
    expect((await client.create(a, t, { title: "another" })).status).toBe(201);
    expect((await client.update(a, t, "1", { title: "another" })).status).toBe(200);
    await test.database.query(`delete from system.roles where id = '${second}'`);
  });

  it("a new row that fails the check is rejected and not stored", async () => {
    await allow({ action: "CREATE", fields: ["title", "owner"], check: own });
    expect((await client.create(a, t, { title: "new", owner: b.id })).status).toBe(403);
    expect((await client.create(a, t, { title: "new" })).status).toBe(403);
    expect(await rowsOf()).toHaveLength(3);
    expect((await client.create(a, t, { title: "new", owner: a.id })).status).toBe(201);
  });

  it("presets are set by the service and accept no value from the caller", async () => {
    await allowReading();
    await allow({ action: "CREATE", presets: { owner: "$USER.id" } });
    const refused = await client.create(a, t, { title: "new", owner: b.id });
    expect(refused.body).toEqual({
      errors: [{ code: "FIELD_UNKNOWN", message: "Unknown field", path: "/data/owner" }],
    });
    expect((await client.create(a, t, { title: "mine" })).body).toEqual({
      data: { id: "4", title: "mine" },
    });
    expect((await rowsOf())[3]).toEqual({ owner: a.id, title: "mine" });
    expect((await client.create(a, t, {})).status).toBe(201);
  });

  it("identity columns and every unknown or ungranted field are rejected together, each at its path", async () => {
    await allow({ action: "CREATE", fields: ["title"] });
    const answer = await client.create(a, t, { id: 7, secret: "s", nope: 1, title: "x" });
    expect(answer.status).toBe(400);
    expect(
      (answer.body as { errors: { path: string }[] }).errors.map((fault) => fault.path),
    ).toEqual(["/data/id", "/data/secret", "/data/nope"]);
  });

  it("an update changes own rows only and cannot transfer a row to another owner", async () => {
    await allowReading();
    await allow({ action: "UPDATE", fields: ["title", "owner"], rowFilter: own });
    expect(await client.update(a, t, "1", { title: "changed" })).toEqual({
      status: 200,
      body: { data: { id: "1", title: "changed" } },
    });
    expect(await client.update(a, t, "2", { title: "stolen" })).toEqual(
      await client.update(a, t, "999", { title: "stolen" }),
    );
    expect((await client.update(a, t, "1", { owner: b.id })).status).toBe(403);
    expect((await rowsOf()).map((row) => row.title)).toEqual(["changed", "b1", "a2"]);
    expect((await rowsOf())[0]?.owner).toBe(a.id);
  });

  it("a field is writable only in the rows of a grant that lists it", async () => {
    await allow({ action: "UPDATE", fields: ["title"] });
    const second = await createRole(test.database, `S${Date.now()}`);
    await test.database.query(
      `insert into system.role_members (role_id, user_id) values ('${second}', '${a.id}')`,
    );
    await allow({ action: "UPDATE", fields: ["secret"], rowFilter: own, check: {} }, second);
    expect((await client.update(a, t, "2", { title: "ok" })).status).toBe(200);
    expect((await client.update(a, t, "2", { secret: "no" })).status).toBe(403);
    expect((await client.update(a, t, "2", { title: "no", secret: "no" })).status).toBe(403);
    expect((await client.update(a, t, "1", { title: "both", secret: "both" })).status).toBe(200);
    await test.database.query(`delete from system.roles where id = '${second}'`);
  });

  it("a delete removes own rows only", async () => {
    await allow({ action: "DELETE", rowFilter: own });
    expect(await client.remove(a, t, "2")).toEqual(await client.remove(a, t, "999"));
    expect(await client.remove(a, t, "1")).toEqual({ status: 204, body: null });
    expect(await rowsOf()).toHaveLength(2);
  });

  it("a constraint is reported without names, details or values", async () => {
    await test.database.query("alter table public.t add constraint no_bad check (title <> 'bad')");
    await test.database.query(
      "comment on constraint no_bad on public.t is 'checkMessage: Not that title'",
    );
    await test.database.query("alter table public.t alter column n set not null").catch(() => {});
    await allow({ action: "CREATE", fields: ["title", "code"] });
    expect(await client.create(a, t, { title: "bad" })).toEqual({
      status: 400,
      body: {
        errors: [{ code: "CHECK_VIOLATION", message: "Not that title", path: "/data/title" }],
      },
    });
    expect(await client.create(a, t, { code: "cb" })).toEqual({
      status: 409,
      body: {
        errors: [{ code: "UNIQUE_VIOLATION", message: "A row with these values already exists" }],
      },
    });
    expect(await client.create(a, t, { title: null })).toEqual({
      status: 400,
      body: {
        errors: [
          { code: "REQUIRED_FIELD", message: "A required field is missing", path: "/data/title" },
        ],
      },
    });
  });

  it("a grant on a dropped column does not apply to a new column of the same name", async () => {
    await allow({ action: "READ", fields: ["id", "secret"] });
    expect((await client.list(a, t, "fields=secret&limit=1")).status).toBe(200);
    await test.database.query("alter table public.t drop column secret");
    await test.database.query("alter table public.t add column secret text default 'again'");
    expect((await client.list(a, t, "fields=secret&limit=1")).status).toBe(400);
    expect((await client.list(a, t, "limit=1")).body).toMatchObject({ data: [{ id: "1" }] });
  });

  it("a grant whose filter requires a newer build is void", async () => {
    const filters = [
      { owner: { _of_the_next_build: "$USER.id" } },
      { owner: { _eq: "$PERIOD.of_the_next_build" } },
      { _xor: [own, { id: { _eq: 1 } }] },
    ];
    for (const filter of filters) {
      const id = await allowReading();
      expect((await client.list(a, t)).body).toMatchObject({ data: [{ id: "1" }, { id: "3" }] });
      await test.database.query(
        "update system.grants set row_filter = $2::text::jsonb where id = $1::text::uuid",
        [id, JSON.stringify(filter)],
      );
      // The same response as for a table without any grant.
      expect((await client.list(a, t)).status).toBe(404);
      await test.database.query("delete from system.grants where id = $1::text::uuid", [id]);
    }
  });

  it("a grant whose filter has lost its column is void, and a filter follows a renamed column", async () => {
    await allowReading();
    await test.database.query("alter table public.t rename column owner to holder");
    expect((await client.list(a, t)).body).toEqual({
      data: [
        { id: "1", title: "a1" },
        { id: "3", title: "a2" },
      ],
    });
    await test.database.query("alter table public.t drop column holder");
    await test.database.query("alter table public.t add column owner uuid");
    expect((await client.list(a, t)).status).toBe(404);
  });
});

describe("values", () => {
  it("every digit is preserved in both directions", async () => {
    await allow({ action: "READ", fields: ["b", "n"] });
    await allow({ action: "CREATE" });
    const digits = "123456789012345678901234567890.123456789012345678901234567890";
    const created = await client.create(a, t, { b: "9007199254740993", n: digits });
    expect(created.body).toEqual({ data: { b: "9007199254740993", n: digits } });
  });

  it("every invalid value is reported at its path, also if only PostgreSQL can detect it", async () => {
    await test.database.query("alter table public.t add column d date");
    await allow({ action: "CREATE" });
    const answer = await client.create(a, t, { b: "1.5", n: {}, d: "2026-02-30" });
    expect((answer.body as { errors: { path: string; code: string }[] }).errors).toMatchObject([
      { code: "VALUE_INVALID", path: "/data/b" },
      { code: "VALUE_INVALID", path: "/data/n" },
    ]);
    expect((await client.create(a, t, { d: "2026-02-30" })).body).toMatchObject({
      errors: [{ code: "VALUE_INVALID", path: "/data/d" }],
    });
    expect((await client.create(a, t, { title: "\u0000" })).status).toBe(400);
    expect((await client.create(a, t, { title: "\ud800" })).status).toBe(400);
    expect((await client.create(a, t, { j: { "a\u0000": 1 } })).status).toBe(400);
  });
});
