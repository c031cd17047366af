// Tiers: usual, topologies.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const run = (sql: string) => api.test.database.query(sql);
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());
beforeEach(async () => {
  await run(`
    drop schema if exists shop cascade; create schema shop;
    create table shop.people (id int primary key, boss int references shop.people);
    insert into shop.people values (1, 1), (2, 1);
    create table shop.orders (id int primary key, person_id int references shop.people)`);
});
const path = "/schema/shop/tables";

describe("DELETE /admin/api/schema/{schema}/tables/{table}", () => {
  it("drops a confirmed table with its resource and grants, and writes an audit entry", async () => {
    const { resourceId } = (await api.ask("GET", `${path}/orders`)).body.data;
    const [role] = await api.test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Drivers'",
    );
    await api.ask("POST", "/grants", { roleId: role?.id, resourceId, action: "READ" });
    for (const query of ["", "?confirm=Orders", "?confirm=shop.orders"]) {
      const refused = await api.ask("DELETE", `${path}/orders${query}`);
      expect([refused.status, refused.faults]).toEqual([400, ["QUERY_INVALID confirm"]]);
    }
    expect((await api.ask("DELETE", `${path}/orders?confirm=orders`)).status).toBe(204);
    expect((await api.ask("GET", `/resources/${resourceId}`)).status).toBe(404);
    expect((await api.ask("GET", `/grants?resourceId=${resourceId}`)).body.data).toEqual([]);
    expect((await api.ask("GET", `/audit-log?targetId=${resourceId}`)).body.data).toMatchObject([
      { action: "table.drop", actorUserId: api.admin.id },
    ]);
    expect((await api.ask("DELETE", `${path}/orders?confirm=orders`)).status).toBe(404);
  });

  it("refuses a table with dependents, names them, and drops them only with cascade", async () => {
    await run("create view shop.names as select id from shop.people");
    const before = await api.traces();
    const refused = await api.ask("DELETE", `${path}/people?confirm=people`);
    expect([refused.status, refused.faults]).toEqual([409, ["CONFLICT cascade"]]);
    expect(refused.body.errors[0].message).toContain(
      "table constraint orders_person_id_fkey on shop.orders, view shop.names",
    );
    expect(await api.traces()).toBe(before);
    const dropped = await api.ask("DELETE", `${path}/people?confirm=people&cascade=true`);
    expect(dropped.status).toBe(204);
    const left = (await api.ask("GET", "/resources?schema=shop")).body.data;
    expect(left.map((resource: { name: string }) => resource.name)).toEqual(["orders"]);
  });

  it("returns 404 for a table that is not a user table, even with a confirmation", async () => {
    for (const [schema, table] of [
      ["system", "users"],
      ["system", "audit_log"],
      ["pg_catalog", "pg_class"],
      ["rowhouse_queue", "queue"],
      ["shop", "nope"],
    ]) {
      const answer = await api.ask("DELETE", `/schema/${schema}/tables/${table}?confirm=${table}`);
      expect([table, answer.status, answer.faults]).toEqual([table, 404, ["NOT_FOUND"]]);
      const preview = await api.ask("POST", `/schema/${schema}/tables/${table}/drop-preview`, {});
      expect([table, preview.status]).toEqual([table, 404]);
    }
  });
});

describe("POST /admin/api/schema/{schema}/tables/{table}/drop-preview", () => {
  it("returns the losses and drops nothing", async () => {
    await run("create materialized view shop.names as select id from shop.people");
    const before = await api.traces();
    const refused = await api.ask("POST", `${path}/people/drop-preview`, {});
    expect([refused.status, refused.faults]).toEqual([409, ["CONFLICT /data/cascade"]]);
    const { body } = await api.ask("POST", `${path}/people/drop-preview`, { cascade: true });
    expect(body.data).toMatchObject({
      sql: [
        'lock table "shop"."people" in access exclusive mode',
        'drop table "shop"."people" cascade',
      ],
      locks: [
        { table: "people", mode: "ACCESS EXCLUSIVE", work: "NONE" },
        { table: "orders", mode: "ACCESS EXCLUSIVE" },
      ],
      losses: [
        { object: "rows", name: "shop.people", note: "values: 2" },
        { object: "relation", name: "people_boss_fkey" },
        { object: "materialized view", name: "shop.names" },
        { object: "table constraint", name: "orders_person_id_fkey on shop.orders" },
      ],
      confirmations: [{ path: "confirm", confirm: "people" }],
    });
    expect(await api.traces()).toBe(before);
  });
});
