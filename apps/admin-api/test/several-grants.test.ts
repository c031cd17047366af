// Tiers: usual, topologies.
import { addCrowd } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

interface Entry {
  readonly action: string;
  readonly targetId: string;
  readonly changedFields: string[];
}

const size = { tables: 40, views: 2 };

let api: TestEnvironment;
let roleId = "";
let tables: string[] = [];
let viewId = "";
let resourceId = "";
beforeAll(async () => {
  api = await openTestEnvironment();
  await addCrowd(api.test.database, size);
  await api.test.database.query(
    "create table public.t (id int primary key, owner uuid, title text, n numeric, d date)",
  );
  roleId = (await api.ask("GET", "/roles?search=drivers")).body.data[0].id;
  resourceId = (await api.ask("GET", "/resources?search=public.t")).body.data[0].id;
  const crowd: { id: string; kind: string }[] = (
    await api.ask("GET", "/resources?schema=crowd&limit=1000")
  ).body.data;
  tables = crowd.filter(({ kind }) => kind === "TABLE").map(({ id }) => id);
  viewId = crowd.find(({ kind }) => kind === "VIEW")?.id ?? "";
});
afterAll(() => api.test.drop());

const put = (items: readonly object[]) => api.ask("PUT", "/grants", items);
const item = (terms: object) => ({ roleId, resourceId, action: "READ", ...terms });
const grants = async () => (await api.ask("GET", `/grants?roleId=${roleId}&limit=1000`)).body.data;
/** The last entries of the audit log, in their order. */
const lastEntries = async (count: number): Promise<Entry[]> =>
  (await api.ask("GET", `/audit-log?limit=${count}`)).body.data.toReversed();
const epoch = async () => {
  const [row] = await api.test.database.query<{ value: string; catalogue: string }>(
    "select sum(value)::text as value, sum(catalogue)::text as catalogue from system.epoch",
  );
  return { value: Number(row?.value), catalogue: Number(row?.catalogue) };
};

