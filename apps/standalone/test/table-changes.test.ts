// Tiers: all, topologies. One of the slowest.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Changes of a table by the Admin API, as callers of the Data API see them on their next request, in this process and in
// another one.

let environment: TestEnvironment;
let other: TestEnvironment;
let resourceId: string;
const run = (sql: string) => environment.test.database.query(sql);
const admin = (method: string, path: string, data?: unknown) =>
  environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
const asMember = (from: TestEnvironment, method: string, path: string, data?: unknown) =>
  from.ask(method, `/api${path}`, {
    as: environment.member.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
const alter = (path: string, ...changes: object[]) =>
  admin("PATCH", `/schema/${path}`, { changes });

describe.each(["with event triggers", "without event triggers"])("%s", (kind) => {
  beforeAll(async () => {
    environment = await openTestEnvironment();
    if (kind === "without event triggers") {
      await run("drop event trigger rowhouse_after_ddl; drop event trigger rowhouse_after_drop");
    }
    other = await environment.again();
  });
  afterAll(async () => {
    await other.stop();
    await environment.stop();
  });
  beforeEach(async () => {
    await run("drop schema if exists shop cascade; create schema shop");
    const created = await admin("POST", "/schema/shop/tables", {
      name: "people",
      columns: [
        { name: "id", dataType: "integer", primaryKey: true },
        { name: "name", dataType: "text", check: "length(name) > 1", checkMessage: "Too short" },
        { name: "secret", dataType: "text" },
      ],
    });
    resourceId = created.body.data.resourceId;
    await run("insert into shop.people values (1, 'Ann', 's1'), (2, 'Bob', 's2')");
    await admin("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] });
    const [role] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Members'",
    );
    for (const action of ["READ", "CREATE"]) {
      const grant = {
        roleId: role?.id,
        resourceId,
        action,
        fields: ["id", "name", "secret"],
        ...(action === "READ" && { rowFilter: { name: { _neq: "Bob" } } }),
      };
      expect((await admin("POST", "/grants", grant)).status).toBe(201);
    }
  });

  const list = async (from: TestEnvironment, path: string) =>
    (await asMember(from, "GET", path)).body?.data;

  it("a renamed and moved table keeps exposure and grants, and so do its renamed columns", async () => {
    expect(await list(other, "/shop/table/people")).toEqual([{ id: 1, name: "Ann", secret: "s1" }]);
    await admin("POST", "/schema", { name: "elsewhere" });
    const altered = await alter(
      "shop/tables/people",
      { kind: "renameColumn", column: "name", name: "called" },
      { kind: "rename", name: "humans" },
      { kind: "move", schema: "elsewhere" },
    );
    expect(altered.body.data.resourceId).toBe(resourceId);
    for (const from of [other, environment]) {
      expect(await list(from, "/elsewhere/table/humans")).toEqual([
        { id: 1, called: "Ann", secret: "s1" },
      ]);
      expect((await asMember(from, "GET", "/shop/table/people")).status).toBe(404);
      const check = await asMember(from, "POST", "/elsewhere/table/humans", { id: 3, called: "x" });
      expect(check.body.errors).toMatchObject([{ code: "CHECK_VIOLATION", message: "Too short" }]);
    }
    await run("drop schema elsewhere cascade");
  });

  it("a column that was dropped and added again has no grants", async () => {
    expect(await list(other, "/shop/table/people")).toHaveLength(1);
    await alter(
      "shop/tables/people",
      { kind: "dropColumn", column: "secret", confirm: "secret" },
      { kind: "addColumn", name: "secret", dataType: "text", default: "'new'" },
    );
    for (const from of [other, environment]) {
      expect(await list(from, "/shop/table/people")).toEqual([{ id: 1, name: "Ann" }]);
      const asked = await asMember(from, "GET", "/shop/table/people?fields=secret");
      expect(asked.faults).toEqual(["FIELD_UNKNOWN fields"]);
    }
    // A grant whose filter has lost its column allows nothing; otherwise it would allow more than intended.
    await alter(
      "shop/tables/people",
      { kind: "dropColumn", column: "name", confirm: "name" },
      { kind: "addColumn", name: "name", dataType: "text", default: "'Ann'" },
    );
    for (const from of [other, environment]) {
      expect((await asMember(from, "GET", "/shop/table/people")).body.data ?? []).toEqual([]);
    }
  });

  it("a preview of a dropped column names the grants that lose it", async () => {
    const preview = await admin("POST", "/schema/shop/tables/people/preview", {
      changes: [{ kind: "dropColumn", column: "name" }],
    });
    expect(preview.body.data.losses).toMatchObject([
      { object: "column", name: "name", note: "values: 2" },
      { object: "grant", name: "Members: CREATE", note: "loses the field" },
      { object: "grant", name: "Members: READ", note: "loses the field" },
      { object: "grant", name: "Members: READ", note: expect.stringMatching(/row filter/) },
      { object: "check", name: "people_name_check" },
    ]);
  });

  it("a table that was dropped and created again is hidden and has no grants", async () => {
    expect(await list(other, "/shop/table/people")).toHaveLength(1);
    const definition = (await admin("GET", "/schema/shop/tables/people")).body.data.definition;
    const dropped = await admin("DELETE", "/schema/shop/tables/people?confirm=people");
    expect(dropped.status).toBe(204);
    expect((await asMember(other, "GET", "/shop/table/people")).status).toBe(404);
    const again = await admin("POST", "/schema/shop/tables", definition);
    expect(again.body.data.resourceId).not.toBe(resourceId);
    for (const from of [other, environment]) {
      expect((await asMember(from, "GET", "/shop/table/people")).status).toBe(404);
    }
  });

  it("a changed check, its message, a type and a default apply from the next request on", async () => {
    const post = (from: TestEnvironment, id: number, name?: string) =>
      asMember(from, "POST", "/shop/table/people", { id, ...(name === undefined ? {} : { name }) });
    expect((await post(other, 3, "Cleo")).status).toBe(201);
    await alter(
      "shop/tables/people",
      { kind: "changeCheck", constraint: "people_name_check", checkMessage: "Longer, please" },
      { kind: "changeColumn", column: "id", dataType: "bigint" },
      { kind: "changeColumn", column: "name", default: "'Nemo'", nullable: false },
    );
    for (const [from, id] of [
      [other, 4],
      [environment, 5],
    ] as const) {
      expect((await post(from, 6, "x")).body.errors).toMatchObject([{ message: "Longer, please" }]);
      expect((await post(from, id)).body.data).toMatchObject({ id: String(id), name: "Nemo" });
    }
  });
});
