import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(`
    create table public.drivers (id int primary key, name text, secret text, boss int references public.drivers (id));
    create table public.vehicles (id int primary key, plate text, driver_id int references public.drivers (id),
      spare_driver_id int references public.drivers (id));
    create table public.trips (id int primary key, vehicle_id int references public.vehicles (id), distance int, open boolean);
    create table public.legs (a int, b int, primary key (a, b));
    create table public.notes (id int primary key, leg_a int, leg_b int, foreign key (leg_a, leg_b) references public.legs (a, b));
    insert into public.drivers values (1, 'Ann', 's1', null), (2, 'Bob', 's2', 1), (3, 'Cy', 's3', 1);
    insert into public.vehicles values (1, 'A', 1, 2), (2, 'B', 2, null), (3, 'C', null, null), (4, 'D', 3, 1);
    insert into public.trips values (1, 1, 10, true), (2, 1, 20, true), (3, 1, 30, false), (4, 2, 5, true), (5, 4, 50, false);
    insert into public.legs values (1, 2); insert into public.notes values (1, 1, 2), (2, null, 2)`);
  for (const name of ["drivers", "vehicles", "trips", "legs", "notes"]) {
    await expose(test.database, "public", name, "GET");
  }
  const allow = (name: string, input: object = {}) =>
    grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ", ...input });
  await allow("drivers", { fields: ["id", "name", "boss"], rowFilter: { id: { _neq: 3 } } });
  await allow("vehicles");
  await allow("trips", { rowFilter: { open: { _eq: true } } });
  await allow("legs");
  await allow("notes");
});
afterAll(() => test.drop());

const data = async (name: string, query: string): Promise<unknown> => {
  const answer = await client.list(user, `public/${name}`, query);
  return answer.status === 200 ? (answer.body as { data: unknown }).data : answer.body;
};
const ids = async (name: string, query: string): Promise<unknown> => {
  const rows = await data(name, `${query}&fields=id`);
  return Array.isArray(rows) ? rows.map((row: { id: number }) => row.id).join() : rows;
};

describe("related rows in fields", () => {
  it("a foreign key returns the related row; a missing or hidden one is null", async () => {
    expect(await data("vehicles", "fields=plate,driver.name")).toEqual([
      { plate: "A", driver: { name: "Ann" } },
      { plate: "B", driver: { name: "Bob" } },
      { plate: "C", driver: null },
      { plate: "D", driver: null },
    ]);
  });

  it("the other direction returns a list, under the target's own row filter", async () => {
    expect(await data("vehicles", "fields=id,trips.distance&limit=2")).toEqual([
      { id: 1, trips: [{ distance: 10 }, { distance: 20 }] },
      { id: 2, trips: [{ distance: 5 }] },
    ]);
    expect(await data("vehicles", "fields=id,trips&where[id][_eq]=4")).toEqual([
      { id: 4, trips: [] },
    ]);
  });

  it("deep selects the related rows", async () => {
    const query = "fields=id,trips.id&limit=1&deep[trips][order_by]=-distance&deep[trips][limit]=1";
    expect(await data("vehicles", query)).toEqual([{ id: 1, trips: [{ id: 2 }] }]);
    expect(
      await data(
        "vehicles",
        "fields=trips.id&where[id][_eq]=1&deep[trips][where][distance][_lt]=15",
      ),
    ).toEqual([{ trips: [{ id: 1 }] }]);
    expect(await data("vehicles", "fields=id&deep[trips][limit]=1")).toMatchObject({
      errors: [{ code: "QUERY_INVALID", path: "deep[trips]" }],
    });
    expect(await data("vehicles", "fields=trips.id&deep[trips][nope]=1")).toMatchObject({
      errors: [{ code: "QUERY_INVALID", path: "deep[trips][nope]" }],
    });
  });

  it("without a limit, data.max_related_rows applies and meta.more names the relation", async () => {
    const add = "insert into public.notes select n, 1, 2 from generate_series(1001, 2100) n";
    await test.database.query(add);
    try {
      for (const query of ["fields=notes.id", "fields=notes.id&deep[notes][order_by]=-id"]) {
        const { body } = await client.list(user, "public/legs", query);
        const { data: legs, meta } = body as { data: { notes: object[] }[]; meta: object };
        expect(legs[0]?.notes).toHaveLength(1000);
        expect(meta).toEqual({ more: ["notes"] });
      }
    } finally {
      await test.database.query("delete from public.notes where id > 1000");
    }
  });

  it("paths cross several relations, up to the limit", async () => {
    expect(await data("trips", "fields=id,vehicle.driver.name&where[id][_eq]=4")).toEqual([
      { id: 4, vehicle: { driver: { name: "Bob" } } },
    ]);
    expect(
      await data("trips", "fields=vehicle.trips.vehicle.driver.name&where[id][_eq]=4"),
    ).toMatchObject({ errors: [{ code: "QUERY_INVALID" }] });
  });

  it("a self-reference is a relation in both directions", async () => {
    expect(await data("drivers", "fields=name,boss.name&where[id][_eq]=2")).toEqual([
      { name: "Bob", boss: { name: "Ann" } },
    ]);
    expect(await data("drivers", "fields=name,drivers.name&where[id][_eq]=1")).toEqual([
      { name: "Ann", drivers: [{ name: "Bob" }] },
    ]);
  });

  it("several foreign keys to one table have separate names, and an ambiguous name lists its choices", async () => {
    expect(
      await data(
        "drivers",
        "fields=vehicles_by_driver.plate,vehicles_by_spare_driver.plate&where[id][_eq]=1",
      ),
    ).toEqual([
      { vehicles_by_driver: [{ plate: "A" }], vehicles_by_spare_driver: [{ plate: "D" }] },
    ]);
    expect(await data("drivers", "fields=vehicles.plate")).toMatchObject({
      errors: [
        {
          code: "QUERY_INVALID",
          message:
            "vehicles is ambiguous; choose one of vehicles_by_driver, vehicles_by_spare_driver",
        },
      ],
    });
  });

  it("a key of several columns is a relation", async () => {
    expect(await data("notes", "fields=id,legs.a")).toEqual([
      { id: 1, legs: { a: 1 } },
      { id: 2, legs: null },
    ]);
  });

  it.each(["driver.secret", "driver.nope", "driver.*.x", "nobody.name", "driver..name"])(
    "an unknown and a hidden %s give the same response",
    async (path) => {
      expect(await data("vehicles", `fields=${path}`)).toEqual({
        errors: [
          {
            ...{ code: "FIELD_UNKNOWN", path: "fields", message: `Unknown field ${path}` },
            details: { field: path },
          },
        ],
      });
    },
  );

  it("a relation is unknown if its target is not exposed or not granted", async () => {
    await expose(test.database, "public", "drivers");
    expect(await data("vehicles", "fields=driver.name")).toMatchObject({
      errors: [{ code: "FIELD_UNKNOWN" }],
    });
    await expose(test.database, "public", "drivers", "GET");
    expect(await data("vehicles", "fields=driver.name&limit=1")).toEqual([
      { driver: { name: "Ann" } },
    ]);
  });
});

