// Tiers: usual, topologies.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const ids: Record<string, string> = {};
beforeAll(async () => {
  api = await openTestEnvironment();
  const statements = [
    "create schema fleet",
    "create table fleet.vans (id int primary key, plate text)",
    "create table fleet.keyless (id int)",
    "create view fleet.seen as select * from fleet.vans",
  ];
  for (const sql of statements) await query(sql);
  for (const resource of (await api.ask("GET", "/resources")).body.data) {
    ids[resource.name] = resource.id;
  }
});
afterAll(() => api.test.drop());
beforeEach(async () => {
  await patch("vans", true);
  await query("delete from fleet.vans");
  await query("delete from system.row_history");
});

const query = (sql: string) => api.test.database.query<Record<string, string | null>>(sql);
const patch = (name: string, history: boolean) =>
  api.ask("PATCH", `/resources/${ids[name]}`, { history });
const triggers = () =>
  query(
    "select tgname from pg_trigger where tgrelid = 'fleet.vans'::regclass and not tgisinternal",
  );

describe("the row history of a resource", () => {
  it("installs triggers, removes them, and keeps the entries", async () => {
    expect((await api.ask("GET", `/resources/${ids.vans}`)).body.data.history).toBe(true);
    expect(await triggers()).toHaveLength(4);
    await query("insert into fleet.vans values (1, 'A')");
    const off = await patch("vans", false);
    expect(off.body.data.history).toBe(false);
    expect(await triggers()).toEqual([]);
    await query("update fleet.vans set plate = 'B'");
    expect(await query("select operation from system.row_history")).toEqual([
      { operation: "INSERT" },
    ]);
  });

  it("switches on and off for several resources at once, and names the switch in the audit log", async () => {
    const answer = await api.ask("PATCH", "/resources", [{ id: ids.vans, history: false }]);
    expect(answer.body.data).toMatchObject([{ name: "vans", history: false }]);
    expect(await triggers()).toEqual([]);
    const { body } = await api.ask("GET", "/audit-log?limit=1");
    expect(body.data[0]).toMatchObject({ action: "resource.update", changedFields: ["history"] });
  });

  it("is refused for a view, a table of the service and a table without a key", async () => {
    for (const name of ["seen", "users", "keyless"]) {
      const answer = await patch(name, true);
      expect(answer).toMatchObject({ status: 400, faults: ["BODY_INVALID /data/history"] });
    }
  });

  it("responds with CONFLICT while another transaction writes the table", async () => {
    await patch("vans", false);
    await api.test.database.transaction(async (transaction) => {
      await transaction.query("insert into fleet.vans values (1, 'A')");
      expect(await patch("vans", true)).toMatchObject({ status: 409 });
    });
    expect((await api.ask("GET", `/resources/${ids.vans}`)).body.data.history).toBe(false);
  });

  it("names the person of a run of the SQL console, whatever the run sets", async () => {
    const forged = JSON.stringify({ user: api.user.id, token: null, request: null });
    const sql = `select set_config('rowhouse.writer', '${forged}', true); insert into fleet.vans values (1, 'A')`;
    const answer = await api.ask("POST", "/sql", { sql, readOnly: false });
    expect(answer.status).toBe(200);
    expect(await query("select user_id from system.row_history")).toEqual([
      { user_id: api.admin.id },
    ]);
  });
});
