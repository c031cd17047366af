// Tier: long. Plans and applies against two databases; elsewhere-deleted.test.ts is in every run.
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createTestDatabase } from "@rowhouse/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { readDrift } from "../src/index.ts";
import {
  type Configurator,
  createConfigurator,
  faultsOf,
  openConfigurator,
  root,
  stepsOf,
} from "./configuration.ts";

async function open(): Promise<
  Configurator & { readonly database: Database; drift(): Promise<string[]> }
> {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  const own = await createConfigurator(test);
  const snapshots = createSnapshotStore(test.service);
  const drift = async () => {
    const { files } = await readDrift(test.service, snapshots);
    return files.map(({ kind, path }) => `${kind} ${path}`);
  };
  return { ...own, database: test.database, drift };
}

const wholeRoot = (...elsewhere: string[]) => ({
  "rowhouse.yaml": `version: 1\nparts: [tables, roles]\nelsewhere: [${elsewhere.map((one) => `'${one}'`).join(", ")}]\n`,
});
const missingOf = (plan: Awaited<ReturnType<Configurator["plan"]>>) =>
  plan.missing.map(({ document, message }) => `${document}: ${message}`);

describe("tables of other tools", () => {
  it("are remembered by pattern: they are no drift, and no plan drops them", async () => {
    const own = await open();
    await own.database.query(
      "create schema billing; create table billing.invoices (id int primary key, note text); create table public.kept (id int primary key)",
    );
    const { "rowhouse.yaml": _, ...files } = await own.pullWithoutSql();
    const { "tables/billing/invoices.yaml": __, ...kept } = files;
    const all = { ...kept, ...wholeRoot("billing.*", "*.flyway_schema_history") };
    const plan = await own.set(all);
    expect(stepsOf(plan)).toEqual(["elsewhere.update +*.flyway_schema_history, +billing.*"]);
    expect((await own.pullWithoutSql())["rowhouse.yaml"]).toContain(
      'elsewhere:\n  - "*.flyway_schema_history"\n  - billing.*\n',
    );
    // Another tool changes and adds tables.
    await own.database.query(
      `alter table billing.invoices drop column note; create table billing.lines (id int primary key);
       create table public.flyway_schema_history (id int primary key)`,
    );
    expect(await own.drift()).toEqual([]);
    expect(stepsOf(await own.plan(all))).toEqual([]);
    expect(
      Object.keys(await own.pullWithoutSql()).filter((path) => path.startsWith("tables/")),
    ).toEqual(["tables/public/kept.yaml"]);
    // A label made by hand shows the mark.
    await own.database.query(
      `insert into system.resource_columns (resource_id, attribute_number, column_name, label)
       select id, 1, 'id', 'Number' from system.resources where relation_oid = 'billing.invoices'::regclass`,
    );
    expect((await own.pullWithoutSql())["tables/billing/invoices.yaml"]).toBe(
      "managed: elsewhere\ncolumns:\n  id:\n    label: Number\n",
    );
    const structured = {
      ...all,
      "tables/billing/lines.yaml": "columns:\n  id: { type: integer }\n",
    };
    expect(await faultsOf(own.plan(structured))).toEqual([
      "VALUE_INVALID tables/billing/lines.yaml:1:1 The root file leaves this table to other tools: write managed: elsewhere",
    ]);
  });

  it("are remembered one by one, also where a label was changed by hand or the table went", async () => {
    const own = await open();
    await own.database.query("create table public.bought (id int primary key, name text)");
    const files = {
      ...root("tables", "roles"),
      "tables/public/bought.yaml": "managed: elsewhere\nexposed: [GET]\n",
      "roles/Clerks.yaml":
        "apiAccess: false\ngrants:\n  public.bought: { READ: { fields: [id, name] } }\n",
    };
    await own.set(files);
    await own.database.query("alter table public.bought add column more text");
    await own.database.query(
      "update system.resources set label = 'Bought' where relation_oid = 'public.bought'::regclass",
    );
    expect((await own.pullWithoutSql())["tables/public/bought.yaml"]).toBe(
      "managed: elsewhere\nlabel: Bought\nexposed:\n  - GET\n",
    );
    expect(await own.drift()).toEqual(["CHANGED tables/public/bought.yaml"]);
    // A column that another tool drops takes its part of the grant along, and drift says so.
    await own.database.query("alter table public.bought drop column name");
    expect(await own.drift()).toEqual([
      "CHANGED roles/Clerks.yaml",
      "CHANGED tables/public/bought.yaml",
    ]);
    await own.database.query("drop table public.bought");
    const plan = await own.plan(files);
    expect(stepsOf(plan)).toEqual([]);
    expect(missingOf(plan)).toEqual([
      "roles/Clerks.yaml: Its grants of public.bought wait for the table, which is managed elsewhere",
      "tables/public/bought.yaml: It is managed elsewhere, and there is no such table yet",
    ]);
    expect((await own.pullWithoutSql())["tables/public/bought.yaml"]).toBe("managed: elsewhere\n");
  });

  it("do not stop the rest of an apply where they do not exist yet", async () => {
    const own = await open();
    const files = {
      ...root("tables", "roles", "data-views"),
      "tables/public/bought.yaml": "managed: elsewhere\nexposed: [GET]\n",
      "tables/public/made.yaml": "columns:\n  id: { type: integer }\nprimaryKey: [id]\n",
      "roles/Clerks.yaml": "grants:\n  public.bought: { READ: {} }\n  public.made: { READ: {} }\n",
      "data-views/Bought.yaml": "resource: public.bought\n",
    };
    const plan = await own.plan(files);
    expect(plan.missing).toHaveLength(3);
    await own.apply(plan);
    const pulled = await own.pullWithoutSql();
    expect(pulled["roles/Clerks.yaml"]).toContain("public.made");
    expect(pulled["tables/public/bought.yaml"]).toBe("managed: elsewhere\n");
    // Once the other tool has made it, the same files do the rest.
    await own.database.query("create table public.bought (id int primary key)");
    const next = await own.plan(files);
    expect(stepsOf(next)).toEqual([
      "resource.update public.bought",
      "grants.set Clerks: READ public.bought",
      "data-view.create Bought",
    ]);
    expect(next.missing).toEqual([]);
    await own.apply(next);
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });
});