describe("related rows in filters and order", () => {
  it.each([
    ["where[driver.name][_eq]=Ann", "1"],
    ["where[driver][name][_eq]=Ann", "1"],
    ['where={"driver":{"name":{"_in":["Ann","Bob"]}}}', "1,2"],
    // "Not Ann's" excludes a vehicle without a driver as well as one with a hidden driver.
    ["where[_not][driver.name][_eq]=Ann", "2"],
    ["where[driver.name][_neq]=Ann", "2"],
    ["where[driver.name][_null]=true", ""],
    ["where[trips][_some][distance][_gt]=15", "1"],
    ["where[trips.distance][_gt]=15", "1"],
    ["where[trips][_none][distance][_gt]=15", "2,3,4"],
    ["where[trips][_every][distance][_gt]=5", "1,3,4"],
    ["where[trips][_some][vehicle.driver.name][_eq]=Bob", "2"],
    ["order_by=-driver.name:nulls_last,-id", "2,1,4,3"],
  ])("%s", async (query, expected) => {
    expect(await ids("vehicles", query.replace(/[{}"[\]]/g, encodeURIComponent))).toBe(expected);
  });

  it.each([
    "where[driver.secret][_eq]=s1",
    "where[trips][_some][nope][_eq]=1",
    "order_by=driver.secret",
  ])("%s is rejected like an unknown field", async (query) => {
    expect(await data("vehicles", query)).toMatchObject({ errors: [{ code: "FIELD_UNKNOWN" }] });
  });

  it("an order by a to-many relation is rejected", async () => {
    expect(await data("vehicles", "order_by=trips.distance")).toMatchObject({
      errors: [{ code: "QUERY_INVALID", path: "order_by" }],
    });
  });

  it("a changed grant on the related table applies to the next request", async () => {
    await client.list(user, "public/vehicles", "fields=driver.name");
    await test.database.query(
      "delete from system.grants where resource_id = (select id from system.resources where relation_name = 'drivers')",
    );
    expect(await data("vehicles", "fields=driver.name")).toMatchObject({
      errors: [{ code: "FIELD_UNKNOWN" }],
    });
  });
});
