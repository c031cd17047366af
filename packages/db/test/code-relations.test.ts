import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSnapshotStore } from "../src/index.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ login: "owner" });
  await test.database.query(`
    create function public.own() returns text language plpgsql immutable as $$ begin return 'x'; end $$;
    create function public.fire() returns trigger language plpgsql as $$ begin return new; end $$;`);
});
afterAll(() => test.drop());

const none = "";
const writes = "writes";
const both = "reads writes";

/** Statements that create relations, and what of each can run code of the database's users. */
const cases: readonly (readonly [
  name: string,
  sql: string,
  expected: Readonly<Record<string, string>>,
])[] = [
  [
    "a table of PostgreSQL's own functions",
    `create table t (id uuid primary key default gen_random_uuid(), n serial, at timestamptz default now(),
       a text check (length(a) < 9), low text generated always as (lower(a)) stored);
     create index on t (lower(a)) where a is not null;
     create view v as select id, upper(a) as big, now() as at from t where n > random();
     create materialized view m as select own() as a, id from t;
     create table p (id int) partition by range (id);
     create table p1 partition of p for values from (0) to (9);`,
    { t: none, v: none, m: none, p: none, p1: none },
  ],
  [
    "a trigger",
    `create table t (id int primary key); create table u (id int);
     create trigger fire before insert on t for each row execute function public.fire();
     create view v as select * from t; create view w as select * from u`,
    { t: writes, u: none, v: writes, w: none },
  ],
  [
    "a trigger that is switched off, and one of PostgreSQL",
    `create table t (id int); create trigger fire before insert on t for each row execute function public.fire();
     alter table t disable trigger fire;
     create table u (id int);
     create trigger same before update on u for each row execute function suppress_redundant_updates_trigger()`,
    { t: none, u: none },
  ],
  [
    "a default, a generated column, a check",
    `create table t (a text default public.own()); create table u (a text, b text generated always as (public.own() || a) stored);
     create table w (a text check (a <> public.own())); create table z (a text default set_config('a.b', 'c', false))`,
    { t: writes, u: writes, w: writes, z: writes },
  ],
  [
    "an index and a policy",
    `create table t (a text); create index on t ((public.own() || a));
     create table u (a text); create index on u (a) where a <> public.own();
     create table w (a text); alter table w enable row level security`,
    { t: both, u: both, w: both },
  ],
  [
    "views over views",
    `create table t (a text); create view v as select public.own() as o, a from t; create view w as select o from v;
     create view x as select set_config('a.b', a, false) as s from t; create view y as select pg_try_advisory_lock(1) as s`,
    { t: none, v: both, w: both, x: both, y: both },
  ],
  [
    "a rule",
    `create table t (a text); create table u (a text); create rule r as on insert to t do also insert into u values (public.own())`,
    { t: writes, u: none },
  ],
  [
    "domains: of a domain, in an array, in a composite",
    `create domain d as text check (value <> public.own()); create domain e as d; create domain f as text default public.own();
     create type c as (a d);
     create table t (a e); create table u (a d[]); create table w (a c); create table x (a f)`,
    { t: both, u: both, w: both, x: both },
  ],
  [
    "a cast to such a domain, to its array and to what contains it",
    `create domain d as text check (value <> public.own()); create type c as (a d); create domain e as text check (value::d <> '');
     create table t (a text); create table u (a text, n int);
     create view v as select (a::d)::text as b from t; create view w as select ((array[a]::d[])[1])::text as b from t;
     create view x as select (jsonb_populate_record(null::c, '{}')).a::text as b from t;
     create view y as select j.n from t, jsonb_to_record('{}') j (a d, n int); create view z as select (a::e)::text as b from t;
     create table f (a text check ((a::d) is not null)); create table g (a text default ('x'::d)::text);
     create table h (a text, b text generated always as ((a::d)::text) stored); create table i (a text);
     create index on i (((a::d)::text)); create view j as select a from u`,
    {
      ...{ t: none, u: none, v: both, w: both, x: both, y: both, z: both },
      ...{ f: writes, g: writes, h: writes, i: both, j: none },
    },
  ],
  [
    "a range type, which PostgreSQL gives functions and a cast",
    "create type r as range (subtype = int); create table t (a r, b r[]); create view v as select r(1, 2) as c from t",
    { t: none, v: none },
  ],
  [
    "triggers of a partitioned table",
    `create table p (id int) partition by range (id); create table p1 partition of p for values from (0) to (9);
     create trigger fire after insert on p for each row execute function public.fire()`,
    { p: writes, p1: writes },
  ],
  [
    "rows that change with another row",
    `create table a (id int primary key); create table b (id int primary key, a int references a on delete cascade);
     create table c (id int primary key, b int references b on update set null);
     create table d (id int primary key, c int references c);
     create trigger fire after update on c for each row execute function public.fire()`,
    { a: writes, b: writes, c: writes, d: none },
  ],
  [
    "children and partitions",
    `create table a (id int); create table b () inherits (a);
     create trigger fire after insert on b for each row execute function public.fire();
     create table p (id int) partition by range (id); create table p1 partition of p for values from (0) to (9);
     create trigger fire after insert on p1 for each row execute function public.fire()`,
    { a: writes, b: writes, p: writes, p1: writes },
  ],
];

