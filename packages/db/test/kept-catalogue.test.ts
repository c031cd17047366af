import { createRole, createTestDatabase, expose, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSnapshotStore, type Database, type SnapshotStore } from "../src/index.ts";

let test: TestDatabase;
let store: SnapshotStore;
let loads = 0;
let afterLoad: () => Promise<unknown> = async () => {};
beforeAll(async () => {
  test = await createTestDatabase();
  store = createSnapshotStore(countLoads(test.database));
  await run("create table public.orders (id int primary key, total numeric)");
  await run("create view public.totals as select id, total * 2 as twice from public.orders");
  await run("create type public.mood as enum ('sad', 'glad')");
  await store.fresh();
});
beforeEach(() => {
  loads = 0;
  afterLoad = async () => {};
});
afterAll(() => test.drop());

const run = (text: string) => test.database.query(text);

/** The same database with a counter of catalogue reads. */
function countLoads(database: Database): Database {
  return {
    ...database,
    transaction: async (work, options) => {
      const before = loads;
      const result = await database.transaction(
        (transaction) =>
          work({
            ...transaction,
            query: (text, ...rest) => {
              if (text.includes("pg_attribute")) loads += 1;
              return transaction.query(text, ...rest);
            },
          }),
        options,
      );
      if (loads > before) await afterLoad();
      return result;
    },
  };
}

/** Returns the store's catalogue and a freshly read one, as JSON. */
async function compareWithFresh(): Promise<void> {
  const kept = (await store.fresh()).catalogue;
  const read = (await createSnapshotStore(test.database).current()).catalogue;
  const view = read.relationByName("public", "totals");
  const twice = view?.columnByName("twice");
  if (view === undefined || twice === undefined) throw new Error("The view has changed");
  expect(kept.isComputed(view, twice)).toBe(read.isComputed(view, twice));
  expect(JSON.stringify(kept.relations)).toBe(JSON.stringify(read.relations));
  const edges = (catalogue: typeof kept) =>
    catalogue.relations.map((relation) => [...catalogue.edgesOf(relation).byName.entries()]);
  expect(JSON.stringify(edges(kept))).toBe(JSON.stringify(edges(read)));
}

it("a fresh snapshot takes two loads at most, however often the catalogue changes", async () => {
  let changes = 0;
  afterLoad = async () => {
    changes += 1;
    await run(`comment on table public.orders is 'change ${changes}'`);
  };
  await afterLoad();
  await store.fresh();
  expect(loads).toBe(2);
  afterLoad = async () => {};
  await store.fresh();
});

describe("the catalogue in a snapshot", () => {
  it("is reused after changes of exposure, labels, roles, grants and settings", async () => {
    const before = await store.fresh();
    await expose(test.database, "public", "orders", "GET", "PATCH");
    const exposed = (await store.fresh()).catalogue.relationByName("public", "orders");
    expect(exposed?.resource.exposedMethods).toEqual(["GET", "PATCH"]);
    await run(
      "update system.resources set label = 'Orders', description = 'All' where relation_name = 'orders'",
    );
    const labeled = await store.fresh();
    expect(
      labeled.catalogue.relationByResource(exposed?.resource.id ?? "")?.resource,
    ).toMatchObject({ label: "Orders", description: "All", exposedMethods: ["GET", "PATCH"] });
    await createRole(test.database, "Clerks");
    await run(`insert into system.grants (role_id, resource_id, action, all_fields)
      select role.id, resource.id, 'READ', true from system.roles role, system.resources resource
      where role.name = 'Clerks' and resource.relation_name = 'orders'`);
    await run("insert into system.settings (key, value) values ('data.max_limit', '7')");
    const after = await store.fresh();
    expect(after.grants).toHaveLength(1);
    expect(after.catalogue).toBe(labeled.catalogue);
    expect(before.catalogue.relationByName("public", "orders")?.resource.exposedMethods).toEqual(
      [],
    );
    expect(loads).toBe(0);
    await compareWithFresh();
  });

  it.each([
    ["a new table", "create table public.lines (id int, order_id int references public.orders)"],
    ["a new column", "alter table public.lines add column note text"],
    ["a comment", "comment on column public.lines.note is 'Free text'"],
    ["a new label of an enum", "alter type public.mood add value 'calm'"],
    ["a renamed table", "alter table public.lines rename to order_lines"],
    [
      "a replaced view",
      "create or replace view public.totals as select id, 2 * total as twice from public.orders",
    ],
    ["a dropped table", "drop table public.order_lines"],
  ])("is read again once after %s", async (_change, text) => {
    await run(text);
    await store.fresh();
    await expose(test.database, "public", "orders", "GET");
    await store.fresh();
    expect(loads).toBe(1);
    await compareWithFresh();
  });

  it("is reused with other edges after an administrator has named a relation", async () => {
    await run(
      "create table public.parts (id int primary key, order_id int references public.orders)",
    );
    const edges = async () => {
      const { catalogue } = await store.fresh();
      const parts = catalogue.relationByName("public", "parts");
      return parts && [...catalogue.edgesOf(parts).byName.keys()];
    };
    expect(await edges()).toEqual(["order"]);
    loads = 0;
    await run(`insert into system.resource_columns (resource_id, attribute_number, column_name, relation_name)
      select id, 2, 'order_id', 'purchase' from system.resources where relation_name = 'parts'`);
    expect(await edges()).toEqual(["purchase"]);
    expect(loads).toBe(0);
    await compareWithFresh();
    await run("drop table public.parts");
  });

  it("is read again when a record is bound to another relation", async () => {
    await run("create table public.twin (id int primary key)");
    await store.fresh();
    loads = 0;
    await run("delete from system.resources where relation_name = 'twin'");
    expect((await store.fresh()).catalogue.relationByName("public", "twin")).toBeUndefined();
    expect(loads).toBe(1);
  });

  it("is read with the queries of views once the first grant hides rows of a view", async () => {
    await run(`insert into system.grants (role_id, resource_id, action, all_fields, row_filter)
      select role.id, resource.id, 'READ', true, '{}' from system.roles role, system.resources resource
      where role.name = 'Clerks' and resource.relation_name = 'totals'`);
    await store.fresh();
    expect(loads).toBe(1);
    await compareWithFresh();
    await run("delete from system.grants where row_filter is not null");
    await store.fresh();
    expect(loads).toBe(1);
  });

  it("is read at each load if no event trigger counts its changes", async () => {
    await run("drop event trigger rowhouse_after_drop");
    await store.fresh();
    loads = 0;
    await createRole(test.database, "Others");
    await run("comment on table public.orders is 'Invisible to fingerprints'");
    const { catalogue } = await store.fresh();
    expect(catalogue.relationByName("public", "orders")?.comment).toBe("Invisible to fingerprints");
    expect(loads).toBe(1);
  });
});
