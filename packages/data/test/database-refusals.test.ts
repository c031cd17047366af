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
import { createImporter } from "./importer.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
});
afterAll(() => test.drop());

const run = async (...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await test.database.query(statement);
};
const open = async (name: string): Promise<void> => {
  await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
  }
};
const faultOf = ({ status, body }: Answer) => {
  const [fault] =
    (body as { errors?: { code: string; path?: string; message: string }[] }).errors ?? [];
  return { status, code: fault?.code, ...(fault?.path === undefined ? {} : { path: fault.path }) };
};
const idsOf = async (name: string): Promise<string> => {
  const [row] = await test.database.query<{ ids: string }>(
    `select coalesce(string_agg(id::text, ',' order by id), '') as ids from public.${name}`,
  );
  return row?.ids ?? "";
};

describe("an upsert", () => {
  it("an upsert on a deferrable key is an error of on_conflict, before and after the key became deferrable", async () => {
    await run(
      "create table seats (id int primary key, code text, place text, unique (code) deferrable)",
    );
    await open("seats");
    for (const resolution of ["merge", "ignore"]) {
      const query = `on_conflict=code&resolution=${resolution}`;
      for (const data of [{ id: 1, code: "a" }, [{ id: 1, code: "a" }]]) {
        expect(faultOf(await client.create(user, "public/seats", data, query))).toEqual({
          ...{ status: 400, code: "QUERY_INVALID", path: "on_conflict" },
        });
      }
    }
    await run("alter table seats drop constraint seats_code_key, add unique (code)");
    const query = "on_conflict=code&resolution=merge";
    expect(await client.create(user, "public/seats", { id: 1, code: "a" }, query)).toMatchObject({
      status: 201,
    });
    await run(
      "alter table seats drop constraint seats_code_key, add unique (code) deferrable initially deferred",
    );
    expect(
      faultOf(await client.create(user, "public/seats", { id: 2, code: "a" }, query)),
    ).toMatchObject({
      ...{ status: 400, path: "on_conflict" },
    });
  });
});

it("a write whose trigger sets a role that does not exist is refused by the database, and no value is", async () => {
  await run(
    "create table shifts (id int primary key, body text)",
    `create function take_role() returns trigger language plpgsql as $$
       begin if new.body = 'bad' then set local role nobody_here; end if; return new; end $$`,
    "create trigger take before insert or update on shifts for each row execute function take_role()",
    "insert into shifts values (1, 'one')",
  );
  await open("shifts");
  const name = "public/shifts";
  const refused = { status: 400, code: "CHECK_VIOLATION" };
  expect(faultOf(await client.create(user, name, { id: 2, body: "bad" }))).toEqual(refused);
  expect(faultOf(await client.update(user, name, "1", { body: "bad" }))).toEqual(refused);
  const list = await client.create(user, name, [{ id: 2 }, { id: 3, body: "bad" }]);
  expect(faultOf(list)).toEqual({ ...refused, path: "/data/1" });
  expect(await idsOf("shifts")).toBe("1");
});

