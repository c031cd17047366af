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
      "Drop or change first what is not of the sample: helper, mine, own.plates, own.states, own.visits",
    );
    expect(await run("select count(*)::int from fleet.vehicles")).toEqual([{ count: 120 }]);
    await run(
      "drop table fleet.mine, own.visits, own.states; drop view own.plates; drop function fleet.helper()",
    );
    expect((await api.ask("DELETE", "/sample")).status).toBe(204);
  });

  it("never takes the place of a schema of this name, nor removes it", async () => {
    await run("create schema fleet");
    expect(await state()).toBe("NAME_TAKEN");
    expect((await api.ask("POST", "/sample")).status).toBe(409);
    expect((await api.ask("DELETE", "/sample")).status).toBe(404);
  });
});
