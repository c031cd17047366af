// Tier: all. Plans and applies against a database.
import type { Database } from "@rowhouse/db";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Files } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root, stepsOf } from "./configuration.ts";

type Opened = Configurator & { readonly database: Database };

const parts = root("types", "tables", "views", "roles", "data-views");
const trips = (columns: string) =>
  `columns:\n  id: { type: integer }\n${columns}primaryKey: [id]\nexposed: [GET]\n`;
const view = (name: string, query: string, yaml = "exposed: [GET]\n"): Files => ({
  [`views/fleet/${name}.yaml`]: yaml,
  [`views/fleet/${name}.sql`]: `${query}\n`,
});
const table = "tables/fleet/trips.yaml";
const clerks = (fields: string) =>
  `apiAccess: true\ngrants:\n  fleet.short: { READ: { fields: ${fields}, filter: { id: { _eq: 1 } } } }\n  fleet.shorter: { READ: {} }\n`;
const labelled = "label: Short\nexposed: [GET]\ncolumns:\n  distance: { label: Far }\n";
const fleet: Files = {
  ...parts,
  [table]: trips("  distance: { type: integer }\n  note: { type: text }\n"),
  ...view("short", "select id, distance * 1 as distance, note from fleet.trips", labelled),
  ...view("shorter", "select id from fleet.short"),
  "roles/Clerks.yaml": clerks("[id, distance]"),
  "data-views/Short.yaml": "resource: fleet.short\nroles: [Clerks]\n",
};

/** What views have besides their definitions, with the ids of their records. */
const stateOf = async ({ database }: Opened) => {
  const [row] = await database.query<{ state: string }>(
    `select json_build_object(
       'records', (select json_object_agg(relation_name, id order by relation_name) from system.resources where schema_name = 'fleet'),
       'comments', (select json_agg(description order by description) from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass and c.relkind in ('v', 'm')),
       'privileges', (select json_agg(grantee || ' ' || table_name || ' ' || privilege_type order by 1) from information_schema.role_table_grants where grantee = 'rebuilt_reader'),
       'columns', (select json_agg(table_name || '.' || column_name order by 1) from information_schema.column_privileges where grantee = 'rebuilt_reader' and column_name = 'id'),
       'triggers', (select json_agg(tgname order by tgname) from pg_trigger where not tgisinternal and tgrelid::regclass::text like 'fleet.%'),
       'options', (select json_object_agg(relname, reloptions) from pg_class where reloptions is not null and relkind = 'v' and relnamespace = 'fleet'::regnamespace),
       'grants', (select json_agg(r.relation_name || '.' || gc.column_name || ' ' || gc.usage || ' ' || gc.attribute_number || coalesce(' ' || a.attname, ' gone') order by 1)
         from system.grant_columns gc join system.grants g on g.id = gc.grant_id join system.resources r on r.id = g.resource_id
         left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = gc.attribute_number))::text as state`,
  );
  const state = JSON.parse(row?.state ?? "") as Record<string, unknown> & { grants: string[] };
  return { ...state, grants: state.grants.toSorted() };
};

let test: TestDatabase;
let own: Opened;
const apply = async (files: Files, to: Configurator = own) => {
  const plan = await to.set(files);
  expect(stepsOf(await to.plan(files))).toEqual([]);
  return plan;
};

beforeAll(async () => {
  test = await createTestDatabase();
  own = { database: test.database, ...(await createConfigurator(test)) };
  await own.set(fleet);
  await own.database.query("insert into fleet.trips values (1, 5, 'first'), (2, 9, 'second')");
  await own.database.query(
    "do $$ begin create role rebuilt_reader; exception when duplicate_object then null; end $$",
  );
  for (const statement of [
    "comment on view fleet.shorter is 'The shorter one'",
    "comment on column fleet.short.id is 'Its number'",
    "grant usage on schema fleet to rebuilt_reader",
    "grant select on fleet.shorter to rebuilt_reader",
    "grant select (id) on fleet.short to rebuilt_reader",
    "create function fleet.refuse() returns trigger language plpgsql as $$ begin return null; end $$",
    "create trigger refuse instead of insert on fleet.short for each row execute function fleet.refuse()",
  ]) {
    await own.database.query(statement);
  }
});

afterAll(() => test.drop());

