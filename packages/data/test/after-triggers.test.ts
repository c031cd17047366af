import { createHash } from "node:crypto";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let writer: TestUser;
let all: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  all = await createRole(test.database, "all");
  const some = await createRole(test.database, "some");
  user = await createUser(test.database, "user@example.com", "all");
  writer = await createUser(test.database, "writer@example.com", "some");
  await test.database.query(`
    create function public.total() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' or new.qty is distinct from old.qty then
        update public.line set total = new.qty * 10 where id = new.id;
      end if;
      if new.qty = 99 then comment on column public.line.state is 'changed'; end if;
      return null;
    end $$;
    create function public.nothing() returns trigger language plpgsql as 'begin return null; end';
    create table public.line (
      id int primary key, qty int not null, total int, state text,
      twice int generated always as (total * 2) stored);
    create trigger total after insert or update on public.line for each row execute function public.total();
    create function public.close() returns trigger language plpgsql as $$
    begin
      update public.late set state = 'closed' where id = new.id and state is distinct from 'closed';
      return null;
    end $$;
    create table public.late (id int primary key, state text);
    create constraint trigger close after insert or update on public.late
      deferrable initially deferred for each row execute function public.close();
    create table public.node (id int primary key, parent int references public.node on update cascade);
    create table public.head (id int primary key, sum int not null default 0);
    create table public.part (id int primary key, head int not null references public.head, n int not null);
    create function public.sum_up() returns trigger language plpgsql as $$
    begin
      update public.head set sum = (select coalesce(sum(n), 0) from public.part where head = coalesce(new.head, old.head))
      where id = coalesce(new.head, old.head);
      return null;
    end $$;
    create trigger sum_up after insert or update or delete on public.part for each row execute function public.sum_up();
    create table public.plain (id int primary key, n int)`);
  for (const table of ["line", "late", "node", "head", "part", "plain"]) {
    await expose(test.database, "public", table, "GET", "POST", "PATCH", "DELETE");
    for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
      await grant(test.database, client.snapshots, all, `public/${table}`, { action });
      const rowFilter = action === "READ" && table === "line" ? { total: { _null: true } } : null;
      await grant(test.database, client.snapshots, some, `public/${table}`, { action, rowFilter });
    }
  }
});
afterAll(() => test.drop());

const dataOf = ({ body }: Answer) => (body as { data: Record<string, unknown> }).data;
const resultsOf = ({ body }: Answer) =>
  (JSON.parse(body as string) as { data: { status: number; data: unknown; etag?: string }[] }).data;
const tagOf = (text: string) => createHash("md5").update(text).digest("hex");

