import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createSample, loadSample, readConfiguration, readSampleState } from "../src/index.ts";
import { createConfigurator, faultsOf } from "./configuration.ts";

const folder = fileURLToPath(new URL("../sample/fleet/", import.meta.url));

/** The files of the repository, by path. */
const written = Object.fromEntries(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:yaml|sql)$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
);

/** The number of rows of each table and view, and the MD5 of their texts in the order of the key. */
const rows = {
  drivers: ["id", "80 d7dff7380d71236b0676e12a4ec51b51"],
  vehicles: ["id", "120 124358496ada4ff4da5eb7482cfc1f96"],
  trips: ["id", "4000 1eb59adf371ba6657a08afd08f3c5bf9"],
  maintenance: ["id", "600 4c8673010b3e1ca35d2360581637b7d4"],
  vehicle_overview: ["id", "120 dcb40648d84f996a6c91449d0d60c85d"],
  monthly_distance: ["month, make", "72 404f99dbd9dd55cc2d6983cbd59709aa"],
};

/** What a user may have: relations of each kind that depend on each other, grants, and how they are shown. */
const own = `
  create schema own;
  create type own.state as enum ('OPEN', 'DONE');
  create table own.parents (id int primary key, state own.state not null default 'OPEN', vehicle_status text);
  create table own.children (id int primary key, parent_id int references own.parents, note text check (note <> ''));
  create view own.open as select id from own.parents where state = 'OPEN';
  create view own.open_children as select c.id, c.note from own.children c join own.open o on o.id = c.parent_id;
  create materialized view own.counts as select count(*) as number from own.open_children;
  insert into own.parents values (1), (2);
  comment on table own.parents is 'Mine';
  update system.resources set exposed_methods = '{GET}', label = 'Parents' where schema_name = 'own' and relation_name = 'parents';
  insert into system.roles (name, api_access) values ('Readers', true);
  insert into system.grants (role_id, resource_id, action, all_fields)
    select r.id, t.id, 'READ', true from system.roles r, system.resources t
    where r.name = 'Readers' and t.schema_name = 'own' and t.relation_name in ('parents', 'open_children')`;

/** Everything of a user that a load could touch: objects with their ids, and records of the service with their versions. */
async function stateBeside(database: Database): Promise<unknown> {
  return database.query(
    `select 'class' as kind, c.oid::regclass::text as name, jsonb_build_array(c.oid, c.relowner, c.relfilenode, c.relacl) as state
       from pg_catalog.pg_class c where c.relnamespace = 'own'::regnamespace
     union all select 'type', t.typname, to_jsonb(t) from pg_catalog.pg_type t where t.typnamespace = 'own'::regnamespace
     union all select 'resource', r.id::text, to_jsonb(r) || jsonb_build_object('xmin', r.xmin::text)
       from system.resources r where r.schema_name <> 'fleet'
     union all select 'role', r.name, to_jsonb(r) || jsonb_build_object('xmin', r.xmin::text) from system.roles r
     union all select 'grant', g.id::text, to_jsonb(g) || jsonb_build_object('xmin', g.xmin::text) from system.grants g
     order by 1, 2`,
  );
}

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await loadSample(test.service);
});
afterAll(() => test.drop());

describe("the sample", () => {
  it("is in the repository as a pull writes it, byte for byte", async () => {
    const { service } = test;
    const parts = ["types", "tables", "views"] as const;
    expect(await readConfiguration(service, createSnapshotStore(service), parts)).toEqual(written);
  });

  it.each(Object.entries(rows))("has the same rows of %s everywhere", async (name, [key, want]) => {
    const [found] = await test.database.query<{ rows: string }>(
      `select count(*) || ' ' || md5(string_agg(r::text, E'\\n' order by ${key})) as rows from fleet.${name} r`,
    );
    expect(found?.rows).toBe(want);
  });

  it("counts as made by hand: no apply is recorded", async () => {
    const applies =
      "select from system.configuration_applies union all select from system.configuration_plans";
    expect(await test.database.query(applies)).toEqual([]);
  });

  it("changes nothing of other types, tables, views, roles and grants", async () => {
    const beside = await createTestDatabase();
    onTestFinished(() => beside.drop());
    const { pull } = await createConfigurator(beside);
    await beside.database.query(own);
    const [files, state] = [await pull(), await stateBeside(beside.database)];
    expect(await loadSample(beside.service)).toBe(true);
    expect(await stateBeside(beside.database)).toEqual(state);
    const { "rowhouse.yaml": _, ...sample } = written;
    const schema = "COMMENT ON SCHEMA fleet IS 'Sample: a vehicle fleet';\n";
    expect(await pull()).toEqual({ ...files, ...sample, "sql/fleet.sql": schema });
  });

  it("is loaded with one audit entry if two administrators ask at once", async () => {
    const both = await createTestDatabase();
    onTestFinished(() => both.drop());
    const { caller } = await createConfigurator(both);
    const load = () => createSample(both.service, caller.actor);
    const ended = await Promise.allSettled([load(), load()]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await faultsOf(load())).toEqual([
      "CONFLICT -:-:- A schema with this name already exists",
    ]);
    const entries = await both.database.query(
      "select action, target_id, actor_user_id from system.audit_log where actor_user_id is not null",
    );
    expect(entries).toEqual([
      { action: "schema.create", target_id: "fleet", actor_user_id: caller.actor.userId },
    ]);
  });

  it("is registered and exposed if the login cannot create event triggers", async () => {
    const bare = await createTestDatabase();
    onTestFinished(() => bare.drop());
    await bare.database.query(
      "drop event trigger rowhouse_after_ddl; drop event trigger rowhouse_after_drop",
    );
    await loadSample(bare.service);
    const { catalogue } = await createSnapshotStore(bare.service).fresh();
    const exposed = Object.keys(rows).map(
      (name) => catalogue.relationByName("fleet", name)?.resource.exposedMethods.length,
    );
    expect(exposed).toEqual([4, 4, 4, 4, 1, 1]);
  });

  it("leaves nothing behind if the login may not create a schema", async () => {
    const closed = await createTestDatabase({ login: "service" });
    onTestFinished(() => closed.drop());
    const { caller } = await createConfigurator(closed);
    await closed.database.query(
      `do $$ begin execute format('revoke create on database %I from public, test_service', current_database()); end $$`,
    );
    expect(await faultsOf(createSample(closed.service, caller.actor))).toEqual([
      "ACTION_DENIED -:-:- The service's database login lacks the privilege to create schemas",
    ]);
    expect(await readSampleState(closed.database)).toBe("NONE");
  });
});