describe("tables that are in no file", () => {
  it("stay without a consent of their own, block nothing, and are drift until somebody decides", async () => {
    const own = await open();
    await own.database.query("create table public.kept (id int primary key)");
    const files = { ...(await own.pullWithoutSql()) };
    await own.set(files);
    await own.database.query(
      "create table public.beside (id int primary key); create table public.inner (id int primary key, beside_id int references public.beside)",
    );
    expect(await own.drift()).toEqual([
      "NOT_IN_FILES tables/public/beside.yaml",
      "NOT_IN_FILES tables/public/inner.yaml",
    ]);
    const changed = { ...files, "settings.yaml": "data.default_limit: 30\n" };
    const plan = await own.plan(changed);
    expect(
      plan.steps.map(({ kind, subject, isOptional }) => `${kind} ${subject} ${isOptional}`),
    ).toEqual([
      "table.alter public.inner true",
      "table.drop public.beside true",
      "table.drop public.inner true",
      "settings.update data.default_limit false",
    ]);
    const applied = await own.apply(plan);
    expect(applied.steps).toBe(1);
    expect(await own.drift()).toEqual([
      "NOT_IN_FILES tables/public/beside.yaml",
      "NOT_IN_FILES tables/public/inner.yaml",
    ]);
    const again = await own.plan(changed);
    await own.apply(again, ["drop:public.inner"]);
    expect(await own.drift()).toEqual(["NOT_IN_FILES tables/public/beside.yaml"]);
  });
});

const unusual = `
  create table public.parts (id int, at date) partition by range (at);
  create table public.parts_1 partition of public.parts for values from ('2026-01-01') to ('2026-02-01');
  create table public.base (id int primary key);
  create table public.derived (more text) inherits (public.base);
  create table public.guarded (id int primary key, owner text);
  alter table public.guarded enable row level security;
  create policy own on public.guarded using (owner = current_user);
  create table public.policied (id int primary key);
  create policy quiet on public.policied using (true);
  create foreign data wrapper nowhere; create server away foreign data wrapper nowhere;
  create foreign table public.remote (id int) server away;
  create type public.pair as (a int, b int); create table public.typed of public.pair;`;