describe("a row that a trigger skips", () => {
  beforeAll(async () => {
    await run(
      "create table notes (id int primary key, body text, gone boolean not null default false)",
      `create function skip_row() returns trigger language plpgsql as $$
         begin if new.body = 'skip' then return null; end if; return new; end $$`,
      `create function hide_row() returns trigger language plpgsql as $$
         begin update notes set gone = true where id = old.id; return null; end $$`,
      "create trigger skip before insert or update on notes for each row execute function skip_row()",
      "create trigger hide before delete on notes for each row execute function hide_row()",
      "insert into notes values (1, 'one'), (2, 'two')",
    );
    await open("notes");
  });

  it("a create whose row a trigger skips inserts none of its rows and returns 409", async () => {
    const name = "public/notes";
    const skipped = { id: 11, body: "skip" };
    for (const data of [skipped, [{ id: 10, body: "x" }, skipped], [{ id: 10 }, skipped]]) {
      for (const minimal of [false, true]) {
        const answer = await client.create(user, name, data, "", { minimal });
        expect(faultOf(answer)).toMatchObject({ status: 409, code: "CONFLICT" });
      }
    }
    expect(await idsOf("notes")).toBe("1,2");
  });

  it("an update whose row a trigger skips changes no row and returns 409", async () => {
    const change = { body: "skip", gone: true };
    expect(faultOf(await client.update(user, "public/notes", "1", change))).toEqual({
      ...{ status: 409, code: "CONFLICT" },
    });
    const query = "where[id][_lte]=2&max_affected=5";
    expect(faultOf(await client.updateMany(user, "public/notes", query, change))).toMatchObject({
      ...{ status: 409, code: "CONFLICT" },
    });
    expect((await client.update(user, "public/notes", "9", change)).status).toBe(404);
    expect(
      (await client.update(user, "public/notes", "1", change, { ifMatch: ["old"] })).status,
    ).toBe(412);
  });

  it("a delete that a trigger replaces by its own action counts as a delete", async () => {
    expect((await client.remove(user, "public/notes", "1")).status).toBe(204);
    const gone = await client.list(user, "public/notes", "where[gone][_eq]=true&fields=id");
    expect(gone.body).toMatchObject({ data: [{ id: 1 }] });
    expect((await client.remove(user, "public/notes", "9")).status).toBe(404);
    const answer = await client.remove(user, "public/notes", "2", { ifMatch: ["old"] });
    expect(answer.status).toBe(412);
  });
});

describe("a write that the database does not support", () => {
  it("a write to a read-only foreign table is denied", async () => {
    await run(
      "create extension file_fdw",
      "create server files foreign data wrapper file_fdw",
      "create foreign table words (word text) server files options (program 'echo one', format 'csv')",
    );
    await open("words");
    expect((await client.list(user, "public/words")).body).toMatchObject({
      data: [{ word: "one" }],
    });
    const denied = { status: 403, code: "ACTION_DENIED" };
    expect(faultOf(await client.create(user, "public/words", { word: "x" }))).toEqual(denied);
    expect(faultOf(await client.create(user, "public/words", [{ word: "x" }]))).toEqual(denied);
  });

  it("a write that a foreign table does not support is denied, and the others succeed", async () => {
    const [place] = await test.database.query<{ port: string; name: string; login: string }>(
      "select current_setting('port') as port, current_database() as name, current_user as login",
    );
    await run(
      "create extension postgres_fdw",
      `create server itself foreign data wrapper postgres_fdw
         options (host '127.0.0.1', port '${place?.port}', dbname '${place?.name}')`,
      `create user mapping for current_user server itself
         options (user '${place?.login}', password '${decodeURIComponent(new URL(test.url).password)}')`,
      "create table stock (id int primary key, name text check (name <> 'bad'))",
      "create foreign table remote_stock (id int, name text) server itself options (table_name 'stock')",
    );
    await open("remote_stock");
    const name = "public/remote_stock";
    expect(
      (
        await client.create(user, name, [
          { id: 1, name: "a" },
          { id: 2, name: "b" },
        ])
      ).status,
    ).toBe(201);
    expect(faultOf(await client.create(user, name, { id: 1, name: "a" }))).toMatchObject({
      code: "UNIQUE_VIOLATION",
    });
    expect(faultOf(await client.create(user, name, { id: 3, name: "bad" }))).toMatchObject({
      code: "CHECK_VIOLATION",
    });
    await run("alter foreign table remote_stock options (add updatable 'false')");
    expect(faultOf(await client.create(user, name, { id: 3, name: "c" }))).toEqual({
      ...{ status: 403, code: "ACTION_DENIED" },
    });
    await run("alter server itself options (set port '1')");
    expect(faultOf(await client.list(user, name))).toMatchObject({ status: 503 });
    await run(`alter server itself options (set port '${place?.port}')`, "drop table stock");
    expect(faultOf(await client.list(user, name))).toMatchObject({ status: 503 });
  });

  it("a write to a published table without a replica identity is denied", async () => {
    await run(
      "create table published (id int, name text)",
      "insert into published values (1, 'a')",
    );
    await run("create publication everything for table published");
    await open("published");
    const query = "where[id][_eq]=1&max_affected=1";
    const denied = { status: 403, code: "ACTION_DENIED" };
    expect(
      faultOf(await client.updateMany(user, "public/published", query, { name: "b" })),
    ).toEqual(denied);
    expect(faultOf(await client.removeMany(user, "public/published", query))).toEqual(denied);
  });
});

