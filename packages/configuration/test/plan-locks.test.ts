// Tier: long. A plan with each kind of step; plan.test.ts is in every run.
import type { Database } from "@rowhouse/db";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Files, planConfiguration } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root, stepsOf } from "./configuration.ts";

let test: TestDatabase;
let own: Configurator;

beforeEach(async () => {
  test = await createTestDatabase();
  own = await createConfigurator(test);
});
afterEach(() => test.drop());

const parts = root(
  ...["settings", "types", "tables", "views", "roles", "templates", "workflows"],
  ...["data-views", "dashboards"],
);
const table = (columns: string, rest = "") =>
  `columns:\n  id: { type: bigint, identity: ALWAYS }\n${columns}primaryKey: [id]\n${rest}`;
const workflow = (name: string) => `name: ${name}
definition:
  trigger: { kind: webhook, access: AUTHENTICATED }
  steps: [{ id: end, kind: finish }]
`;
const before: Files = {
  ...parts,
  "types/fleet/state.yaml": "values: [NEW, OLD]\n",
  "tables/fleet/makers.yaml": table("  name: { type: text }\n"),
  "tables/fleet/trips.yaml": table(
    "  note: { type: text }\n  state: { type: fleet.state, default: \"'NEW'::fleet.state\" }\n",
    "exposed: [GET]\n",
  ),
  "tables/fleet/gone.yaml": table("  trip_id: { type: bigint }\n"),
  "views/fleet/all.yaml": "exposed: [GET]\n",
  "views/fleet/all.sql": "select id, note from fleet.trips\n",
  "views/fleet/few.yaml": "",
  "views/fleet/few.sql": "select id from fleet.all\n",
  "views/fleet/kept.yaml": "",
  "views/fleet/kept.sql": "select id from fleet.makers\n",
  "roles/Clerks.yaml": "grants:\n  fleet.trips: { READ: {} }\n  fleet.all: { READ: {} }\n",
  "roles/Former.yaml": "apiAccess: true\n",
  "roles/Gone.yaml": "apiAccess: true\n",
  "templates/letter.en.yaml": "kind: DOCUMENT\ntitle: Letter\nformat: TEXT\n",
  "templates/letter.en.liquid": "Dear",
  "data-views/Trips.yaml": "resource: fleet.trips\n",
  "dashboards/Trips.yaml": "{}\n",
};
/** Changes each kind of record, and drops the two views and a table. */
const after: Files = {
  ...parts,
  "settings.yaml": "data.default_limit: 7\n",
  "types/fleet/state.yaml": "values: [NEW, LATE, OLD]\n",
  "types/fleet/extra.yaml": "values: [A]\n",
  "tables/fleet/makers.yaml": table(
    "  name: { type: text, label: Name }\n",
    "history: true\nexposed: [GET]\n",
  ),
  "tables/fleet/trips.yaml": table(
    "  remark: { type: text }\n  state: { type: fleet.state, default: \"'NEW'::fleet.state\" }\n",
    "exposed: [GET, POST]\nchecks:\n  trips_id_check: { check: id >= 0 }\n",
  ),
  "tables/fleet/stops.yaml": table(
    "  trip_id: { type: bigint }\n",
    "foreignKeys:\n  stops_trip: { columns: [trip_id], references: { schema: fleet, table: trips, columns: [id] } }\n",
  ),
  "views/fleet/kept.yaml": "exposed: [GET]\n",
  "views/fleet/kept.sql": "select id, name from fleet.makers\n",
  "views/fleet/more.yaml": "",
  "views/fleet/more.sql": "select id from fleet.kept\n",
  "roles/Clerks.yaml": "apiAccess: true\ngrants:\n  fleet.makers: { READ: {} }\n",
  "roles/Later.yaml": "renamedFrom: Former\napiAccess: true\n",
  "roles/New.yaml": "grants:\n  fleet.stops: { READ: {} }\n",
  "templates/letter.en.yaml": "kind: DOCUMENT\ntitle: Note\nformat: TEXT\n",
  "templates/letter.en.liquid": "Hello",
  "workflows/fresh.yaml": workflow("Fresh"),
  "data-views/Makers.yaml": "resource: fleet.makers\n",
  "dashboards/Makers.yaml": "icon: gauge\n",
};

/** Plans, and runs work while the transaction of the plan is open, after its last step. */
async function planAnd<Result>(files: Files, work: (plan: Database) => Promise<Result>) {
  let result: Result | undefined;
  const { service } = test;
  const watched: Database = {
    ...service,
    query: (...given) => service.query(...given),
    get orm() {
      return service.orm;
    },
    stage: (run, options) =>
      service.stage(async (transaction) => {
        try {
          return await run(transaction);
        } finally {
          result = await work({ ...service, query: (...given) => transaction.query(...given) });
        }
      }, options),
  };
  const plan = await planConfiguration(watched, files, {}, own.caller);
  return { plan, result };
}

/** The locks of a session on relations that others see. */
const locksSql = `select n.nspname || '.' || c.relname as relation, l.mode
  from pg_catalog.pg_locks l join pg_catalog.pg_class c on c.oid = l.relation
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.oid = any ($1::oid[])
    and l.mode not in ('AccessShareLock', 'RowShareLock') and n.nspname !~ '^pg_(temp|toast)'`;

