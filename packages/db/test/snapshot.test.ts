import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSnapshotStore, isCurrent, openDatabase, proofOf, proofQuery } from "../src/index.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const run = (text: string) => test.database.query(text);

describe("the registry and the epoch", () => {
  it("find a table that another client created, hidden, without a restart", async () => {
    const store = createSnapshotStore(test.database);
    const before = await store.current();
    await run(
      `create table public."odd. ""name" (id bigint generated always as identity primary key, "a.b" text not null default 'x', mood text check (mood <> 'sad'))`,
    );
    expect(await isCurrent(test.database, before)).toBe(false);
    const after = await store.fresh();
    const relation = after.catalogue.relationByName("public", 'odd. "name');
    expect(relation?.resource).toMatchObject({ kind: "TABLE", exposedMethods: [] });
    expect(relation?.primaryKey).toEqual(["id"]);
    expect(relation?.columnByName("id")).toMatchObject({
      identity: "ALWAYS",
      type: { name: "bigint", base: "bigint" },
    });
    expect(relation?.columnByName("a.b")).toMatchObject({ nullable: false, hasDefault: true });
  });

  it("keep the record of a renamed table and of a replaced view, and delete that of a dropped relation", async () => {
    const store = createSnapshotStore(test.database);
    await run("create table public.first (id int primary key)");
    await run("create view public.seen as select id from public.first");
    const before = (await store.fresh()).catalogue;
    const table = before.relationByName("public", "first")?.resource.id;
    const view = before.relationByName("public", "seen")?.resource.id;
    await run("alter table public.first rename to second");
    await run("create or replace view public.seen as select id from public.second where id > 0");
    const renamed = (await store.fresh()).catalogue;
    expect(renamed.relationByName("public", "second")?.resource.id).toBe(table);
    expect(renamed.relationByName("public", "seen")?.resource.id).toBe(view);
    await run("drop view public.seen");
    await run("create view public.seen as select id from public.second");
    const recreated = (await store.fresh()).catalogue;
    expect(recreated.relationByName("public", "seen")?.resource.id).not.toBe(view);
  });

  it("keep the epoch for temporary tables and refreshed materialized views", async () => {
    const store = createSnapshotStore(test.database);
    await run("create materialized view public.stored as select 1 as one");
    const before = await store.fresh();
    await test.database.transaction(async (transaction) => {
      await transaction.query("create temporary table scratch (id int) on commit drop");
    });
    await run("refresh materialized view public.stored");
    expect(await isCurrent(test.database, before)).toBe(true);
  });

  it("exclude a view that shows a secret column from the resources", async () => {
    const store = createSnapshotStore(test.database);
    await run("create view public.leak as select email, password_hash from system.users");
    await run("create view public.whole as select row_to_json(u) as u from system.users u");
    await run("create view public.over as select u from public.whole");
    await run("create view public.fine as select email from system.users");
    const { catalogue } = await store.fresh();
    expect(catalogue.relationByName("public", "leak")).toBeUndefined();
    expect(catalogue.relationByName("public", "whole")).toBeUndefined();
    expect(catalogue.relationByName("public", "over")).toBeUndefined();
    expect(catalogue.relationByName("public", "fine")).toBeDefined();
    const users = catalogue.relationByName("system", "users");
    expect(users?.columnByName("password_hash")).toBeUndefined();
    expect(users?.columnByName("email")).toBeDefined();
  });

  it("bind records again by schema and name after a restore", async () => {
    const store = createSnapshotStore(test.database);
    await run("create table public.kept (gone int, id int primary key)");
    await run("alter table public.kept drop column gone");
    const before = (await store.fresh()).catalogue.relationByName("public", "kept");
    await run(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select id, '${before?.resource.id}', 'READ', false from system.roles limit 1`,
    );
    // The effect of a restore on OIDs and attribute numbers, as the registry sees it.
    await run("update system.installation set self_oid = 1");
    await run("update system.resources set relation_oid = relation_oid::bigint + 1000000");
    await run(
      `insert into system.grant_columns (grant_id, usage, attribute_number, mention, column_name) select id, 'FIELD', 9, 'id', 'id' from system.grants`,
    );
    await run("select system.sync_registry()");
    const after = await store.fresh();
    expect(after.catalogue.relationByName("public", "kept")?.resource.id).toBe(before?.resource.id);
    expect(after.grants[0]?.columns).toMatchObject([
      { usage: "FIELD", attributeNumber: 2, mention: "id", pathResourceId: null },
    ]);
  });
});

describe("without event triggers", () => {
  it("the statement proves relations by fingerprints", async () => {
    const own = await createTestDatabase();
    await own.database.query("drop event trigger rowhouse_after_ddl");
    await own.database.query("drop event trigger rowhouse_after_drop");
    await own.database.query("create table public.t (id int primary key, v text)");
    const store = createSnapshotStore(own.database);
    const snapshot = await store.fresh();
    expect(snapshot.guard).toBe("FINGERPRINTS");
    const relation = snapshot.catalogue.relationByName("public", "t");
    if (relation === undefined) throw new Error("t is not registered");
    const proof = async () =>
      (await own.database.query<{ proof: string }>(proofQuery(snapshot, [relation.oid])))[0]?.proof;
    expect(await proof()).toBe(proofOf(snapshot, [relation.oid]));
    await own.database.query("alter table public.t drop column v");
    await own.database.query("alter table public.t add column v text");
    expect(await proof()).not.toBe(proofOf(snapshot, [relation.oid]));
    await own.database.query("create table public.another (id int)");
    expect(await isCurrent(own.database, snapshot)).toBe(false);
    expect((await store.fresh()).catalogue.relationByName("public", "another")).toBeDefined();
    await own.drop();
  });
});

describe("the pool", () => {
  it("a response has one output form regardless of the server's settings", async () => {
    await run(
      `alter database "${new URL(test.url).pathname.slice(1)}" set timezone = 'Asia/Tokyo'`,
    );
    const second = openDatabase({ url: test.url, applicationName: "test" });
    const [row] = await second.query<{ at: string }>(
      "select to_json(timestamptz '2026-01-02 03:04:05.678901+00')::text as at",
    );
    expect(row?.at).toBe('"2026-01-02T03:04:05.678901+00:00"');
    await second.close();
  });
});