describe("the response to a write of a table with AFTER triggers", () => {
  const line = "public/line";

  it("has the row as the triggers left it, for a create, a list, an upsert and updates", async () => {
    const created = await client.create(user, line, { id: 1, qty: 3 });
    expect(created).toMatchObject({ status: 201, body: { data: { total: 30, twice: 60 } } });
    const list = await client.create(user, line, [
      { id: 2, qty: 1 },
      { id: 3, qty: 2, state: "open" },
      { id: 4, qty: 4 },
    ]);
    expect(dataOf(list)).toMatchObject([
      { id: 2, total: 10 },
      { id: 3, total: 20, state: "open" },
      { id: 4, total: 40 },
    ]);
    const merge = "on_conflict=id&resolution=merge";
    const merged = await client.create(user, line, { id: 4, qty: 5 }, merge);
    expect(dataOf(merged)).toMatchObject({ id: 4, total: 50 });
    const ignored = await client.create(
      user,
      line,
      { id: 4, qty: 6 },
      "on_conflict=id&resolution=ignore",
    );
    expect(ignored).toMatchObject({ status: 204, body: null });
    const some = [
      { id: 4, qty: 8 },
      { id: 5, qty: 8 },
      { id: 2, qty: 8, state: "x" },
    ];
    const left = await client.create(user, line, some, "on_conflict=id&resolution=ignore");
    expect(dataOf(left)).toMatchObject([{ id: 5, total: 80 }]);
    const updated = await client.update(user, line, "1", { qty: 7 });
    expect(dataOf(updated)).toMatchObject({ id: 1, total: 70, twice: 140 });
    const many = await client.updateMany(user, line, "where[id][_lte]=2&max_affected=9", {
      qty: 9,
    });
    expect(many.body).toMatchObject({
      data: [{ total: 90 }, { total: 90 }],
      meta: { count: 2 },
    });
    const none = await client.updateMany(user, line, "where[id][_lte]=-2&max_affected=9", {
      qty: 9,
    });
    expect(none.body).toMatchObject({ data: [], meta: { count: 0 } });
    expect((await client.update(user, line, "99", { qty: 7 })).status).toBe(404);
    expect((await client.update(user, line, "1", { qty: 7 }, { ifMatch: ["x"] })).status).toBe(412);
    expect((await client.create(user, line, { id: 1, qty: 3 })).status).toBe(409);
  });

  it("has an entity tag that the next If-Match accepts", async () => {
    const { body } = await client.create(user, line, { id: 10, qty: 3 });
    const ifMatch = [tagOf(JSON.stringify((body as { data: unknown }).data))];
    const next = await client.update(user, line, "10", { state: "sent" }, { ifMatch });
    expect(next.status).toBe(200);
  });

  it("has the key alone if the triggers hide the row from its writer", async () => {
    const created = await client.create(writer, line, { id: 20, qty: 3 });
    expect(created).toMatchObject({ status: 201 });
    expect(dataOf(created)).toEqual({ id: 20 });
    const batch = await client.batch(writer, [
      { method: "POST", path: "/api/public/table/line", data: { id: 21, qty: 3 } },
    ]);
    expect(resultsOf(batch)).toEqual([{ status: 201, data: { id: 21 } }]);
  });

  it("has the key alone if the rights may have changed since the write, here by DDL of its own trigger", async () => {
    const created = await client.create(user, line, { id: 90, qty: 99 });
    expect(created).toMatchObject({ status: 201 });
    expect(dataOf(created)).toEqual({ id: 90 });
    expect(dataOf(await client.create(user, line, { id: 91, qty: 2 }))).toMatchObject({
      total: 20,
    });
  });

  it("has what deferred triggers change at the commit", async () => {
    const created = await client.create(user, "public/late", { id: 1 });
    expect(dataOf(created)).toEqual({ id: 1, state: "closed" });
    const batch = await client.batch(user, [
      { method: "POST", path: "/api/public/table/late", data: { id: 2 } },
      { method: "PATCH", path: "/api/public/table/late/2", data: { state: "new" } },
    ]);
    expect(resultsOf(batch)).toMatchObject([
      { data: { id: 2, state: "closed" } },
      { data: { id: 2, state: "closed" } },
    ]);
  });

  it("has what a foreign key passes on to the same row", async () => {
    await client.create(user, "public/node", { id: 1, parent: 1 });
    const moved = await client.update(user, "public/node", "1", { id: 2 });
    expect(dataOf(moved)).toEqual({ id: 2, parent: 2 });
  });

  it("has in a batch what its later writes cause, and gives references the values of that moment", async () => {
    const batch = await client.batch(user, [
      { method: "POST", path: "/api/public/table/head", data: { id: 1 } },
      {
        method: "POST",
        path: "/api/public/table/part",
        data: { id: 1, head: { $ref: "0.id" }, n: 4 },
      },
      { method: "POST", path: "/api/public/table/part", data: { id: 2, head: 1, n: 5 } },
      { method: "POST", path: "/api/public/table/line", data: { id: 30, qty: 3 } },
      { method: "POST", path: "/api/public/table/plain", data: { id: 1, n: { $ref: "3.total" } } },
      { method: "DELETE", path: "/api/public/table/part/2" },
    ]);
    expect(resultsOf(batch)).toMatchObject([
      { status: 201, data: { id: 1, sum: 4 } },
      { status: 201, data: { id: 1, n: 4 } },
      { status: 201, data: { id: 2 } },
      { status: 201, data: { id: 30, total: 30 } },
      { status: 201, data: { id: 1, n: 30 } },
      { status: 204 },
    ]);
    for (const [at, [table, id]] of [
      ["head", "1"],
      ["line", "30"],
    ].entries()) {
      const etag = resultsOf(batch)[at === 0 ? 0 : 3]?.etag?.slice(1, -1) ?? "";
      const change = table === "head" ? { sum: 0 } : { state: "sent" };
      const next = await client.update(user, `public/${table}`, `${id}`, change, {
        ifMatch: [etag],
      });
      expect(next.status, table).toBe(200);
    }
  });

  it("keeps the order of a list whose documents contain line breaks, with triggers and without", async () => {
    for (const name of ["bare", "noted"]) {
      await test.database.query(
        `create table public.${name} (id int primary key, doc json default E'{\n"a": [\n1]}')`,
      );
      await expose(test.database, "public", name, "GET", "POST");
      for (const action of ["READ", "CREATE"] as const) {
        await grant(test.database, client.snapshots, all, `public/${name}`, { action });
      }
    }
    await test.database.query(
      "create trigger nothing after insert on public.noted for each row execute function public.nothing()",
    );
    for (const name of ["bare", "noted"]) {
      const list = [{ id: 1 }, { id: 2, doc: { b: 2 } }, { id: 3 }];
      expect((await client.create(user, `public/${name}`, list)).body).toEqual({
        data: [{ id: 1, doc: { a: [1] } }, list[1], { id: 3, doc: { a: [1] } }],
      });
    }
  });

  it("names a deferred constraint that the row violates, and leaves nothing", async () => {
    await test.database.query(`
      create table public.owed (id int primary key, line int references public.line deferrable initially deferred);
      create trigger total after insert on public.owed for each row execute function public.nothing()`);
    await expose(test.database, "public", "owed", "GET", "POST");
    const { catalogue } = await client.snapshots.fresh();
    expect(catalogue.relationByName("public", "owed")?.codeAfter).toEqual(["INSERT"]);
    const rights = { action: "CREATE" } as const;
    await grant(test.database, client.snapshots, all, "public/owed", rights);
    await grant(test.database, client.snapshots, all, "public/owed", { action: "READ" });
    const data = [
      { id: 1, line: 1 },
      { id: 2, line: 999 },
    ];
    expect(await client.create(user, "public/owed", data)).toMatchObject({
      status: 409,
      body: { errors: [{ code: "FOREIGN_KEY_VIOLATION" }] },
    });
    const rows = await Promise.all(
      Array.from({ length: 30 }, (_, id) => client.create(user, "public/owed", { id, line: 1 })),
    );
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 201));
    expect((await client.list(user, "public/owed", "limit=0&count=exact")).body).toMatchObject({
      meta: { count: 30 },
    });
  });

  it("has its triggers from the moment that another client creates them, and one statement without them", async () => {
    const plain = "public/plain";
    expect(dataOf(await client.create(user, plain, { id: 5, n: 1 }))).toEqual({ id: 5, n: 1 });
    await test.database.query(`
      create function public.negate() returns trigger language plpgsql as $$
      begin
        update public.plain set n = -new.n where id = new.id;
        return null;
      end $$;
      create trigger negate after insert on public.plain for each row execute function public.negate()`);
    expect(dataOf(await client.create(user, plain, { id: 6, n: 1 }))).toEqual({ id: 6, n: -1 });
    const { catalogue } = await client.snapshots.fresh();
    const codeAfter = (name: string) => catalogue.relationByName("public", name)?.codeAfter;
    expect([codeAfter("plain"), codeAfter("node"), codeAfter("part")]).toEqual([
      ["INSERT"],
      [],
      ["INSERT", "UPDATE", "DELETE"],
    ]);
  });
});
