// Tier: long. One of the slowest; plan.test.ts is in every run.
import { createSnapshotStore } from "@rowhouse/db";
import { describe, expect, it } from "vitest";
import { type Files, readDrift } from "../src/index.ts";
import { faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

const files = (values: string, more: Files = {}): Files => ({
  ...root("types", "tables", "views", "roles"),
  "types/fleet/state.yaml": `values: [${values}]\n`,
  "tables/fleet/cars.yaml":
    "columns:\n  id: { type: bigint, identity: ALWAYS }\n  state: { type: fleet.state }\nprimaryKey: [id]\nexposed: [GET]\n",
  ...more,
});
/** Everything that can mention a value. */
const using: Files = {
  "tables/fleet/cars.yaml": `columns:
  id: { type: bigint, identity: ALWAYS }
  state: { type: fleet.state, default: "'HELD'" }
primaryKey: [id]
checks:
  cars_state_check: { check: "state <> 'HELD' or id > 0" }
exposed: [GET]
`,
  "views/fleet/held.yaml": "",
  "views/fleet/held.sql": "select id from fleet.cars where state = 'HELD'\n",
  "roles/Clerks.yaml": "grants:\n  fleet.cars: { READ: { filter: { state: { _eq: HELD } } } }\n",
};

describe("a value of an enum that is new", () => {
  it("is added in the one transaction, if nothing else uses it", async () => {
    const own = await openConfigurator();
    await own.set(files("NEW, OLD"));
    const plan = await own.plan(files("NEW, HELD, OLD", { "roles/A.yaml": "apiAccess: true\n" }));
    expect(plan.notInTransaction).toEqual([]);
    expect(stepsOf(plan)).toEqual(["type.update fleet.state", "role.create A"]);
    await own.apply(plan);
    expect((await own.pull())["types/fleet/state.yaml"]).toBe(
      "values:\n  - NEW\n  - HELD\n  - OLD\n",
    );
  });

  it("is committed before the steps that use it, which are one transaction", async () => {
    const own = await openConfigurator();
    await own.set(files("NEW, OLD"));
    await own.database.query("insert into fleet.cars (state) values ('NEW')");
    const wanted = files("NEW, HELD, OLD", using);
    const plan = await own.plan(wanted);
    expect(plan.notInTransaction).toEqual([
      `alter type "fleet"."state" add value 'HELD' before 'OLD'`,
    ]);
    expect(stepsOf(plan)).toEqual([
      "table.alter fleet.cars",
      "view.create fleet.held",
      "role.create Clerks",
      "grants.set Clerks: READ fleet.cars",
    ]);
    await own.apply(plan);
    const again = await own.plan(wanted);
    expect([again.notInTransaction, again.steps]).toEqual([[], []]);
    const { files: drifted } = await readDrift(own.database, createSnapshotStore(own.database));
    expect(drifted).toEqual([]);
    const entries = await own.database.query<{ fields: string }>(
      `select array_to_json(changed_fields)::text as fields from system.audit_log
       where action = 'configuration.apply' order by occurred_at desc limit 2`,
    );
    expect(entries.map(({ fields }) => JSON.parse(fields))).toEqual([
      ["tables/fleet/cars.yaml", "views/fleet/held.yaml", "roles/Clerks.yaml"],
      ["types/fleet/state.yaml"],
    ]);
  });

  it("stays if a step fails, and the same plan can be applied again", async () => {
    const own = await openConfigurator();
    await own.set(files("NEW, OLD"));
    const plan = await own.plan(files("NEW, HELD, OLD", using));
    // A view of somebody else with the name of the new one; no document mentions it before the apply looks.
    await own.database.query("create type fleet.held as (id int)");
    expect(await faultsOf(own.apply(plan))).toHaveLength(1);
    const values = async () => (await own.pull())["types/fleet/state.yaml"];
    expect(await values()).toBe("values:\n  - NEW\n  - HELD\n  - OLD\n");
    expect(await own.pull()).not.toHaveProperty("roles/Clerks.yaml");
    await own.database.query("drop type fleet.held");
    await own.apply(plan);
    expect(await own.pull()).toHaveProperty("roles/Clerks.yaml");
  });

  it("makes a plan stale if somebody else has added another one", async () => {
    const own = await openConfigurator();
    await own.set(files("NEW, OLD"));
    const plan = await own.plan(files("NEW, HELD, OLD", using));
    await own.database.query("alter type fleet.state add value 'LOST'");
    // The documents leave the other value out, which PostgreSQL cannot.
    expect(await faultsOf(own.apply(plan))).toEqual([
      "VALUE_INVALID types/fleet/state.yaml:1:9 PostgreSQL can only add values to a type; it has NEW, OLD, LOST",
    ]);
    expect((await own.pull())["types/fleet/state.yaml"]).not.toContain("HELD");
  });
});

describe("a new type", () => {
  it("is refused at its file if a type of another kind or a table has its name", async () => {
    const own = await openConfigurator();
    await own.database.query(
      "create domain public.mood as text; create table public.place (id int)",
    );
    const { "rowhouse.yaml": _, ...pulled } = await own.pull();
    const types = {
      "types/public/mood.yaml": "values: [A]\n",
      "types/public/place.yaml": "values: [A]\n",
    };
    expect(await faultsOf(own.plan({ ...pulled, ...root("types", "tables"), ...types }))).toEqual([
      "CONFLICT types/public/mood.yaml:1:1 This schema already contains an object with this name",
      "CONFLICT types/public/place.yaml:1:1 This schema already contains an object with this name",
    ]);
  });
});