describe("a view that PostgreSQL cannot replace", () => {
  it("keeps its record, grants, labels, comments, privileges and triggers, and so do its readers", async () => {
    const before = await stateOf(own);
    const pulled = await own.pull();
    const files = {
      ...pulled,
      ...view("short", "select note, distance * 1 as distance, id from fleet.trips"),
      "views/fleet/short.yaml": pulled["views/fleet/short.yaml"] ?? "",
    };
    const plan = await apply(files);
    expect(stepsOf(plan)).toEqual(["view.replace fleet.short"]);
    expect(plan.steps[0]?.needsConsent).toEqual([]);
    expect(plan.steps[0]?.notes.join()).toContain("with its readers: fleet.shorter");
    expect(plan.steps[0]?.sql).toEqual(
      expect.arrayContaining(['drop view "fleet"."shorter"', 'drop view "fleet"."short"']),
    );
    const after = await stateOf(own);
    expect(after).toEqual({
      ...before,
      // The numbers of the columns are others, the columns are the same.
      grants: ["short.distance FIELD 2 distance", "short.id FIELD 3 id", "short.id FILTER 3 id"],
    });
    await apply(pulled);
    expect(await stateOf(own)).toEqual(before);
  });

  it("names each column that it loses, with its grants, and needs consent", async () => {
    const pulled = await own.pull();
    const files = {
      ...pulled,
      ...view("short", "select id, distance as far from fleet.trips"),
      "roles/Clerks.yaml": clerks("[id, far]"),
    };
    const plan = await own.plan(files);
    expect(plan.steps.flatMap(({ needsConsent }) => needsConsent)).toEqual([
      "drop:fleet.short.distance",
      "drop:fleet.short.note",
    ]);
    const { losses = [] } = plan.steps.find(({ kind }) => kind === "view.replace") ?? {};
    expect(losses.map(({ object, name }) => `${object} ${name}`)).toEqual([
      "column distance",
      "grant Clerks: READ",
      "column note",
    ]);
    expect(await faultsOf(own.apply(plan, ["drop:fleet.short.note"]))).toEqual([
      expect.stringContaining("The plan needs these consents: drop:fleet.short.distance"),
    ]);
    expect(await faultsOf(own.plan({ ...files, "views/fleet/short.yaml": labelled }))).toEqual([
      "VALUE_INVALID views/fleet/short.yaml:4:13 The view loses its column distance",
    ]);
    await apply(files);
    await apply({
      ...pulled,
      ...fleet,
      "views/fleet/short.yaml": pulled["views/fleet/short.yaml"] ?? "",
    });
  });
});

describe("a column that views read", () => {
  it("gets another type and name, and the views stay as they are", async () => {
    const before = await stateOf(own);
    const pulled = await own.pull();
    const files = {
      ...pulled,
      [table]: trips("  far: { type: bigint, renamedFrom: distance }\n  note: { type: text }\n"),
      "views/fleet/short.sql": "select id, far * 1 as distance, note from fleet.trips\n",
    };
    const plan = await apply(files);
    expect(stepsOf(plan)).toEqual([
      "view.suspend fleet.short, fleet.shorter",
      "table.alter fleet.trips",
      "view.replace fleet.short",
      "view.restore fleet.shorter",
    ]);
    const numbers = ({ grants, ...state }: Awaited<ReturnType<typeof stateOf>>) => state;
    expect(numbers(await stateOf(own))).toEqual(numbers(before));
    await apply({
      ...pulled,
      [table]: trips("  distance: { type: integer, renamedFrom: far }\n  note: { type: text }\n"),
    });
    expect(await stateOf(own)).toEqual(before);
  });

  it("is dropped in the apply in which a view stops reading it, and so is a table", async () => {
    const wide: Files = {
      ...(await own.pull()),
      ...view("wide", "select t.id, o.name from fleet.trips t join fleet.others o on o.id = t.id"),
      "tables/fleet/others.yaml":
        "columns:\n  id: { type: integer }\n  name: { type: text }\nprimaryKey: [id]\n",
    };
    await apply(wide);
    const { "tables/fleet/others.yaml": _, ...rest } = {
      ...wide,
      ...view("wide", "select id, note as name from fleet.trips"),
    };
    const plan = await apply(rest);
    expect(stepsOf(plan)).toEqual([
      "view.suspend fleet.wide",
      "table.drop fleet.others",
      "view.replace fleet.wide",
    ]);
    const without: Files = {
      ...rest,
      [table]: trips("  distance: { type: integer }\n"),
      ...view("short", "select id, distance * 1 as distance from fleet.trips"),
      ...view("wide", "select id from fleet.trips"),
    };
    expect(
      stepsOf(
        await apply({ ...without, "views/fleet/short.yaml": wide["views/fleet/short.yaml"] ?? "" }),
      ),
    ).toEqual([
      "view.suspend fleet.short, fleet.wide, fleet.shorter",
      "table.alter fleet.trips",
      "view.replace fleet.short",
      "view.replace fleet.wide",
      "view.restore fleet.shorter",
    ]);
  });

  it("stays while a view reads it that nobody changes, and while a function does", async () => {
    const files = await own.pull();
    const dropped = { ...files, [table]: trips("") };
    expect(await faultsOf(own.plan(dropped))).toEqual([
      expect.stringContaining("Other objects depend on this: view fleet.short"),
    ]);
    await own.database.query(
      "create function fleet.first(fleet.shorter) returns integer language sql immutable as $$ select $1.id $$",
    );
    const retyped = { ...files, [table]: trips("  distance: { type: bigint }\n") };
    expect(await faultsOf(own.plan(retyped))).toEqual([
      expect.stringContaining("function fleet.first(fleet.shorter) depends on this view"),
    ]);
    await own.database.query("drop function fleet.first(fleet.shorter)");
  });
});

