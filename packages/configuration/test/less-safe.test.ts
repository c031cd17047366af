// Tier: long. Plans and applies against several databases.
import { describe, expect, it } from "vitest";
import { faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

const base = { "tables/public/t.yaml": "columns:\n  id: { type: integer }\nprimaryKey: [id]\n" };

describe("a plan of what was made beside the files", () => {
  it("is stale once the files have it: its drop has no consent", async () => {
    const own = await openConfigurator();
    const files = { ...root("types", "tables", "views"), ...base };
    await own.set(files);
    await own.database.query(
      "create table public.beside (id int primary key); create view public.seen as select id from public.t; create type public.mood as enum ('A')",
    );
    const plan = await own.plan(files);
    expect(plan.steps.map(({ kind, isOptional }) => `${kind} ${isOptional}`)).toEqual([
      "view.drop true",
      "table.drop true",
      "type.drop true",
    ]);
    // A colleague takes them over into the files, which changes nothing else.
    const { "rowhouse.yaml": _, ...pulled } = await own.pullWithoutSql();
    expect(stepsOf(await own.set({ ...pulled, ...files }))).toEqual([]);
    expect(await faultsOf(own.apply(plan))).toEqual([expect.stringMatching(/^PLAN_STALE/)]);
    expect(Object.keys(await own.pullWithoutSql())).toContain("tables/public/beside.yaml");
  });
});

describe("a relation whose safety no file describes", () => {
  it("is managed elsewhere if it is a view with options: no other database gets it without them", async () => {
    const own = await openConfigurator();
    await own.database.query(`
      create table public.t (id int primary key);
      create view public.invoked with (security_invoker = true) as select id from public.t;
      create view public.barred with (security_barrier = true) as select id from public.t;
      create view public.checked as select id from public.t where id > 0 with local check option;
      create materialized view public.kept with (fillfactor = 70) as select id from public.t;`);
    const files = await own.pullWithoutSql();
    for (const name of ["invoked", "barred", "checked"]) {
      expect(files[`views/public/${name}.yaml`], name).toBe("managed: elsewhere\n");
      expect(files[`views/public/${name}.sql`], name).toBeUndefined();
    }
    expect(files["views/public/kept.yaml"]).toContain("options fillfactor=70");
    expect(stepsOf(await own.plan(files))).toEqual([]);
    const target = await openConfigurator();
    const plan = await target.plan(files);
    expect(stepsOf(plan)).toEqual(["table.create public.t", "view.create public.kept"]);
    expect(plan.missing.map(({ subject }) => subject)).toEqual([
      "public.barred",
      "public.checked",
      "public.invoked",
      "public.kept",
    ]);
    await target.apply(plan);
    expect(await target.pullWithoutSql()).toEqual(files);
  });

  it("is not created from a file that leaves its safety to other tools", async () => {
    const own = await openConfigurator();
    const view = (options: string) => ({
      "views/public/v.yaml": `elsewhere: ['options ${options}']\n`,
      "views/public/v.sql": "select 1 as one",
    });
    const table = (object: string) => ({
      "tables/public/t.yaml": `columns:\n  id: { type: integer }\nelsewhere: ['${object}']\n`,
    });
    for (const files of [
      view("security_invoker=true"),
      view("check_option=cascaded"),
      table("row security"),
      table("policy own"),
    ]) {
      const error = await own.plan({ ...root("tables", "views"), ...files }).catch((one) => one);
      expect(error.faults, JSON.stringify(files)).toMatchObject([
        { code: "VALUE_INVALID", details: { missing: true } },
      ]);
    }
  });
});

describe("a table of other tools", () => {
  it("is renamed by no file", async () => {
    const own = await openConfigurator();
    await own.database.query(
      "create schema billing; create table billing.lines (id int primary key); create table public.bought (id int primary key, name text)",
    );
    const cases = [
      { "tables/public/got.yaml": "managed: elsewhere\nrenamedFrom: public.bought\n" },
      {
        "tables/public/bought.yaml":
          "managed: elsewhere\ncolumns:\n  title: { renamedFrom: name, label: Title }\n",
      },
      {
        "tables/public/lines.yaml":
          "renamedFrom: billing.lines\ncolumns:\n  id: { type: integer }\nprimaryKey: [id]\n",
      },
    ];
    for (const files of cases) {
      const all = {
        "rowhouse.yaml": "version: 1\nparts: [tables]\nelsewhere: [billing.*]\n",
        ...files,
      };
      expect(await faultsOf(own.plan(all)), JSON.stringify(files)).toEqual([
        expect.stringMatching(/^VALUE_INVALID tables\/public\/\w+\.yaml:\d/),
      ]);
    }
  });

  it("is none of the service's own: a file shows those that it has, and waits for no other", async () => {
    const own = await openConfigurator();
    const users = "managed: elsewhere\nexposed:\n  - GET\n";
    const shown = { ...root("tables"), "tables/system/users.yaml": users };
    expect(stepsOf(await own.set(shown))).toEqual(["resource.update system.users"]);
    expect((await own.pullWithoutSql())["tables/system/users.yaml"]).toBe(users);
    expect(stepsOf(await own.plan(await own.pullWithoutSql()))).toEqual([]);
    const files = {
      ...root("tables", "views"),
      "tables/system/users.yaml": users,
      "tables/system/tokens.yaml": "managed: elsewhere\nexposed: [GET]\n",
      "views/pg_catalog/pg_roles.yaml": "managed: elsewhere\nexposed: [GET]\n",
    };
    expect(await faultsOf(own.plan(files))).toEqual([
      "VALUE_INVALID tables/system/tokens.yaml:1:10 The schema system belongs to the service or to PostgreSQL",
      "VALUE_INVALID views/pg_catalog/pg_roles.yaml:1:10 The schema pg_catalog belongs to the service or to PostgreSQL",
    ]);
  });
});

describe("what a file does not describe", () => {
  it("is named: indexes of materialized views, and a table without a replica identity", async () => {
    const own = await openConfigurator();
    await own.database.query(`
      create table public.t (id int primary key, a int, b text); alter table public.t replica identity nothing;
      create materialized view public.m as select id, a, b from public.t;
      create unique index m_id on public.m (id);
      create index m_down on public.m (a desc);
      create index m_first on public.m (a nulls first);
      create index m_hash on public.m using hash (b);
      create index m_more on public.m (a) include (b);
      create index m_class on public.m (b text_pattern_ops);
      create index m_collated on public.m (b collate "C");
      create unique index m_nulls on public.m (a) nulls not distinct;
      create index m_full on public.m (id) with (fillfactor = 60);
      create index m_lower on public.m (lower(b));
      create materialized view public.sorted as select id from public.t;
      create index sorted_id on public.sorted (id); cluster public.sorted using sorted_id;`);
    const files = await own.pullWithoutSql();
    expect(files["tables/public/t.yaml"]).toContain("elsewhere:\n  - replica identity\n");
    const unusual = [
      "class",
      "collated",
      "down",
      "first",
      "full",
      "hash",
      "lower",
      "more",
      "nulls",
    ];
    expect(files["views/public/m.yaml"]).toBe(
      `materialized: true\nindexes:\n  - columns:\n      - id\n    unique: true\nelsewhere:\n${unusual.map((one) => `  - index m_${one}\n`).join("")}`,
    );
    expect(files["views/public/sorted.yaml"]).toBe(
      "materialized: true\nelsewhere:\n  - index sorted_id\n",
    );
    expect(stepsOf(await own.plan(files))).toEqual([]);
    // Another list of indexes leaves these as they are.
    const changed = {
      ...files,
      "views/public/m.yaml": (files["views/public/m.yaml"] ?? "").replace(
        "indexes:\n",
        "indexes:\n  - columns: [a]\n",
      ),
    };
    await own.set(changed);
    const found = await own.database.query<{ name: string }>(
      "select indexrelid::regclass::text as name from pg_index where indrelid = 'public.m'::regclass order by 1",
    );
    expect(found.map(({ name }) => name)).toEqual(
      ["m_a_idx", ...unusual.map((one) => `m_${one}`), "m_id_idx"].toSorted(),
    );
    const target = await openConfigurator();
    const plan = await target.plan(files);
    expect(plan.missing).toHaveLength(unusual.length + 2);
    await target.apply(plan);
    expect(await target.pullWithoutSql()).toEqual(files);
  });
});