describe("the transaction of a plan", () => {
  it("locks no table, view or type that others use", async () => {
    await own.set(before);
    const found = await test.database.query<{ oid: string }>(
      "select oid::text as oid from pg_catalog.pg_class",
    );
    const oids = `{${found.map(({ oid }) => oid).join(",")}}`;
    const { plan, result = [] } = await planAnd(after, (session) =>
      session.query<{ relation: string; mode: string }>(locksSql, [oids]),
    );
    expect(new Set(plan.steps.map(({ kind }) => kind))).toEqual(
      new Set([
        ...["type.create", "type.update", "table.create", "table.alter", "table.drop"],
        ...["view.create", "view.replace", "view.drop", "resource.update", "role.create"],
        ...["role.update", "role.delete", "grants.set", "template.update", "workflow.create"],
        ...["workflow.publish", "data-view.create", "data-view.delete", "dashboard.create"],
        ...["dashboard.delete", "settings.update"],
      ]),
    );
    expect(
      plan.steps.filter(({ locks }) => locks.length > 0).map(({ subject }) => subject),
    ).toEqual(["fleet.trips", "fleet.stops", "fleet.gone", "fleet.makers"]);
    // Rows are written, which excludes neither reads nor writes. Settings are changed one after the other; they are last.
    expect(
      result.filter(
        ({ relation, mode }) =>
          relation !== "system.settings" &&
          (mode !== "RowExclusiveLock" || !/^(system|pg_catalog)\./.test(relation)),
      ),
    ).toEqual([]);
  });

  it("does not keep a reader of a view that the files lack waiting", async () => {
    await own.set(before);
    const { "views/fleet/few.yaml": _a, "views/fleet/few.sql": _b, ...files } = before;
    const { plan, result } = await planAnd(files, () =>
      test.database.transaction(async (reader) => {
        await reader.query("set local lock_timeout = '1s'");
        return reader.query("select count(*)::int as count from fleet.few");
      }),
    );
    expect([stepsOf(plan), result]).toEqual([["view.drop fleet.few"], [{ count: 0 }]]);
  });

  it("ends while a change of others waits for it, and is made again", async () => {
    await own.set(before);
    // The first attempt stops at its last step, with the renamed role locked.
    await test.database.query(`create sequence attempts;
      create function wait() returns trigger language plpgsql security definer set search_path = public as
        $$begin if nextval('attempts') = 1 then perform pg_sleep(60); end if; return new; end$$;
      create trigger wait before insert on system.data_views for each row execute function wait();
      alter table system.data_views enable always trigger wait`);
    const planning = own.plan(after);
    planning.catch(() => {});
    const attempts = () =>
      test.database
        .query<{ last: number }>("select last_value::int as last from attempts where is_called")
        .then(([row]) => row?.last ?? 0);
    await Promise.race([planning, expect.poll(attempts, { timeout: 20_000 }).toBe(1)]);
    await test.database.transaction(async (others) => {
      await others.query("set local lock_timeout = '10s'");
      await others.query("update system.roles set name = 'Former' where name = 'Former'");
    });
    expect(stepsOf(await planning)).toContain("role.update Later");
    expect(await attempts()).toBe(2);
  });
});

describe("views that a plan drops", () => {
  const views = (names: Readonly<Record<string, string>>): Files => ({
    ...root("views"),
    ...Object.fromEntries(
      Object.entries(names).flatMap(([name, query]) => [
        [`views/v/${name}.yaml`, ""],
        [`views/v/${name}.sql`, `${query}\n`],
      ]),
    ),
  });

  it("go in the order in which they read each other, with what is lost and a consent", async () => {
    await own.set(
      views({ a: "select 1 as one", b: "select one from v.a", c: "select one from v.b" }),
    );
    const plan = await own.plan(views({}));
    expect(stepsOf(plan)).toEqual(["view.drop v.c", "view.drop v.b", "view.drop v.a"]);
    expect(plan.steps.map(({ sql, needsConsent }) => [sql, needsConsent])[0]).toEqual([
      ['drop view "v"."c"'].flatMap((sql) => [sql]),
      ["drop:v.c"],
    ]);
    await own.apply(plan, ["drop:v.a", "drop:v.b", "drop:v.c"]);
    expect((await own.plan(views({}))).steps).toEqual([]);
  });

  it("are refused while a view that stays reads them, in the plan", async () => {
    await own.set(views({ a: "select 1 as one", b: "select one from v.a" }));
    expect(await faultsOf(own.plan(views({ b: "select one from v.a" })))).toEqual([
      "CONFLICT views/v/a.yaml:-:- view v.b depends on this view",
    ]);
  });

  it("leave their names to a table of the same plan", async () => {
    await own.set(views({ a: "select 1 as one" }));
    const files = { ...root("tables", "views"), "tables/v/a.yaml": table("") };
    const plan = await own.plan(files);
    expect(plan.steps.map(({ kind, notes }) => [kind, notes.length])).toContainEqual([
      "table.create",
      1,
    ]);
    await own.apply(plan, ["drop:v.a"]);
    expect((await own.plan(files)).steps).toEqual([]);
  });
});

it("views are created after those that they read, whatever their texts mention", async () => {
  const files = {
    ...root("views"),
    "views/v/a.yaml": "",
    "views/v/a.sql": "select one, 'v.b' as note from v.z\n",
    "views/v/b.yaml": "",
    "views/v/b.sql": "select one from v.a\n",
    "views/v/z.yaml": "",
    "views/v/z.sql": "select 1 as one, 'v.a and v.b' as note\n",
  };
  expect(stepsOf(await own.set(files))).toEqual([
    "schema.create v",
    "view.create v.z",
    "view.create v.a",
    "view.create v.b",
  ]);
});