it("a view with another name and schema keeps its record and readers, also if what it reads changes", async () => {
  const before = await own.pull();
  const id = "select id from system.resources where relation_name in ('short', 'brief')";
  const record = await own.database.query(id);
  const moved = (files: Files): Files =>
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path.replace(/^(views|sql).fleet.short[.]/, "$1/brief/brief."),
        path.startsWith("views/fleet/short.yaml")
          ? `renamedFrom: fleet.short\n${text}`
          : path.startsWith("tables/")
            ? text.replace("type: integer\n  distance", "type: bigint\n  distance")
            : text.replaceAll(/fleet[.]short\b/g, "brief.brief"),
      ]),
    );
  const files = {
    ...moved(before),
    [table]: trips("  distance: { type: bigint }\n"),
    "views/fleet/shorter.sql": "select id from brief.brief\n",
  };
  const plan = await apply(files);
  expect(stepsOf(plan).filter((step) => step.startsWith("view"))).toEqual([
    "view.rename brief.brief",
    "view.suspend brief.brief, fleet.shorter",
    "view.replace fleet.shorter",
    "view.restore brief.brief",
  ]);
  expect(await own.database.query(id)).toEqual(record);
  expect(await own.database.query("select id from fleet.shorter")).toHaveLength(2);
  await apply({
    ...before,
    "views/fleet/short.yaml": `renamedFrom: brief.brief\n${before["views/fleet/short.yaml"]}`,
  });
  expect(await own.database.query(id)).toEqual(record);
});

it("a materialized view becomes a plain one and back, and is filled", async () => {
  const plain = {
    ...(await own.pull()),
    ...view(
      "stored",
      "select id from fleet.trips",
      "materialized: true\nindexes: [{ columns: [id], unique: true }]\n",
    ),
    ...view("stored_again", "select id from fleet.stored", "materialized: true\n"),
  };
  await apply(plain);
  const rows = async () =>
    (
      await own.database.query(
        "select s.id from fleet.stored s join fleet.stored_again a using (id) order by 1",
      )
    ).length;
  expect(await rows()).toBe(2);
  const { id: record } =
    (
      await own.database.query<{ id: string }>(
        "select id from system.resources where relation_name = 'stored'",
      )
    )[0] ?? {};
  await apply({ ...plain, ...view("stored", "select id from fleet.trips") });
  await apply({
    ...plain,
    ...view("stored", "select id, 1 as one from fleet.trips where id = 1", "materialized: true\n"),
  });
  expect(await rows()).toBe(1);
  await apply(plain);
  expect(await rows()).toBe(2);
  expect(
    await own.database.query("select id from system.resources where relation_name = 'stored'"),
  ).toEqual([{ id: record }]);
});