describe("PUT /admin/api/grants", () => {
  it("creates all of them in one transaction, in the order of the body, with one audit entry each", async () => {
    const wanted = tables.toReversed().map((id) => item({ resourceId: id, fields: ["id"] }));
    const before = await epoch();
    const answer = await put(wanted);
    expect([answer.status, answer.faults]).toEqual([200, []]);
    const made: { id: string; resourceId: string }[] = answer.body.data;
    expect(made.map((one) => one.resourceId)).toEqual(tables.toReversed());
    expect(made[0]).toMatchObject({ roleId, action: "READ", fields: ["id"], effective: true });
    const after = await epoch();
    // Each statement raises it once, whatever the number of grants; the rises become visible together.
    expect(after.value - before.value).toBeLessThanOrEqual(4);
    expect(after.catalogue).toBe(before.catalogue);
    const entries = await lastEntries(made.length);
    expect(entries.map(({ action, targetId }) => [action, targetId])).toEqual(
      made.map(({ id }) => ["grant.create", id]),
    );
    expect(entries[0]?.changedFields.toSorted()).toEqual([
      "action",
      "fields",
      "resourceId",
      "roleId",
    ]);
  });

  it("replaces the terms of a present grant under its id, revokes another, and is effective for the next request", async () => {
    const [first, second] = tables;
    const [kept] = (await grants()).filter(
      (one: { resourceId: string }) => one.resourceId === first,
    );
    const answer = await put([
      item({ resourceId: first, rowFilter: { id: { _gt: 3 } } }),
      item({ resourceId: second, revoked: true }),
      item({ resourceId: second, action: "UPDATE", presets: {} }),
      // A role that has no such grant loses none.
      item({ resourceId: second, action: "DELETE", revoked: true }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject([
      { id: kept.id, fields: null, rowFilter: { id: { _gt: 3 } } },
      { resourceId: second, action: "UPDATE" },
    ]);
    const present: { resourceId: string; action: string }[] = await grants();
    expect(present.filter((one) => one.resourceId === second).map(({ action }) => action)).toEqual([
      "UPDATE",
    ]);
    const columns = await api.test.database.query<{ usage: string }>(
      `select usage from system.grant_columns where grant_id = '${kept.id}'`,
    );
    expect(columns).toEqual([{ usage: "FILTER" }]);
    const entries = await lastEntries(3);
    expect(entries.map(({ action }) => action)).toEqual([
      "grant.delete",
      "grant.update",
      "grant.create",
    ]);
  });

  it("changes nothing if an item has a fault, and names every fault by its item, as the route of one grant does", async () => {
    const before = await api.traces();
    const answer = await put([
      item({ resourceId: tables[0], action: "DELETE" }),
      item({ roleId: nobody, resourceId: nobody }),
      item({ resourceId: viewId, action: "UPDATE" }),
      item({ fields: ["id", "nope"], rowFilter: { gone: { _eq: 1 } } }),
      item({ action: "CREATE", presets: { d: "2026-02-28" }, check: { owner: { _eq: "x" } } }),
      item({ rowFilter: { title: { _regex: "(" } } }),
      item({ resourceId: resourceId.toUpperCase(), action: "DELETE", revoked: true, fields: null }),
      item({ action: "UPDATE", rowFilter: { owner: { _eq: "$USER.password_hash" } } }),
    ]);
    expect(answer.status).toBe(400);
    expect(answer.faults).toEqual([
      "VALUE_INVALID /data/1/roleId",
      "VALUE_INVALID /data/1/resourceId",
      "BODY_INVALID /data/2/action",
      "FIELD_UNKNOWN /data/3/fields/1",
      "FIELD_UNKNOWN /data/3/rowFilter/gone",
      "VALUE_INVALID /data/4/check/owner/_eq",
      "VALUE_INVALID /data/5/action",
      "VALUE_INVALID /data/6/fields",
      "BODY_INVALID /data/7/rowFilter/owner/_eq",
    ]);
    // Only PostgreSQL can check these.
    const values = [
      item({ rowFilter: { title: { _regex: "(" } } }),
      item({ action: "CREATE", presets: { d: "2026-02-31" } }),
    ];
    expect((await put(values)).faults).toEqual([
      "VALUE_INVALID /data/0/rowFilter/title/_regex",
      "VALUE_INVALID /data/1/presets/d",
    ]);
    expect(await api.traces()).toBe(before);
  });

  it("preserves the digits of numbers and texts that look like SQL or JSON", async () => {
    const title = `'); drop table system.grants; -- {"a": "\\u00e9"} $1 ${"\u202e"}`;
    const body = JSON.stringify({ data: [item({ action: "CREATE", presets: { title, n: 0 } })] });
    const answer = await api.send(
      "PUT",
      "/grants",
      body.replace('"n":0', '"n":123456789012345678901234567890.50'),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data[0].presets).toEqual({
      title,
      n: "123456789012345678901234567890.50",
    });
  });

  it("refuses hostile lists: none, too many, unknown fields, other types, and a list of many faults", async () => {
    const before = await api.traces();
    expect((await put([])).faults).toEqual(["BODY_INVALID /data"]);
    expect((await put(Array.from({ length: 1001 }, () => item({})))).faults).toEqual([
      "BODY_INVALID /data",
    ]);
    expect((await put([item({ id: nobody }), item({ action: "ALL" })])).faults).toEqual([
      "BODY_INVALID /data/0/id",
      "BODY_INVALID /data/1/action",
    ]);
    expect((await put([item({ rowFilter: "x", revoked: "yes" })])).status).toBe(400);
    const nested = JSON.parse(`${'{"_not":'.repeat(200)}{}${"}".repeat(200)}`);
    expect((await put([item({ rowFilter: nested })])).status).toBe(400);
    const many = await put(tables.map((id) => item({ resourceId: id, fields: ["nope", "gone"] })));
    expect([many.status, many.faults.length]).toEqual([400, 20]);
    expect(await api.traces()).toBe(before);
  });

  it("sets the same grants from two callers at once without a deadlock", async () => {
    const wanted = tables.map((id) => item({ resourceId: id, action: "UPDATE", fields: ["id"] }));
    const answers = await Promise.all(
      [wanted, wanted.toReversed(), wanted, wanted.toReversed()].map(put),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const updates = (await grants()).filter((one: { action: string }) => one.action === "UPDATE");
    expect(updates.map((one: { fields: string[] }) => one.fields)).toEqual(
      tables.map(() => ["id"]),
    );
  });
});
