// Tier: all. Plans and applies files of the catalogue against databases of their own.
import type { Database } from "@rowhouse/db";
import { createTestDatabase } from "@rowhouse/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Files, Plan } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root, stepsOf } from "./configuration.ts";

const parts = root("types", "sql", "tables", "views");

async function open(
  sql = "",
  hasSession = true,
): Promise<Configurator & { readonly database: Database }> {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  if (sql !== "") await test.database.transaction((transaction) => transaction.query(sql));
  return { database: test.database, ...(await createConfigurator(test, hasSession)) };
}

/** The files of the catalogue and the relations, without the other parts. */
async function filesOf(own: Configurator): Promise<Record<string, string>> {
  const files = Object.entries(await own.pull()).filter(([path]) =>
    /^(types|sql|tables|views)\//.test(path),
  );
  return { ...Object.fromEntries(files), ...parts };
}

const missingOf = ({ missing }: Plan) =>
  missing.map(({ subject, message }) => `${subject}: ${message}`);

const fleet = `create schema fleet;
create table fleet.trips (id int primary key, note text, size numeric);
create function fleet.touch() returns trigger language plpgsql as 'begin return new; end';
create trigger touched before update on fleet.trips for each row execute function fleet.touch();
create policy own on fleet.trips using (id > 0);
alter table fleet.trips enable row level security;
create domain fleet.plate as text constraint filled check (value <> '');
create sequence fleet.numbers;
create view fleet.long with (security_barrier) as select id, note from fleet.trips where size > 10;
create table fleet.log (at date not null, note text) partition by range (at);
create table fleet.log_2026 partition of fleet.log for values from ('2026-01-01') to ('2027-01-01')`;

