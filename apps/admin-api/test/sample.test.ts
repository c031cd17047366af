import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const state = async () => (await api.ask("GET", "/sample")).body.data.state;
const run = (text: string) => api.test.database.query(text);

describe("the sample", () => {
  it("is loaded with its tables exposed, once, and removed with its rows", async () => {
    expect(await state()).toBe("NONE");
    expect((await api.ask("DELETE", "/sample")).status).toBe(404);
    const loaded = await api.ask("POST", "/sample");
    expect([loaded.status, loaded.body.data]).toEqual([201, { state: "LOADED" }]);
    const tables = (await api.ask("GET", "/resources?schema=fleet")).body.data;
    expect(tables.map((one: { name: string }) => one.name)).toEqual([
      ...["drivers", "maintenance", "monthly_distance", "trips", "vehicle_overview", "vehicles"],
    ]);
    expect(
      tables.every((one: { exposedMethods: string[] }) => one.exposedMethods.includes("GET")),
    ).toBe(true);
    expect((await api.ask("POST", "/sample")).status).toBe(409);
    expect((await api.ask("DELETE", "/sample")).status).toBe(204);
    expect(await state()).toBe("NONE");
    expect((await api.ask("GET", "/resources?schema=fleet")).body.data).toEqual([]);
    const log = await api.ask("GET", "/audit-log?targetId=fleet");
    expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual([
      ...["schema.drop", "schema.create"],
    ]);
  });

  it("stays while it contains a table of the user, or a table of the user refers to it", async () => {
    await api.ask("POST", "/sample");
    await run("create table fleet.mine (id int primary key)");
    await run("create schema own");
    await run("create table own.visits (vehicle_id bigint references fleet.vehicles (id))");
    await run("create view own.plates as select plate from fleet.vehicles");
    await run("create table own.states (state fleet.vehicle_status)");
    await run("create function fleet.helper() returns int language sql return 1");
    const refused = await api.ask("DELETE", "/sample");
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].message).toBe(
      "Drop or change first what is not of the sample: function fleet.helper(), table fleet.mine, table column own.states.state, table constraint visits_vehicle_id_fkey on own.visits, view own.plates",
    );
    expect(await run("select count(*)::int from fleet.vehicles")).toEqual([{ count: 120 }]);
    await run(
      "drop table fleet.mine, own.visits, own.states; drop view own.plates; drop function fleet.helper()",
    );
  });

  const others: readonly [string, string, string][] = [
    ["a table that inherits", "create table own.t () inherits (fleet.trips)", "table own.t"],
    ["a domain over its type", "create domain own.d as fleet.vehicle_status", "type own.d"],
    ["a domain in its schema", "create domain fleet.d as int", "type fleet.d"],
    ["a range", "create type fleet.r as range (subtype = int)", "type fleet.r"],
    ["a composite type", "create type own.c as (s fleet.vehicle_status)", "own.c"],
    [
      "a function that takes its rows",
      "create function own.f(fleet.trips) returns int language sql return 1",
      "function own.f(fleet.trips)",
    ],
    [
      "a function that reads its rows",
      "create function own.g() returns bigint language sql begin atomic select count(*) from fleet.trips; end",
      "function own.g()",
    ],
    [
      "an aggregate",
      "create aggregate fleet.a (int) (sfunc = int4pl, stype = int)",
      "aggregate fleet.a",
    ],
    [
      "a default",
      "create table own.t (id bigint default nextval(pg_get_serial_sequence('fleet.trips', 'id')::regclass)); alter table own.t alter id set default nextval('fleet.trips_id_seq')",
      "default value for own.t.id",
    ],
    ["a sequence", "create sequence fleet.s", "sequence fleet.s"],
    [
      "a text search configuration",
      "create text search configuration fleet.c (copy = english)",
      "text search configuration fleet.c",
    ],
    ["a collation", 'create collation fleet.k from "C"', "collation fleet.k"],
    [
      "an operator",
      "create operator fleet.### (leftarg = int, rightarg = int, function = int4pl)",
      "operator fleet.###",
    ],
    [
      "a materialized view",
      "create materialized view own.m as select id from fleet.trips",
      "materialized view own.m",
    ],
    [
      "a view of its view",
      "create view own.w as select * from fleet.vehicle_overview",
      "view own.w",
    ],
    [
      "a policy",
      "create table own.t (id bigint);; create policy p on own.t using (id in (select id from fleet.trips))",
      "policy p on own.t",
    ],
    [
      "a rule",
      "create table own.t (id bigint);; create rule r as on insert to own.t do also delete from fleet.trips where false",
      "rule r on own.t",
    ],
  ];

  it.each(others)("stays while %s depends on it, which stays as well", async (_name, sql, name) => {
    await run("drop schema if exists own cascade; create schema own");
    for (const statement of sql.split(";; ")) await run(statement);
    const refused = await api.ask("DELETE", "/sample");
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].message).toContain(name);
    expect(await state()).toBe("LOADED");
    await run("drop schema own cascade");
    for (const [kind, left] of Object.entries({
      type: "d",
      sequence: "s",
      aggregate: "a (int)",
      collation: "k",
      operator: "### (int, int)",
      "text search configuration": "c",
    }))
      await run(`drop ${kind} if exists fleet.${left}`);
    await run("drop type if exists fleet.r");
  });

  it("is removed once nothing depends on it", async () => {
    expect((await api.ask("DELETE", "/sample")).status).toBe(204);
  });

  it("never takes the place of a schema of this name, nor removes it", async () => {
    await run("create schema fleet");
    expect(await state()).toBe("NAME_TAKEN");
    expect((await api.ask("POST", "/sample")).status).toBe(409);
    expect((await api.ask("DELETE", "/sample")).status).toBe(404);
  });
});