describe("tables that no document can create", () => {
  it("are managed elsewhere, and never become ordinary ones", async () => {
    const own = await open();
    await own.database.query(unusual);
    const files = await own.pullWithoutSql();
    const names = ["parts", "derived", "guarded", "policied", "remote", "typed"];
    for (const name of names) {
      expect(files[`tables/public/${name}.yaml`], name).toBe("managed: elsewhere\n");
    }
    // The partitions of a table come and go.
    expect(files["tables/public/parts_1.yaml"]).toBeUndefined();
    expect(stepsOf(await own.plan(files))).toEqual([]);
    await own.set(files);
    await own.database.query(
      "create table public.parts_2 partition of public.parts for values from ('2026-02-01') to ('2026-03-01')",
    );
    expect(await own.drift()).toEqual([]);
    expect(stepsOf(await own.plan(files))).toEqual([]);
    const target = await openConfigurator();
    const plan = await target.plan(files);
    expect(missingOf(plan)).toEqual(
      names
        .toSorted()
        .map(
          (name) =>
            `tables/public/${name}.yaml: It is managed elsewhere, and there is no such table yet`,
        ),
    );
    await target.apply(plan);
    expect(await target.pullWithoutSql()).toEqual(files);
    // Files of an earlier build, which describe such a table as an ordinary one, change nothing.
    const old = {
      ...files,
      "tables/public/guarded.yaml":
        "columns:\n  id: { type: integer }\n  owner: { type: text }\nprimaryKey: [id]\n",
    };
    expect(stepsOf(await own.plan(old))).toEqual([]);
  });

  it("leave what documents do not describe by name, and its absence is said", async () => {
    const own = await open();
    await own.database.query(`
      create table public.other (id int primary key, code text unique);
      create table public.rich (id int generated by default as identity (start 100 increment 5) primary key,
        a int, b int, title text collate "C", size numeric default 0,
        constraint late unique (a) deferrable,
        constraint match foreign key (b) references public.other (id) match full,
        constraint partly foreign key (a) references public.other (id) on delete set null (a),
        constraint alone check (a > 0) no inherit);
      create function public.nothing() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger stamped before insert on public.rich for each row execute function public.nothing();
      create rule quiet as on delete to public.rich where old.id = 1 do instead nothing;
      create statistics public.spread on a, b from public.rich;
      create unlogged table public.light (id int primary key) with (fillfactor = 70);
      create table public.pending (id int, constraint pending_pkey primary key (id) deferrable);`);
    const files = await own.pullWithoutSql();
    const listOf = (name: string) =>
      (files[`tables/public/${name}.yaml`] ?? "")
        .split("elsewhere:\n")[1]
        ?.replaceAll("  - ", "")
        .trim()
        .split("\n");
    expect(listOf("rich")).toEqual([
      "alone",
      "collation of title",
      "late",
      "match",
      "partly",
      "rule quiet",
      "sequence of id",

      "statistics spread",
      "trigger stamped",
    ]);
    expect(listOf("light")).toEqual(["options fillfactor=70", "unlogged"]);
    expect(listOf("pending")).toEqual(["pending_pkey"]);
    expect((await own.plan(files)).missing).toEqual([]);
    const target = await openConfigurator();
    const plan = await target.plan(files);
    expect(plan.missing).toHaveLength(12);
    await target.apply(plan);
    expect(await target.pullWithoutSql()).toEqual(files);
  });
});