describe("a changed file of the catalogue", () => {
  it("replaces functions, triggers, policies, options, defaults and comments, with both texts", async () => {
    const own = await open(fleet);
    const files = await filesOf(own);
    const set = (path: string, from: string, to: string): string => {
      const text = files[path] ?? "";
      expect(text).toContain(from);
      return text.replace(from, to);
    };
    const plan = await own.set({
      ...files,
      "sql/fleet/touch.sql": `${set("sql/fleet/touch.sql", "return new;", "new.note := 'x'; return new;")}
COMMENT ON FUNCTION fleet.touch() IS 'Touches';`,
      "sql/fleet/trips.sql": set("sql/fleet/trips.sql", "BEFORE UPDATE", "BEFORE INSERT").replace(
        "id > 0",
        "id > 5",
      ),
      "sql/fleet/long.sql": "alter view fleet.long set (security_barrier, check_option = local)",
      "sql/fleet/plate.sql": set("sql/fleet/plate.sql", "<> ''", "<> '-'"),
    });
    expect(stepsOf(plan)).toEqual([
      "sql.replace constraint of domain fleet.plate.filled",
      "sql.replace function fleet.touch()",
      "sql.create comment on function fleet.touch()",
      "sql.replace options of view fleet.long",
      "sql.replace trigger fleet.trips.touched",
      "sql.replace policy fleet.trips.own",
    ]);
    const [{ changes = [] } = {}] = plan.steps.filter(({ subject }) =>
      subject.startsWith("policy"),
    );
    expect(
      changes.flatMap(({ before, after, diff }) => `${before} ${after} ${diff}`.match(/id > \d/g)),
    ).toEqual(["id > 0", "id > 5"]);
    const again = await own.pull();
    expect(again["sql/fleet/trips.sql"]).toContain("BEFORE INSERT");
    expect(again["sql/fleet/long.sql"]).toContain("check_option = 'local'");
    expect(stepsOf(await own.plan({ ...again, ...parts }))).toEqual([]);
  });

  it("has no step in the words of a person once it is applied", async () => {
    const own = await open("create schema fleet");
    const files = {
      ...parts,
      "tables/fleet/trips.yaml":
        "columns: { id: { type: integer }, plate: { type: fleet.plate } }\nprimaryKey: [id]\n",
      "tables/fleet/log.yaml": "managed: sql\n",
      "tables/fleet/log_2026.yaml": "managed: sql\nexposed: [GET]\n",
      "sql/fleet/plate.sql":
        "-- A number plate.\ncreate domain fleet.plate text default 'x' not null check (value != '');",
      "sql/fleet/trips.sql": `create index by_plate on fleet.trips(plate varchar_pattern_ops);
alter table fleet.trips enable row level security;
create policy own on fleet.trips using (id>0);
create trigger t before insert or update on fleet.trips for each row execute procedure fleet.touch();
alter table fleet.trips add constraint once unique (plate) deferrable;
comment on policy own on fleet.trips is 'Own ones'`,
      "sql/fleet/touch.sql":
        "create function fleet.touch() returns trigger as $x$ begin return new; end $x$ language plpgsql;",
      "sql/fleet/area.sql":
        "create function fleet.area(a int, b int4 default 2) returns int8 language sql immutable return a * b;",
      "sql/fleet/log.sql":
        "create table fleet.log (at date, note text check (note <> ''), primary key (at)) partition by range (at)",
      "sql/fleet/log_2026.sql":
        "create table fleet.log_2026 partition of fleet.log for values from ('2026-01-01') to ('2027-01-01')",
      "sql/fleet/numbers.sql": "create sequence fleet.numbers increment 5",
      "sql/fleet/pair.sql": "create type fleet.pair as (a int, b varchar(5))",
      "sql/fleet/span.sql": "create type fleet.span as range (subtype = int4)",
    };
    const plan = await own.set(files);
    expect(plan.missing).toEqual([]);
    const again = await own.plan(files);
    expect([stepsOf(again), missingOf(again)]).toEqual([[], []]);
    const written = await filesOf(own);
    expect(Object.keys(written).toSorted()).toEqual(Object.keys(files).toSorted());
    expect(stepsOf(await own.plan(written))).toEqual([]);
    expect(written["tables/fleet/log_2026.yaml"]).toContain("GET");
  });

  it("names what PostgreSQL cannot change", async () => {
    const own = await open(fleet);
    const files = await filesOf(own);
    const partition = (files["sql/fleet/log_2026.sql"] ?? "").replace("2027-01-01", "2028-01-01");
    const plan = await own.plan({
      ...files,
      "sql/fleet/log_2026.sql": partition,
      "sql/fleet/numbers.sql": (files["sql/fleet/numbers.sql"] ?? "")
        .replace("bigint", "integer")
        .replace("9223372036854775807", "100"),
      "sql/fleet/trips.sql": `${files["sql/fleet/trips.sql"] ?? ""}alter table fleet.trips set unlogged;`,
    });
    expect(missingOf(plan).map((one) => one.split(",")[0])).toEqual([
      "partition fleet.log_2026: It differs from the one in the database",
      "sequence fleet.numbers: It differs from the one in the database",
    ]);
    expect(stepsOf(plan)).toEqual(["sql.create unlogged fleet.trips"]);
  });

  it("drops what is in no file with consent, and leaves what was made beside the files", async () => {
    const own = await open(fleet);
    const files = await filesOf(own);
    await own.set(files);
    const { "sql/fleet/numbers.sql": _, "sql/fleet/plate.sql": __, ...fewer } = files;
    const without = { ...fewer, "sql/fleet/trips.sql": "" };
    const plan = await own.plan(without);
    expect(plan.steps.map(({ isOptional }) => isOptional)).toEqual(Array(5).fill(false));
    expect(plan.steps.flatMap(({ needsConsent }) => needsConsent).toSorted()).toEqual([
      "drop:domain:fleet.plate",
      "drop:policy:fleet.trips.own",
      "drop:row-security:fleet.trips",
      "drop:sequence:fleet.numbers",
      "drop:trigger:fleet.trips.touched",
    ]);
    expect(await faultsOf(own.apply(plan))).toHaveLength(1);
    await own.database.query(
      "create function fleet.beside() returns int language sql as 'select 1'",
    );
    const beside = await own.plan(without);
    await own.apply(
      beside,
      plan.steps.flatMap(({ needsConsent }) => needsConsent),
    );
    const after = await filesOf(own);
    expect(Object.keys(after)).not.toContain("sql/fleet/numbers.sql");
    expect(Object.keys(after)).toContain("sql/fleet/beside.sql");
    expect(after["sql/fleet/trips.sql"]).toBeUndefined();
  });

  it("follows tables and columns that documents rename", async () => {
    const own = await open(`${fleet};
create function fleet.of_trip(one fleet.trips) returns int language sql begin atomic; select (one).id; end`);
    const files = await filesOf(own);
    const plain = { ...files };
    delete plain["tables/fleet/trips.yaml"];
    delete plain["sql/fleet/trips.sql"];
    const renamed = {
      ...plain,
      "tables/fleet/journeys.yaml": `renamedFrom: fleet.trips\n${(files["tables/fleet/trips.yaml"] ?? "").replace("  id:\n", "  nr:\n    renamedFrom: id\n").replace("- id", "- nr")}`,
      "sql/fleet/journeys.sql": (files["sql/fleet/trips.sql"] ?? "")
        .replaceAll("fleet.trips", "fleet.journeys")
        .replace("id > 0", "nr > 0"),
      "sql/fleet/of_trip.sql": (files["sql/fleet/of_trip.sql"] ?? "")
        .replace("fleet.trips", "fleet.journeys")
        .replace("(one).id", "(one).nr"),
      "views/fleet/long.sql": "select nr as id, note from fleet.journeys where size > 10",
    };
    const plan = await own.plan(renamed);
    expect(stepsOf(plan).filter((step) => step.startsWith("sql."))).toEqual([
      "sql.drop name of primary key fleet.journeys",
    ]);
    expect(missingOf(plan)).toEqual([]);
  });

  it("goes with its table", async () => {
    const own = await open(fleet);
    const files = await filesOf(own);
    await own.set(files);
    const kept = Object.entries(files).filter(([path]) => !/trips|long/.test(path));
    const plan = await own.plan(Object.fromEntries(kept));
    expect(plan.steps.flatMap(({ needsConsent }) => needsConsent)).toEqual([
      "drop:fleet.long",
      "drop:fleet.trips",
    ]);
  });
});