describe("relations whose statements can run code of the database's users", () => {
  it.each(cases)("%s", async (_, sql, expected) => {
    await test.database.query("drop schema if exists k cascade");
    await test.database.query("create schema k");
    await test.database.query(`set local search_path = k, public; ${sql}`);
    const { catalogue } = await createSnapshotStore(test.database).current();
    const found = Object.keys(expected).map((name) => {
      const { runsCode } = catalogue.relationByName("k", name) ?? {};
      const parts = [
        ...(runsCode?.reads ? ["reads"] : []),
        ...(runsCode?.writes ? ["writes"] : []),
      ];
      return [name, parts.join(" ")];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(catalogue.relationByName("system", "users")?.runsCode).toEqual({
      reads: false,
      writes: false,
    });
  });

  it("an operator, a cast or a trigger of the service's tables makes every statement one of them", async () => {
    for (const [make, remove] of [
      [
        "create function public.same(point, point) returns boolean language sql as 'select true'; create operator public.=== (function = public.same, leftarg = point, rightarg = point)",
        "drop function public.same cascade",
      ],
      [
        "create type public.mood as enum ('a'); create function public.as_json(public.mood) returns json language sql as $$ select '1'::json $$; create cast (public.mood as json) with function public.as_json(public.mood)",
        "drop type public.mood cascade",
      ],
      [
        "create trigger fire after insert on system.users for each row execute function public.fire()",
        "drop trigger fire on system.users",
      ],
    ] as const) {
      await test.database.query(
        "drop schema if exists k cascade; create schema k; create table k.t (id int)",
      );
      await test.database.query(make);
      const during = await createSnapshotStore(test.database).current();
      expect(during.catalogue.relationByName("k", "t")?.runsCode).toEqual({
        reads: true,
        writes: true,
      });
      await test.database.query(remove);
      const after = await createSnapshotStore(test.database).current();
      expect(after.catalogue.relationByName("k", "t")?.runsCode).toEqual({
        reads: false,
        writes: false,
      });
    }
  });

  it.each([
    [160_000, "pg_input_is_valid(a, 'k.d')"],
    [170_000, "json_value(a::jsonb, '$' returning k.d)::text"],
    [170_000, "json_query(a::jsonb, '$' returning k.d[])::text"],
  ])(
    "from version %i, %s runs the code of a domain that no dependency names",
    async (version, sql) => {
      const [server] = await test.database.query<{ version: number }>(
        "select current_setting('server_version_num')::int as version",
      );
      if ((server?.version ?? 0) < version) return;
      await test.database.query("drop schema if exists k cascade");
      await test.database.query("create schema k; create table k.t (a text)");
      await test.database.query("create domain k.d as text check (value <> public.own())");
      await test.database.query(`create view k.v as select ${sql} as b from k.t`);
      const { catalogue } = await createSnapshotStore(test.database).current();
      expect(catalogue.relationByName("k", "v")?.runsCode.reads).toBe(true);
      expect(catalogue.relationByName("k", "t")?.runsCode.reads).toBe(false);
    },
  );

  it("without event triggers every statement is one of them", async () => {
    await test.database.query(
      "drop schema if exists k cascade; create schema k; create table k.t (id int)",
    );
    await test.database.query("alter event trigger rowhouse_after_ddl disable");
    const { catalogue, guard } = await createSnapshotStore(test.database).current();
    expect(guard).toBe("FINGERPRINTS");
    expect(catalogue.relationByName("k", "t")?.runsCode).toEqual({ reads: true, writes: true });
    await test.database.query("alter event trigger rowhouse_after_ddl enable");
  });

  it("knows whether a function prepares statements, and renews the connections for new code", async () => {
    const store = createSnapshotStore(test.service);
    await test.database.query(
      "drop schema if exists k cascade; create schema k; create table k.t (id int)",
    );
    const before = await store.current();
    expect(before.catalogue.preparesStatements).toBe(false);
    const pid = async () =>
      (await test.service.query<{ pid: number }>("select pg_backend_pid() as pid"))[0]?.pid;
    const first = await pid();
    expect(await pid()).toBe(first);
    await test.database.query(
      "create function k.prep() returns trigger language plpgsql as $$ begin execute 'PREPARE p as select 1'; return new; end $$; create trigger prep after insert on k.t for each row execute function k.prep()",
    );
    const after = await store.replace(before);
    expect(after.catalogue.preparesStatements).toBe(true);
    expect(await pid()).not.toBe(first);
  });
});
