// Tier: all. One of the longest files.
import { createSnapshotStore } from "@rowhouse/db";
import type { AppError } from "@rowhouse/errors";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { partNames } from "@rowhouse/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPlan, type Files, planConfiguration, readDrift, readManaged } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root, stepsOf } from "./configuration.ts";

let test: TestDatabase;
let own: Configurator;

beforeEach(async () => {
  test = await createTestDatabase();
  own = await createConfigurator(test);
});
afterEach(() => test.drop());

const makers = `columns:
  id: { type: bigint, identity: ALWAYS }
  name: { type: text, nullable: false, label: Name }
primaryKey: [id]
unique:
  makers_name_key: { columns: [name] }
exposed: [GET, POST]
`;
const trips = `label: Trips
columns:
  id: { type: bigint, identity: ALWAYS }
  maker_id: { type: bigint }
  distance: { type: "numeric(8, 1)", default: "0" }
  note: { type: text }
primaryKey: [id]
checks:
  trips_distance_check: { check: distance >= 0, message: A distance is positive }
foreignKeys:
  trips_maker_id_fkey:
    columns: [maker_id]
    references: { schema: fleet, table: makers, columns: [id] }
    onDelete: CASCADE
exposed: [GET]
`;
const clerks = `apiAccess: true
description: Those who write
grants:
  fleet.trips:
    READ:
      fields: [id, distance]
      filter: { distance: { _gt: 10.50 } }
    CREATE:
      presets: { note: $USER.email }
  fleet.makers:
    READ: {}
`;
const fleet: Files = {
  ...root("types", "tables", "views", "roles"),
  "tables/fleet/makers.yaml": makers,
  "tables/fleet/trips.yaml": trips,
  "roles/Clerks.yaml": clerks,
};
/** The files with some replaced, and those that are undefined left out. */
function changed(files: Readonly<Record<string, string | undefined>>): Files {
  const all = Object.entries({ ...fleet, ...files });
  return Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The mention of a variable. */
const who = ["$", "{WHO}"].join("");

describe("a plan", () => {
  it("says each step and changes nothing", async () => {
    const before = await own.pull();
    const plan = await own.plan(fleet);
    expect(stepsOf(plan)).toEqual([
      "schema.create fleet",
      "table.create fleet.makers",
      "table.create fleet.trips",
      "table.alter fleet.makers",
      "table.alter fleet.trips",
      "table.alter fleet.trips",
      "resource.update fleet.makers",
      "resource.update fleet.makers.name",
      "resource.update fleet.trips",
      "role.create Clerks",
      "grants.set Clerks: READ fleet.makers, READ fleet.trips, CREATE fleet.trips",
    ]);
    expect(await own.pull()).toEqual(before);
  });

  it("has no step after its apply, in the words of a person and in those of PostgreSQL", async () => {
    await own.set(fleet);
    expect((await own.plan(fleet)).steps).toEqual([]);
    const pulled = await own.pull();
    expect((await own.plan(pulled)).steps).toEqual([]);
    expect(pulled["roles/Clerks.yaml"]).toContain("_gt: 10.50".replace("10.50", '"10.50"'));
  });

  it("shows what an alteration locks, loses and fails on, and runs none of it", async () => {
    await own.set(fleet);
    await test.database.query(
      "insert into fleet.trips (distance, note) select n, 'n' from generate_series(1, 5) n",
    );
    const plan = await own.plan(
      changed({
        "tables/fleet/trips.yaml": trips
          .replace("distance >= 0", "distance >= 3")
          .replace("  note: { type: text }\n", "  remark: { type: text }\n"),
        "roles/Clerks.yaml": clerks.replace(
          "    CREATE:\n      presets: { note: $USER.email }\n",
          "",
        ),
      }),
    );
    const alter = plan.steps.find(({ kind }) => kind === "table.alter");
    expect(alter?.sql).toContain('alter table "fleet"."trips" drop column "note"');
    expect(alter?.locks[0]).toMatchObject({ table: "trips", mode: "ACCESS EXCLUSIVE" });
    expect(alter?.losses).toMatchObject([{ object: "column", name: "note", note: "values: 5" }]);
    expect(alter?.failing).toMatchObject([{ code: "CHECK_VIOLATION", rows: 2 }]);
    expect(alter?.needsConsent).toEqual(["drop:fleet.trips.note"]);
  });
});

it("a table with grants cannot be dropped while a document grants it", async () => {
  await own.set(fleet);
  const files = changed({ "tables/fleet/trips.yaml": undefined });
  expect(await faultsOf(own.plan(files))).toEqual([
    "VALUE_INVALID roles/Clerks.yaml:4:3 There is no table or view fleet.trips",
  ]);
});

describe("an apply", () => {
  it("needs the consents of its plan, and has one audit entry", async () => {
    await own.set(fleet);
    const without = changed({
      "tables/fleet/trips.yaml": undefined,
      "roles/Clerks.yaml": clerks.replace(/ {2}fleet.trips:[\s\S]*(?= {2}fleet.makers)/, ""),
    });
    const plan = await own.plan(without);
    expect(stepsOf(plan)).toEqual([
      "grants.set Clerks: READ fleet.trips, CREATE fleet.trips",
      "table.alter fleet.trips",
      "table.drop fleet.trips",
    ]);
    expect(await faultsOf(own.apply(plan))).toEqual([
      "BODY_INVALID -:-:- The plan needs these consents: drop:fleet.trips",
    ]);
    expect((await own.plan(without)).steps).toHaveLength(3);
    const entries = "select count(*)::int as count from system.audit_log";
    const [before] = await test.database.query<{ count: number }>(entries);
    await own.apply(plan, ["drop:fleet.trips"]);
    const [after] = await test.database.query<{ count: number }>(entries);
    expect((after?.count ?? 0) - (before?.count ?? 0)).toBe(1);
    expect((await own.plan(without)).steps).toEqual([]);
  });

  it("applies nothing if a step fails, and says where", async () => {
    const first = await own.plan(fleet);
    await own.apply(first);
    await test.database.query("insert into fleet.trips (distance) values (7)");
    const before = await own.pull();
    const plan = await own.plan(
      changed({
        "tables/fleet/makers.yaml": makers.replace("label: Name", "label: Maker"),
        "tables/fleet/trips.yaml": trips.replace(">= 0", ">= 8"),
      }),
    );
    expect(await faultsOf(own.apply(plan))).toEqual([
      "CHECK_VIOLATION tables/fleet/trips.yaml:9:34 Rows would fail this check",
    ]);
    expect(await own.pull()).toEqual(before);
  });

  it("refuses a plan of another state and another digest, and repeats nothing", async () => {
    const plan = await own.plan(fleet);
    expect(await faultsOf(own.apply({ ...plan, digest: plan.digest.replace(/./, "x") }))).toEqual([
      expect.stringContaining("PLAN_STALE"),
    ]);
    await test.database.query("insert into system.roles (name) values ('Others')");
    expect(await faultsOf(own.apply(plan))).toEqual([expect.stringContaining("PLAN_STALE")]);
    const second = await own.plan(changed({ "roles/Others.yaml": "description: Others\n" }));
    const done = await own.apply(second);
    expect(await own.apply(second)).toEqual({ ...done, isRepeated: true });
    expect(await faultsOf(own.apply({ ...second, planId: "x" }))).toEqual([
      expect.stringContaining("NOT_FOUND"),
    ]);
  });

  it("lets one of two win", async () => {
    const plans = await Promise.all([
      own.plan(fleet),
      own.plan(changed({ "roles/Clerks.yaml": "apiAccess: true\n" })),
    ]);
    const results = await Promise.allSettled(plans.map((plan) => own.apply(plan)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [refused] = results.flatMap((result) =>
      result.status === "rejected" ? [(result.reason as AppError).code] : [],
    );
    expect(refused).toBe("PLAN_STALE");
  });

  it("refuses a token the settings of sessions, by name", async () => {
    const files = {
      ...root("settings"),
      "settings.yaml": "sql_console.allow_api_tokens: true\ndata.default_limit: 7\n",
    };
    const byToken = { ...own.caller, hasSession: false };
    const plan = await planConfiguration(test.database, files, {}, byToken);
    expect(
      plan.steps.map(({ subject, sessionOnly, line }) => [subject, sessionOnly, line]),
    ).toEqual([
      ["data.default_limit", false, 2],
      ["sql_console.allow_api_tokens", true, 1],
    ]);
    const request = { planId: plan.planId, digest: plan.digest, consents: [] };
    expect(await faultsOf(applyPlan(test.database, request, byToken))).toEqual([
      "SESSION_REQUIRED settings.yaml:1:31 Only a session may change sql_console.allow_api_tokens",
    ]);
    await own.apply(plan);
    expect((await own.pull())["settings.yaml"]).toBe(
      "data.default_limit: 7\nsql_console.allow_api_tokens: true\n",
    );
  });
});

describe("drift", () => {
  it("is nothing after an apply, and what SQL has changed since", async () => {
    const snapshots = createSnapshotStore(test.database);
    expect(await readDrift(test.database, snapshots)).toEqual({
      ...{ lastApply: null, parts: [], files: [] },
    });
    expect(await readManaged(test.database)).toEqual([]);
    const plan = await own.plan(fleet);
    const source = { commit: "4f2a", url: "https://git.example/4f2a" };
    await applyPlan(test.database, { ...plan, consents: [], source }, own.caller);
    const { lastApply, files } = await readDrift(test.database, snapshots);
    expect(lastApply).toMatchObject({ source, appliedBy: { email: "admin@example.com" } });
    expect(files).toEqual([]);
    await test.database.query("alter table fleet.trips add column beside int");
    await test.database.query("delete from system.grants where action = 'CREATE'");
    await test.database.query("create table fleet.extra (id int primary key)");
    const drift = await readDrift(test.database, snapshots);
    expect(
      drift.files.map(({ path, before, after }) => [path, before === null, after === null]),
    ).toEqual([
      ["roles/Clerks.yaml", false, false],
      ["tables/fleet/extra.yaml", true, false],
      ["tables/fleet/trips.yaml", false, false],
    ]);
  });
});

describe("an apply of some parts", () => {
  it("leaves the others compared with their last apply", async () => {
    const snapshots = createSnapshotStore(test.database);
    await own.set(fleet);
    const before = await readManaged(test.database);
    expect(before).toContainEqual({
      ...{ part: "tables", names: ["fleet", "trips"], path: "tables/fleet/trips.yaml" },
    });
    expect(before.map(({ path }) => path)).toEqual(
      Object.keys(await own.pull()).filter((path) =>
        /^(?:tables|roles)\/(?!Admin|public)/.test(path),
      ),
    );
    await test.database.query("alter table fleet.trips add column beside int");
    await own.set({ ...root("roles"), "roles/Clerks.yaml": "apiAccess: true\n" });
    const { lastApply, parts, files } = await readDrift(test.database, snapshots);
    expect([lastApply?.steps, parts]).toEqual([
      expect.any(Number),
      ["types", "tables", "views", "roles"],
    ]);
    expect(files.map(({ path }) => path)).toEqual(["tables/fleet/trips.yaml"]);
    const empty = await own.plan(await own.pull(), { parts: ["tables"] });
    expect(empty.steps).toEqual([]);
    await own.apply(empty);
    expect((await readDrift(test.database, snapshots)).files).toEqual([]);
    await own.apply(await own.plan(await own.pull()));
    const kept = await test.database.query<{ kept: boolean }>(
      "select files::text <> '{}' as kept from system.configuration_applies order by applied_at",
    );
    expect(kept.map((row) => row.kept)).toEqual([false, false, false, true]);
  });
});

describe("files that cannot be applied", () => {
  const refusals: readonly (readonly [string, Files, readonly string[]])[] = [
    ["no root file", { "roles/A.yaml": "" }, ["rowhouse.yaml:-:- This file is missing"]],
    [
      "another version",
      { "rowhouse.yaml": "parts: [roles]\nversion: 2\n" },
      ["rowhouse.yaml:2:10 This service reads documents of version 1; these have the version 2"],
    ],
    [
      "an unknown part",
      root("roles", "people"),
      [`rowhouse.yaml:2:16 There is no part people; the parts are ${partNames.join(", ")}`],
    ],
    [
      "a file of no part, and a name that is not how it is written",
      changed({ "notes.md": "x", "tables/fleet/a%2fb.yaml": makers }),
      [
        "notes.md:-:- No part of a configuration has this file; a document's path is like tables/fleet/trips.yaml",
        "tables/fleet/a%2fb.yaml:-:- No part of a configuration has this file; a document's path is like tables/fleet/trips.yaml",
      ],
    ],
    [
      "unknown keys, in several files",
      changed({
        "roles/Clerks.yaml": `colour: red\n${clerks}`,
        "tables/fleet/makers.yaml": makers.replace("label: Name", "lable: Name"),
      }),
      [
        "roles/Clerks.yaml:1:1 Unknown key colour",
        "tables/fleet/makers.yaml:3:40 Unknown key lable",
      ],
    ],
    [
      "a repeated key, a tab, an alias and a tag",
      changed({
        "roles/A.yaml": "apiAccess: true\napiAccess: false\n",
        "roles/B.yaml": "grants:\n\tfleet.trips: {}\n",
        "roles/C.yaml": "description: &a x\n",
        "roles/D.yaml": "description: !!binary x\n",
      }),
      [
        "roles/A.yaml:2:1 The key apiAccess stands twice",
        "roles/B.yaml:2:1 Tabs are not allowed as indentation",
        "roles/C.yaml:1:17 Anchors and aliases are not used here",
        "roles/D.yaml:1:23 Tags are not used here",
      ],
    ],
    [
      "a grant on a column and on a table that do not exist",
      changed({
        "roles/Clerks.yaml": clerks
          .replace("[id, distance]", "[id, wheels]")
          .replace("  fleet.makers:", "  fleet.planes:"),
      }),
      [
        "roles/Clerks.yaml:6:20 fleet.trips has no column wheels",
        "roles/Clerks.yaml:10:3 There is no table or view fleet.planes",
      ],
    ],
    [
      "a type that does not exist, and an expression that is not allowed",
      changed({
        "tables/fleet/makers.yaml": makers.replace("type: text,", "type: txet,"),
        "tables/fleet/trips.yaml": trips.replace('default: "0"', 'default: "pg_sleep(1)"'),
      }),
      [
        "tables/fleet/makers.yaml:3:17 This type does not exist",
        "tables/fleet/trips.yaml:5:47 The function pg_sleep is not allowed here",
      ],
    ],
    [
      "a variable without a value",
      { ...root("roles"), "roles/A.yaml": `description: ${who}\n` },
      ["roles/A.yaml:1:14 The variable WHO has no value"],
    ],
    [
      "a file that is too long",
      { ...root("roles"), "roles/A.yaml": `description: ${"x".repeat(300_000)}\n` },
      ["roles/A.yaml:-:- A file has at most 300000 characters"],
    ],
    [
      "nesting without end",
      { ...root("roles"), "roles/A.yaml": `grants: ${"[".repeat(100_000)}${"]".repeat(100_000)}` },
      ["roles/A.yaml:1:1 It is nested too deeply"],
    ],
  ];
  it.each(refusals)("%s", async (_name, files, expected) => {
    const before = await own.pull();
    const faults = await faultsOf(own.plan(files));
    expect(faults).toHaveLength(expected.length);
    for (const [index, text] of expected.entries()) expect(faults[index]).toContain(text);
    expect(await own.pull()).toEqual(before);
  });

  it("are reported with the faults of every part and every table at once", async () => {
    await own.set(changed({ "types/fleet/state.yaml": "values: [NEW, OLD]\n" }));
    const generated =
      "columns:\n  id: { type: bigint }\n  twice: { type: bigint, generated: id * 2 }\n";
    const files = changed({
      "types/fleet/state.yaml": "values: [OLD]\n",
      "types/pg_catalog/state.yaml": "values: [OLD]\n",
      "tables/fleet/second.yaml": `renamedFrom: fleet.makers\n${generated}`,
      "roles/Clerks.yaml": clerks.replace("  fleet.makers:", "  fleet.planes:"),
    });
    const found = await faultsOf(own.plan(files));
    expect(found.map((fault) => fault.replace(/^VALUE_INVALID /, ""))).toEqual([
      "roles/Clerks.yaml:10:3 There is no table or view fleet.planes",
      "types/fleet/state.yaml:1:9 PostgreSQL can only add values to a type; it has NEW, OLD",
      "types/pg_catalog/state.yaml:1:1 This schema is not for types of users",
    ]);
  });

  it("are reported with twenty faults at most", async () => {
    const roles = Array.from({ length: 30 }, (_, n) => [`roles/R${n}.yaml`, "colour: red\n"]);
    const files = { ...root("roles"), ...Object.fromEntries(roles) };
    expect(await faultsOf(own.plan(files))).toHaveLength(20);
  });
});

describe("variables", () => {
  it("stand for whole texts, from the environment or from the caller", async () => {
    const files = {
      ...root("roles"),
      "environments/staging.yaml": "WHO: Testers\nOTHER: x\n",
      "roles/A.yaml": `description: ${who}\n`,
      "roles/B.yaml": `description: $${who}\n`,
      "roles/C.yaml": `description: by ${who}\n`,
    };
    await own.apply(await own.plan(files, { environment: "staging" }));
    const described = async () => {
      const pulled = await own.pull();
      return ["A", "B", "C"].map((name) => pulled[`roles/${name}.yaml`]?.split("\n")[0]);
    };
    const others = [`description: $${who}`, `description: by ${who}`];
    expect(await described()).toEqual(["description: Testers", ...others]);
    const options = { environment: "staging", variables: { WHO: "Others" } };
    await own.apply(await own.plan(files, options));
    expect(await described()).toEqual(["description: Others", ...others]);
  });
});

describe("renames", () => {
  it("keep rows, grants and looks of tables, columns and roles", async () => {
    await own.set(fleet);
    await test.database.query("insert into fleet.makers (name) values ('A')");
    await test.database.query("insert into fleet.trips (maker_id, note) values (1, 'first')");
    const renamed: Files = {
      ...root("types", "tables", "views", "roles"),
      "tables/fleet/builders.yaml": `renamedFrom: fleet.makers\n${makers.replace("  name: { type", "  title: { renamedFrom: name, type").replace("[name]", "[title]")}`,
      "tables/fleet/trips.yaml": trips
        .replace("table: makers", "table: builders")
        .replace("  note: {", "  remark: { renamedFrom: note,"),
      "roles/Writers.yaml": `renamedFrom: Clerks\n${clerks.replace("fleet.makers", "fleet.builders").replace("note:", "remark:")}`,
    };
    const plan = await own.set(renamed);
    expect(plan.steps.flatMap(({ needsConsent }) => needsConsent)).toEqual([]);
    expect(plan.steps.flatMap(({ sql }) => sql).filter((sql) => /drop/i.test(sql))).toEqual([]);
    const [row] = await test.database.query(
      "select t.remark, b.title from fleet.trips t join fleet.builders b on b.id = t.maker_id",
    );
    expect(row).toEqual({ remark: "first", title: "A" });
    expect((await own.plan(renamed)).steps).toEqual([]);
    const pulled = await own.pull();
    expect(pulled["tables/fleet/builders.yaml"]).toContain("label: Name");
    expect(pulled["roles/Writers.yaml"]).toContain("remark: $USER.email");
  });

  it("have no effect where both names exist and have documents, and say so", async () => {
    await own.set(fleet);
    const both = changed({
      "tables/fleet/trips.yaml": trips.replace(
        "distance: { type",
        "distance: { renamedFrom: note, type",
      ),
      "tables/fleet/makers.yaml": `renamedFrom: fleet.trips\n${makers}`,
    });
    const { steps, notes } = await own.plan(both);
    expect(steps).toEqual([]);
    expect(notes).toEqual([
      {
        document: "tables/fleet/makers.yaml",
        subject: "fleet.makers",
        message: "fleet.trips and this table both exist, so renamedFrom has no effect; remove it",
      },
      {
        document: "tables/fleet/trips.yaml",
        subject: "fleet.trips",
        message: "note and distance both exist, so renamedFrom has no effect; remove it",
      },
    ]);
  });
});

describe("reserved schemas", () => {
  it("get neither tables nor types nor views", async () => {
    const files = {
      ...root("types", "tables", "views"),
      "types/system/state.yaml": "values: [A]\n",
      "tables/system/users.yaml": "columns:\n  id: { type: integer }\n",
      "views/pg_catalog/mine.yaml": "",
      "views/pg_catalog/mine.sql": "select 1 as one",
    };
    for (const path of [
      "types/system/state.yaml",
      "tables/system/users.yaml",
      "views/pg_catalog/mine.yaml",
    ]) {
      const kept = Object.entries(files).filter(
        ([name]) => name === "rowhouse.yaml" || name.startsWith(path.replace(/\.yaml$/, "")),
      );
      const [fault] = await faultsOf(own.plan(Object.fromEntries(kept)));
      expect(fault).toContain(`${path}:`);
    }
  });
});

describe("tables that are managed elsewhere", () => {
  it("are exposed and shown, and neither changed nor dropped", async () => {
    await test.database.query("create table public.bought (id int primary key, name text)");
    const files = {
      ...root("tables", "roles"),
      "tables/public/bought.yaml":
        "managed: elsewhere\nexposed: [GET]\ncolumns:\n  name: { label: Name }\n",
      "roles/Clerks.yaml": "grants:\n  public.bought: { READ: { fields: [id] } }\n",
    };
    const plan = await own.set(files);
    expect(stepsOf(plan)).toEqual([
      "resource.update public.bought",
      "resource.update public.bought.name",
      "role.create Clerks",
      "grants.set Clerks: READ public.bought",
    ]);
    expect((await own.plan(files)).steps).toEqual([]);
    const early = {
      ...files,
      "tables/public/bought.yaml": "managed: elsewhere\ncolumns:\n  price: { label: Price }\n",
      "roles/Clerks.yaml": "grants:\n  public.bought: { READ: { fields: [price] } }\n",
    };
    expect(await faultsOf(own.plan(early))).toEqual([
      "VALUE_INVALID roles/Clerks.yaml:2:37 public.bought has no column price",
      "VALUE_INVALID tables/public/bought.yaml:3:3 The table has no column price yet",
    ]);
  });
});