describe("a table of a file of SQL", () => {
  it("gets a column of a type that the same files create", async () => {
    const own = await open("create schema fleet; create table fleet.trips (id int primary key)");
    const files: Files = {
      ...(await filesOf(own)),
      "sql/fleet/plate.sql": "create domain fleet.plate as text check (value <> '')",
      "tables/fleet/trips.yaml":
        "columns: { id: { type: integer }, plate: { type: fleet.plate } }\nprimaryKey: [id]\n",
    };
    await own.set(files);
    expect(stepsOf(await own.plan(files))).toEqual([]);
  });

  it("creates functions and tables that need each other", async () => {
    const own = await open();
    const files: Files = {
      ...parts,
      "tables/a/one.yaml":
        "columns: { id: { type: integer }, two: { type: integer } }\nprimaryKey: [id]\nforeignKeys: { to_two: { columns: [two], references: { schema: a, table: two, columns: [id] } } }\n",
      "sql/a/one.sql": "alter table a.one alter column two set default a.f(null::a.two);",
      "tables/a/two.yaml": "managed: sql\n",
      "sql/a/two.sql":
        "create table a.two (id int primary key, n int generated always as (a.g(id)) stored);",
      "sql/a/f.sql":
        "create function a.f(t a.two) returns int language sql as $$ select n from a.one_view $$;",
      "sql/a/g.sql": "create function a.g(n int) returns int immutable language sql as 'select n';",
      "views/a/one_view.yaml": "managed: sql\n",
      "sql/a/one_view.sql": "create view a.one_view as select a.f(two) as n from a.two",
    };
    const plan = await own.set(files);
    expect(plan.missing).toEqual([]);
    expect(stepsOf(await own.plan(files))).toEqual([]);
    expect(
      await faultsOf(
        own.plan({
          ...files,
          "sql/a/h.sql": "create function a.h(x a.nothing) returns a.less language sql as ''",
        }),
      ),
    ).toEqual([
      expect.stringMatching(/^VALUE_INVALID sql\/a\/h.sql:1:\d+ .*type .* does not exist/),
    ]);
  });
});

