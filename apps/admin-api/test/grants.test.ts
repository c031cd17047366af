// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let roleId = "";
let resourceId = "";
let viewId = "";
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query(
    `create table public.t (id int primary key, owner uuid, title text, "a.b" text, b bigint, n numeric, g int generated always as (id * 2) stored)`,
  );
  await api.test.database.query("create view public.v as select id, title from public.t");
  roleId = (await api.ask("GET", "/roles?search=drivers")).body.data[0].id;
  resourceId = (await api.ask("GET", "/resources?search=public.t")).body.data[0].id;
  viewId = (await api.ask("GET", "/resources?search=public.v")).body.data[0].id;
});
afterAll(() => api.test.drop());

const create = (terms: object) => api.ask("POST", "/grants", { roleId, resourceId, ...terms });

describe("grants", () => {
  it("can be created, read, changed and deleted, with an audit entry for each change", async () => {
    const created = await create({
      action: "READ",
      fields: ["id", "title", "a.b"],
      rowFilter: { owner: { _eq: "$USER.id" } },
    });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(created.body.data).toEqual({
      id,
      roleId,
      resourceId,
      action: "READ",
      fields: ["id", "title", "a.b"],
      rowFilter: { owner: { _eq: "$USER.id" } },
      check: null,
      presets: {},
      effective: true,
      reason: null,
      lost: [],
    });
    const changed = await api.ask("PATCH", `/grants/${id}`, { fields: null });
    expect(changed.body.data).toEqual({ ...created.body.data, fields: null });
    const cleared = await api.ask("PATCH", `/grants/${id}`, { rowFilter: null, fields: ["id"] });
    expect(cleared.body.data).toEqual({ ...created.body.data, rowFilter: null, fields: ["id"] });
    expect((await api.ask("GET", `/grants/${id}`)).body).toEqual(cleared.body);
    expect((await api.ask("PATCH", `/grants/${id}`, {})).body).toEqual(cleared.body);
    expect((await api.ask("DELETE", `/grants/${id}`)).status).toBe(204);
    expect((await api.ask("GET", `/grants/${id}`)).status).toBe(404);
    expect((await api.ask("PATCH", `/grants/${id}`, { fields: null })).status).toBe(404);
    const log = (await api.ask("GET", `/audit-log?targetId=${id}`)).body.data;
    expect(
      log.map((entry: { action: string; changedFields: string[] }) => entry.changedFields),
    ).toEqual([
      [],
      ["fields", "rowFilter"],
      ["fields"],
      ["fields", "rowFilter", "roleId", "resourceId", "action"],
    ]);
  });

  it("are unique per role, resource and action", async () => {
    expect((await create({ action: "DELETE" })).status).toBe(201);
    const before = await api.traces();
    const again = await create({ action: "DELETE" });
    expect([again.status, again.faults]).toEqual([409, ["CONFLICT /data/action"]]);
    expect(await api.traces()).toBe(before);
  });

  it("can be filtered by role, resource and action", async () => {
    await create({ action: "READ" });
    await api.ask("POST", "/grants", { roleId, resourceId: viewId, action: "READ" });
    const count = async (query: string) =>
      (await api.ask("GET", `/grants?${query}`)).body.data.length;
    expect(await count(`resourceId=${viewId}`)).toBe(1);
    expect(await count(`roleId=${roleId}&action=READ`)).toBe(2);
    expect(await count(`roleId=${nobody}`)).toBe(0);
    expect((await api.ask("GET", "/grants?roleId=x")).faults).toEqual(["QUERY_INVALID roleId"]);
    const first = (await api.ask("GET", "/grants?limit=2")).body;
    const rest = (await api.ask("GET", `/grants?limit=2&cursor=${first.meta.nextCursor}`)).body;
    expect([...first.data, ...rest.data]).toEqual((await api.ask("GET", "/grants")).body.data);
  });

  it("preserve the digits of numbers in filters, checks and presets", async () => {
    const body = `{"data":{"roleId":"${roleId}","resourceId":"${resourceId}","action":"CREATE",
      "check":{"b":{"_in":[9007199254740993, 5]},"n":{"_lt":1.50}},
      "presets":{"n":123456789012345678901234567890.5}}}`;
    const answer = await api.send("POST", "/grants", body);
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      check: { b: { _in: ["9007199254740993", 5] } },
      presets: { n: "123456789012345678901234567890.5" },
    });
  });

  it("are refused with the path of each fault, without a change", async () => {
    const before = await api.traces();
    const faults = async (terms: object) => (await create({ action: "UPDATE", ...terms })).faults;
    expect(await faults({ roleId: nobody, resourceId: nobody })).toEqual([
      "VALUE_INVALID /data/roleId",
      "VALUE_INVALID /data/resourceId",
    ]);
    expect(await faults({ roleId: "x", action: "ALL", more: 1, presets: [] })).toEqual(
      expect.arrayContaining([
        "BODY_INVALID /data/roleId",
        "BODY_INVALID /data/action",
        "BODY_INVALID /data/more",
        "BODY_INVALID /data/presets",
      ]),
    );
    expect(await faults({ fields: ["id", "nope"], rowFilter: { gone: { _eq: 1 } } })).toEqual([
      "FIELD_UNKNOWN /data/fields/1",
      "FIELD_UNKNOWN /data/rowFilter/gone",
    ]);
    expect(await faults({ rowFilter: { id: { _wat: 1 } } })).toEqual([
      "BODY_INVALID /data/rowFilter/id/_wat",
    ]);
    expect(await faults({ rowFilter: { owner: { _eq: "$USER.password_hash" } } })).toEqual([
      "BODY_INVALID /data/rowFilter/owner/_eq",
    ]);
    expect(await faults({ presets: { owner: "not a uuid" } })).toEqual([
      "VALUE_INVALID /data/presets/owner",
    ]);
    expect(
      await faults({ presets: { g: 1, nope: 1 }, check: { "owner.name": { _eq: "x" } } }),
    ).toEqual([
      "FIELD_UNKNOWN /data/check/owner.name",
      "VALUE_INVALID /data/presets/g",
      "FIELD_UNKNOWN /data/presets/nope",
    ]);
    expect(await faults({ check: { id: { _eq: "x" } }, presets: { b: "y" } })).toEqual([
      "VALUE_INVALID /data/check/id/_eq",
      "VALUE_INVALID /data/presets/b",
    ]);
    // Only Postgres can check these.
    const patterns = { title: { _regex: "(" }, "a.b": { _iregex: "[" } };
    expect((await faults({ rowFilter: patterns })).sort()).toEqual([
      "VALUE_INVALID /data/rowFilter/a.b/_iregex",
      "VALUE_INVALID /data/rowFilter/title/_regex",
    ]);
    expect(
      await faults({ action: "DELETE", fields: ["id"], check: {}, presets: { b: 1 } }),
    ).toEqual([
      "BODY_INVALID /data/check",
      "BODY_INVALID /data/presets",
      "BODY_INVALID /data/fields",
    ]);
    expect(await faults({ resourceId: viewId })).toEqual(["BODY_INVALID /data/action"]);
    expect(await faults({ rowFilter: "x" })).toEqual(["BODY_INVALID /data/rowFilter"]);
    expect(await api.traces()).toBe(before);
  });

  it("show a renamed column under its new name, and bind to the same column when written back", async () => {
    const { database } = api.test;
    await database.query("create table public.r (id int primary key, a int, b int)");
    const resource = (await api.ask("GET", "/resources?search=public.r")).body.data[0].id;
    const filter = { _or: [{ a: { _eq: 1 } }, { _not: { b: { _eq: 2 } } }] };
    const created = await api.ask("POST", "/grants", {
      roleId,
      resourceId: resource,
      action: "READ",
      fields: ["a"],
      rowFilter: filter,
    });
    const path = `/grants/${created.body.data.id}`;
    await database.query("alter table public.r rename column a to temp");
    await database.query("alter table public.r rename column b to a");
    await database.query("alter table public.r rename column temp to b");
    const renamed = (await api.ask("GET", path)).body.data;
    expect(renamed).toMatchObject({
      fields: ["b"],
      rowFilter: { _or: [{ b: { _eq: 1 } }, { _not: { a: { _eq: 2 } } }] },
      effective: true,
    });
    const back = await api.ask("PATCH", path, { fields: renamed.fields });
    expect(back.body.data).toEqual(renamed);
    await database.query("alter table public.r drop column a");
    expect((await api.ask("GET", path)).body.data.effective).toBe(false);
    expect((await api.ask("PATCH", path, { fields: ["id"] })).faults).toEqual([
      "FIELD_UNKNOWN /data/rowFilter/_or/1/_not/a",
    ]);
    const mended = await api.ask("PATCH", path, { rowFilter: { b: { _eq: 1 } } });
    expect(mended.body.data.effective).toBe(true);
  });

  it("keep both of two concurrent changes", async () => {
    const created = await api.ask("POST", "/grants", { roleId, resourceId, action: "UPDATE" });
    const path = `/grants/${created.body.data.id}`;
    const answers = await Promise.all([
      api.ask("PATCH", path, { fields: ["title"] }),
      api.ask("PATCH", path, { rowFilter: { id: { _gt: 1 } } }),
      api.ask("PATCH", path, { presets: { title: "x" } }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await api.ask("GET", path)).body.data).toMatchObject({
      fields: ["title"],
      rowFilter: { id: { _gt: 1 } },
      presets: { title: "x" },
    });
  });

  it("are deleted with their role", async () => {
    const role = (await api.ask("POST", "/roles", { name: "Passing" })).body.data.id;
    const grant = await api.ask("POST", "/grants", { roleId: role, resourceId, action: "READ" });
    expect((await api.ask("DELETE", `/roles/${role}`)).status).toBe(204);
    expect((await api.ask("GET", `/grants/${grant.body.data.id}`)).status).toBe(404);
  });
});