describe("a serial column", () => {
  it("has an identity in its file, which is the same for a plan and works in a new database", async () => {
    const own = await open();
    await own.database.query(
      "create schema fleet; create table fleet.numbered (id serial primary key, n bigserial)",
    );
    const files = await own.pullWithoutSql();
    expect(files["tables/fleet/numbered.yaml"]).toBe(
      "columns:\n  id:\n    type: integer\n    identity: BY_DEFAULT\n  n:\n    type: bigint\n    identity: BY_DEFAULT\nprimaryKey:\n  - id\n",
    );
    expect(stepsOf(await own.plan(files))).toEqual([]);
    const old = {
      ...files,
      "tables/fleet/numbered.yaml":
        "columns:\n  id: { type: integer, default: \"nextval('fleet.numbered_id_seq'::regclass)\" }\n  n: { type: bigint, nullable: false, default: \"nextval('fleet.numbered_n_seq'::regclass)\" }\nprimaryKey: [id]\n",
    };
    expect(stepsOf(await own.plan(old))).toEqual([]);
    for (const given of [files, old]) {
      const target = await openConfigurator();
      await target.set(given);
      await target.database.query("insert into fleet.numbered default values");
      expect(await target.database.query("select id::text, n::text from fleet.numbered")).toEqual([
        { id: "1", n: "1" },
      ]);
      expect(await target.pullWithoutSql()).toEqual(files);
      expect(stepsOf(await target.plan(given))).toEqual([]);
    }
  });

  it("keeps the default that takes its values from another sequence, and a new table says that it has none", async () => {
    const own = await open();
    await own.database.query(
      "create sequence public.shared; create table public.numbered (id int primary key default nextval('public.shared'))",
    );
    const files = await own.pullWithoutSql();
    expect(stepsOf(await own.plan(files))).toEqual([]);
    const target = await openConfigurator();
    const plan = await target.plan(files);
    expect(missingOf(plan)).toEqual([
      "tables/public/numbered.yaml: It leaves default of id to other tools, and there is no such object",
    ]);
    await target.apply(plan);
    expect(stepsOf(await target.plan(files))).toEqual([]);
    expect(await target.pullWithoutSql()).toEqual(files);
    // An identity that another tool has put in its place stays.
    await own.database.query(
      "alter table public.numbered alter id drop default, alter id add generated always as identity",
    );
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });

  it("keeps what code of the database's users does, and a new table says that it lacks it", async () => {
    const own = await open();
    const code = `create function public.next_one() returns int language sql as 'select 1';
      create function public.twice(n int) returns int language sql immutable as 'select n * 2';`;
    await own.database.query(`${code} create table public.coded (id int primary key default public.next_one(), n int,
        constraint small check (public.twice(n) < 9));
      create table public.made (id int primary key, two int generated always as (public.twice(id)) stored);
      create table public.bare ();`);
    const files = await own.pullWithoutSql();
    expect(files["tables/public/coded.yaml"]).toContain(
      "elsewhere:\n  - default of id\n  - small\n",
    );
    expect(files["tables/public/made.yaml"]).toBe("managed: elsewhere\n");
    expect(files["tables/public/bare.yaml"]).toBe("managed: elsewhere\n");
    expect(stepsOf(await own.plan(files))).toEqual([]);
    // As an earlier version has written it.
    const old = {
      ...files,
      "tables/public/coded.yaml":
        "columns:\n  id: { type: integer, default: public.next_one() }\n  n: { type: integer }\nprimaryKey: [id]\n",
    };
    expect(stepsOf(await own.plan(old))).toEqual([]);
    const target = await openConfigurator();
    const plan = await target.plan(files);
    expect(missingOf(plan)).toHaveLength(4);
    await target.apply(plan);
    expect(await target.pullWithoutSql()).toEqual(files);
  });
});