describe("the rights of files of the catalogue", () => {
  it("need a session or the setting, also to be tried", async () => {
    const own = await open("create schema fleet", false);
    const files = {
      ...parts,
      "sql/fleet/f.sql": "create function fleet.f() returns int language sql as 'select 1'",
    };
    const plan = await own.plan(files);
    expect(
      plan.steps.map(({ kind, sessionOnly, notes }) => [kind, sessionOnly, notes.length]),
    ).toEqual([["sql.create", true, 1]]);
    expect(await faultsOf(own.apply(plan))).toEqual([
      expect.stringMatching(/^SESSION_REQUIRED sql\/fleet\/f.sql:1:1 /),
    ]);
    await own.database.query(
      "insert into system.settings (key, value) values ('configuration.allow_sql', 'true')",
    );
    const allowed = await own.plan(files);
    expect(allowed.steps.map(({ sessionOnly }) => sessionOnly)).toEqual([false]);
    await own.apply(allowed);
    expect(Object.keys(await own.pull())).toContain("sql/fleet/f.sql");
  });

  it("do not run by the comparison of a table that names their types", async () => {
    const own = await open(
      `create schema fleet; create function fleet.no() returns event_trigger language plpgsql as 'begin raise exception ''It ran''; end';
      create event trigger no on ddl_command_end when tag in ('CREATE DOMAIN') execute function fleet.no()`,
      false,
    );
    const files = {
      ...parts,
      "sql/fleet/plate.sql": "create domain fleet.plate as text",
      "tables/fleet/trips.yaml":
        "columns: { id: { type: integer }, plate: { type: fleet.plate } }\nprimaryKey: [id]\n",
    };
    const { steps } = await own.plan(files);
    expect(steps.filter(({ kind }) => kind.endsWith(".create")).map(({ kind }) => kind)).toEqual([
      "sql.create",
      "table.create",
    ]);
  });

  it("ask a consent for each function with the rights of its owner, and a login for each policy", async () => {
    const own = await open("create schema fleet; create table fleet.trips (id int primary key)");
    const files = await filesOf(own);
    const plan = await own.plan({
      ...files,
      "sql/fleet/f.sql":
        "create function fleet.f(a int, b text[]) returns int language sql security definer as 'select 1'",
    });
    expect(plan.steps.map(({ needsConsent, isOptional }) => [needsConsent, isOptional])).toEqual([
      [["definer:fleet.f(integer, text[])"], false],
    ]);
    const policy = "\ncreate policy p on fleet.trips to nobody_here using (true)";
    expect(await faultsOf(own.plan({ ...files, "sql/fleet/trips.sql": policy }))).toEqual([
      "VALUE_INVALID sql/fleet/trips.sql:2:1 The policy is for the login nobody_here, which this server does not have",
    ]);
  });

  it("end at the object of the path, with line and column", async () => {
    const own = await open("create schema fleet");
    const files = { ...parts, "sql/fleet/f.sql": "\n  drop table fleet.trips;" };
    expect(await faultsOf(own.plan(files))).toEqual([
      "EXPRESSION_INVALID sql/fleet/f.sql:2:3 What stands in no file is dropped by the plan",
    ]);
  });

  it("never repeat what the files leave to other tools", async () => {
    const own = await open(
      `${fleet}; create schema billing; create function billing.f() returns int language sql as 'select 1'`,
    );
    const files = await filesOf(own);
    const { "sql/billing/f.sql": _, "sql/fleet/trips.sql": __, ...rest } = files;
    const left = {
      ...rest,
      "rowhouse.yaml": "version: 1\nparts: [types, sql, tables, views]\nelsewhere: [billing.*]\n",
      "tables/fleet/trips.yaml": `${files["tables/fleet/trips.yaml"] ?? ""}elsewhere: [trigger touched, policy own, row security]\n`,
    };
    const plan = await own.set(left);
    expect(stepsOf(plan)).toEqual(["elsewhere.update +billing.*"]);
    const again = await filesOf(own);
    expect(Object.keys(again)).not.toContain("sql/billing/f.sql");
    expect(Object.keys(again)).not.toContain("sql/fleet/trips.sql");
    expect(stepsOf(await own.plan(left))).toEqual([]);
  });
});

/** A folder that renames what another file still names. */
it("names each text that has a former name, and takes them with the new one", async () => {
  const own = await open(`create schema fleet;
    create table fleet.cities (id int primary key);
    create table fleet.trips (id int primary key, city int);
    alter table fleet.trips add constraint trips_city foreign key (city) references fleet.cities on delete set null (city);
    create view fleet.far as select t.id, c.id as city from fleet.trips t join fleet.cities c on c.id = t.city`);
  const {
    "tables/fleet/cities.yaml": cities,
    "sql/fleet/cities.sql": rest,
    ...files
  } = await filesOf(own);
  const renamed = {
    ...files,
    ...(rest === undefined ? {} : { "sql/fleet/towns.sql": rest.replaceAll("cities", "towns") }),
    "tables/fleet/towns.yaml": `renamedFrom: fleet.cities\n${cities}`,
  };
  const message = "These files rename fleet.cities to fleet.towns; write the new name here";
  expect(await faultsOf(own.plan(renamed))).toEqual([
    `VALUE_INVALID sql/fleet/trips.sql:1:1 ${message}`,
    `VALUE_INVALID views/fleet/far.sql:4:11 ${message}`,
  ]);
  const corrected = Object.fromEntries(
    Object.entries(renamed).map(([path, text]) => [
      path,
      path === "tables/fleet/towns.yaml" ? text : text.replaceAll("fleet.cities", "fleet.towns"),
    ]),
  );
  await own.set(corrected);
  expect(stepsOf(await own.plan(corrected))).toEqual([]);
});

it("a text may have a former name that a new table takes", async () => {
  const own = await open(`create schema fleet;
    create table fleet.cities (id int primary key);
    create view fleet.far as select id from fleet.cities`);
  const { "tables/fleet/cities.yaml": cities = "", ...files } = await filesOf(own);
  const plan = await own.plan({
    ...files,
    "tables/fleet/towns.yaml": `renamedFrom: fleet.cities\n${cities}`,
    "tables/fleet/cities.yaml": cities,
  });
  expect(stepsOf(plan)).toContain("table.create fleet.cities");
});