describe("a view that the database cannot read", () => {
  it("a view that refers to itself returns 409, and other views and tables still respond", async () => {
    await run(
      "create view upper_view as select 1 as id",
      "create view lower_view as select id from upper_view",
      "create or replace view upper_view as select id from lower_view",
    );
    for (const name of ["upper_view", "lower_view"]) {
      await expose(test.database, "public", name, "GET");
      await grant(test.database, client.snapshots, roleId, `public/${name}`, {
        ...{ action: "READ", rowFilter: { id: { _eq: 1 } } },
      });
      const answers = [
        await client.list(user, `public/${name}/view`),
        await client.list(user, `public/${name}/view`, "count=exact&order_by=id"),
        await client.list(user, `public/${name}/view`, "aggregate=max(id)"),
      ];
      for (const answer of answers) {
        expect(faultOf(answer)).toEqual({ status: 409, code: "CONFLICT" });
      }
    }
    expect((await client.list(user, "public/seats")).status).toBe(200);
  });

  it("a view whose function recurses without end returns 400", async () => {
    await run(
      "create function endless(n int) returns int language plpgsql as $$ begin return endless(n + 1); end $$",
      "create view endless_view as select endless(1) as id",
    );
    await expose(test.database, "public", "endless_view", "GET");
    await grant(test.database, client.snapshots, roleId, "public/endless_view", { action: "READ" });
    expect((await client.list(user, "public/endless_view/view")).status).toBe(400);
  });
});

describe("a limit of PostgreSQL", () => {
  const messageOf = ({ body }: Answer) =>
    (body as { errors?: { message: string }[] }).errors?.[0]?.message;

  it("that a search, a function or an index exceeds has a message of its own, and is no large response", async () => {
    await run(
      "create table pages (id int primary key, words text, title text unique)",
      `insert into pages select 1, string_agg(md5(n::text), ' '), 'a' from generate_series(1, 60000) n`,
      `create function deeper(n int) returns int language plpgsql as 'begin return public.deeper(n + 1); end'`,
      "create view deep_pages as select id, public.deeper(id) as depth from pages",
      `create function limited(n int) returns int language plpgsql as
        $$begin raise exception using errcode = '54000'; end$$`,
      "create view limited_pages as select id, public.limited(id) as depth from pages",
    );
    await open("pages");
    for (const name of ["deep_pages", "limited_pages"]) {
      await expose(test.database, "public", name, "GET");
      await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
    }
    const search = await client.list(user, "public/pages", "fields=id&where[words][_search]=x");
    expect([faultOf(search), messageOf(search)]).toEqual([
      { status: 400, code: "QUERY_INVALID" },
      "A text has too many words for a full-text search",
    ]);
    const deep = await client.list(user, "public/deep_pages/view", "");
    expect([faultOf(deep), messageOf(deep)]).toEqual([
      { status: 400, code: "QUERY_INVALID" },
      "The request, or a function that it runs, is nested too deep for the database",
    ]);
    const limited = await client.list(user, "public/limited_pages/view", "");
    expect([faultOf(limited), messageOf(limited)]).toEqual([
      { status: 400, code: "QUERY_INVALID" },
      "The request, or a value that it reads or writes, exceeds a limit of the database",
    ]);
    const title = Array.from({ length: 3000 }, (_, n) => ((n * 7919) % 99_991).toString(36)).join();
    const written = await client.create(user, "public/pages", { id: 2, title });
    expect([faultOf(written), messageOf(written)]).toEqual([
      { status: 400, code: "VALUE_INVALID" },
      "A value is too long for an index of its table",
    ]);
    expect(await idsOf("pages")).toBe("1");
  });
});