describe("views and types of other tools", () => {
  it("are remembered, exposed and shown, and stay as they are", async () => {
    const own = await open();
    await own.database.query(`
      create schema billing; create table billing.invoices (id int primary key);
      create type billing.state as enum ('NEW');
      create view billing.open as select id from billing.invoices;
      create view public.guarded with (security_invoker = true) as select id from billing.invoices;
      create materialized view public.kept as select id from billing.invoices;
      create index kept_half on public.kept ((id / 2));
      create type public.mood as enum ('OK');`);
    const { "rowhouse.yaml": _, ...pulled } = await own.pullWithoutSql();
    expect(pulled["views/public/guarded.yaml"]).toBe("managed: elsewhere\n");
    expect(pulled["views/public/kept.yaml"]).toContain("elsewhere:\n  - index kept_half\n");
    const kept = Object.entries(pulled).filter(([path]) => !path.includes("/billing/"));
    const files = {
      ...Object.fromEntries(kept),
      "rowhouse.yaml": "version: 1\nparts: [types, tables, views, roles]\nelsewhere: [billing.*]\n",
      "views/billing/open.yaml": "managed: elsewhere\nexposed: [GET]\n",
    };
    expect(stepsOf(await own.set(files))).toEqual([
      "elsewhere.update +billing.*",
      "resource.update billing.open",
    ]);
    expect((await own.plan(files)).missing).toEqual([]);
    // A file of another SELECT keeps what documents do not describe.
    await own.set({
      ...files,
      "views/public/kept.sql": "select id + 0 as id from billing.invoices",
    });
    // So does a file of an earlier build, which had the SELECT of a view with options.
    await own.set({
      ...files,
      "views/public/guarded.yaml": "elsewhere: [options security_invoker=true]\n",
      "views/public/guarded.sql": "select id + 0 as id from billing.invoices",
    });
    const again = await own.pullWithoutSql();
    expect(again["views/public/kept.yaml"]).toContain("kept_half");
    expect(again["views/public/guarded.yaml"]).toBe("managed: elsewhere\n");
    const [guarded] = await own.database.query(
      "select pg_get_viewdef(oid) ~ '0' as changed, reloptions::text as options from pg_class where oid = 'public.guarded'::regclass",
    );
    expect(guarded).toEqual({ changed: true, options: "{security_invoker=true}" });
    await own.database.query(
      "create or replace view billing.open as select id, 1 as more from billing.invoices; create view billing.late as select 1 as one; create type billing.kind as enum ('A')",
    );
    expect(await own.drift()).toEqual([]);
    await own.database.query("drop view billing.open");
    const plan = await own.plan(again);
    expect(stepsOf(plan)).toEqual([]);
    expect(missingOf(plan)).toEqual([
      "views/billing/open.yaml: It is managed elsewhere, and there is no such view yet",
    ]);
  });

  it("stay if they are in no file", async () => {
    const own = await open();
    await own.set(await own.pullWithoutSql());
    const files = await own.pullWithoutSql();
    await own.database.query(
      "create view public.beside as select 1 as one; create type public.mood as enum ('OK')",
    );
    const plan = await own.plan(files);
    expect(plan.steps.map(({ kind, isOptional }) => `${kind} ${isOptional}`)).toEqual([
      "view.drop true",
      "type.drop true",
    ]);
    expect((await own.apply(plan)).steps).toBe(0);
    expect(await own.drift()).toEqual([
      "NOT_IN_FILES types/public/mood.yaml",
      "NOT_IN_FILES views/public/beside.sql",
      "NOT_IN_FILES views/public/beside.yaml",
    ]);
    await own.apply(await own.plan(files), ["drop:public.beside", "drop:type:public.mood"]);
    expect(await own.drift()).toEqual([]);
  });

  it("are refused with a structure of their own", async () => {
    const own = await open();
    const files = {
      "rowhouse.yaml": "version: 1\nparts: [types, views]\nelsewhere: [billing.*]\n",
      "types/billing/state.yaml": "values: [A]\n",
      "views/billing/open.yaml": "",
      "views/billing/open.sql": "select 1 as one",
      "views/public/one.yaml": "managed: elsewhere\n",
      "views/public/one.sql": "select 1 as one",
    };
    expect(await faultsOf(own.plan(files))).toEqual([
      "VALUE_INVALID views/public/one.sql:-:- The structure of a view that is managed elsewhere has no place here",
    ]);
    const { "views/public/one.sql": _, ...rest } = files;
    expect(await faultsOf(own.plan(rest))).toEqual([
      "VALUE_INVALID types/billing/state.yaml:1:1 The root file leaves this type to other tools, so it has no document",
      "VALUE_INVALID views/billing/open.yaml:1:1 The root file leaves this view to other tools: write managed: elsewhere",
    ]);
    const wrong = {
      "rowhouse.yaml": "version: 1\nparts: [tables]\nelsewhere: [billing, '*.a*b*', 1, a.b.c]\n",
    };
    expect(await faultsOf(own.plan(wrong))).toHaveLength(4);
  });
});

describe("what files do not carry", () => {
  it("is a fault that says that something is missing", async () => {
    const own = await open();
    const table = (column: string) =>
      `columns:\n  id: { type: integer }\n  other: ${column}\nprimaryKey: [id]\n`;
    const view = (query: string) => ({ "views/public/v.yaml": "", "views/public/v.sql": query });
    const key =
      "foreignKeys:\n  away: { columns: [id], references: { schema: public, table: away, columns: [id] } }\n";
    const cases: readonly (readonly [Record<string, string>, boolean])[] = [
      [{ "tables/public/t.yaml": table("{ type: public.year }") }, true],
      [{ "tables/public/t.yaml": table("{ type: integer }") + key }, true],
      [view("select public.nothing(1) as one"), true],
      [view("select id from public.away"), true],
      [view("select null::public.year as year"), true],
      [{ "tables/public/t.yaml": table("{ type: integer, default: now() - 1 }") }, false],
    ];
    for (const [files, isMissing] of cases) {
      const error = await own.plan({ ...root("tables", "views"), ...files }).catch((one) => one);
      expect(error.faults, JSON.stringify(files)).toHaveLength(1);
      expect(error.faults[0].details?.missing, JSON.stringify(files)).toBe(
        isMissing ? true : undefined,
      );
    }
  });
});