describe("an exception of a function of the user's database", () => {
  const importer = () => createImporter(test.database);
  const stockOf = (state: string) => ({ id: 1, state });
  beforeAll(async () => {
    await run(
      "create table stock (id int primary key, state text not null)",
      `create function raise_state() returns trigger language plpgsql as $$
        declare found text;
        begin
          if new.state = 'none' then select state into strict found from public.stock where id = -1; end if;
          if new.state = 'many' then select 'x' into strict found from generate_series(1, 2); end if;
          if new.state = 'assert' then assert false, 'secret'; end if;
          if new.state ~ '^[0-9A-Z]{5}$' then
            raise exception using errcode = new.state, message = 'Secret: ' || new.state, detail = '{"until": "noon"}';
          end if;
          return new;
        end $$`,
      "create trigger raise_state before insert or update on stock for each row execute function raise_state()",
    );
    await open("stock");
    expect((await client.create(user, "public/stock", { id: 9, state: "kept" })).status).toBe(201);
  });

  /** The same exception in each kind of write. */
  const writes: readonly [string, (state: string) => Promise<{ status: number; body: unknown }>][] =
    [
      ["a row", (state) => client.create(user, "public/stock", stockOf(state))],
      ["a list", (state) => client.create(user, "public/stock", [stockOf(state)])],
      ["a PATCH", (state) => client.update(user, "public/stock", "9", { state })],
      ["an import", (state) => importer().csv(user, "public/stock", `id,state\n1,${state}\n`)],
    ];
  const faultsOf = async (write: (typeof writes)[number][1], state: string) => {
    const { status, body } = await write(state);
    const [fault] = (body as { errors: { code: string; message: string; details?: object }[] })
      .errors;
    return { status, code: fault?.code, message: fault?.message, details: fault?.details };
  };

  it.each(writes)("is 400 without its text, whatever its state: %s", async (_kind, write) => {
    for (const state of [
      "none",
      "many",
      "assert",
      "OR001",
      "45000",
      "P0099",
      "23999",
      "ZZZZZ",
      "P0001",
    ]) {
      const fault = await faultsOf(write, state);
      expect([state, fault]).toMatchObject([state, { status: 400, code: "CHECK_VIOLATION" }]);
      expect(JSON.stringify(fault)).not.toMatch(/[Ss]ecret|until/);
    }
    expect(await idsOf("stock")).toBe("9");
  });

  it.each(writes)("is read in the states RU400, RU403 and RU409: %s", async (_kind, write) => {
    for (const [state, status, code] of [
      ["RU400", 400, "CHECK_VIOLATION"],
      ["RU403", 403, "ACTION_DENIED"],
      ["RU409", 409, "CONFLICT"],
    ] as const) {
      const details = expect.objectContaining({ until: "noon" });
      expect(await faultsOf(write, state)).toEqual({
        status,
        code,
        message: `Secret: ${state}`,
        details,
      });
    }
  });

  it.each(writes)("does not speak in the service's own states: %s", async (_kind, write) => {
    for (const state of ["RH403", "RH409"]) {
      const fault = await faultsOf(write, state);
      expect(fault.status).toBe(Number(state.slice(2)));
      expect(JSON.stringify(fault)).not.toMatch(/Secret|until/);
    }
  });

  it.each(writes)(
    "stays a fault of the database in the states of damaged data: %s",
    async (_kind, write) => {
      for (const state of ["XX001", "XX002"]) await expect(write(state)).rejects.toThrow();
    },
  );
});
