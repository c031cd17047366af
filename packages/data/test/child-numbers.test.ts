import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOfReading } from "../src/reading/faults-of-reading.ts";
import type { Reading } from "../src/reading/reading.ts";
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Counters");
  user = await createUser(test.database, "counter@example.com", "Counters");
  await test.database.query(`
    create table public.drivers (id int primary key, name text, pay numeric);
    create table public.vehicles (id int primary key, plate text, driver_id int references public.drivers (id));
    create table public.trips (id int primary key, vehicle_id int references public.vehicles (id), distance_km numeric,
      started_at timestamptz, "a,b" int, secret int, open boolean, during tsrange);
    create table public.stops (id int primary key, trip_id int references public.trips (id), count int);
    create table public.fines (id int primary key, vehicle_id int references public.vehicles (id), amount int);
    insert into public.drivers values (1, 'Ann', 10), (2, 'Bob', 20);
    insert into public.vehicles values (1, 'A', 1), (2, 'B', 1), (3, 'C', null);
    insert into public.trips values
      (1, 1, 0.10, '2026-01-01T00:00:00Z', 1, 7, true), (2, 1, 12345678901234567890.20, '2026-02-01T00:00:00Z', 1, 7, true),
      (3, 1, 99, '2027-01-01T00:00:00Z', 5, 7, false), (4, 2, null, null, null, 7, true);
    insert into public.stops values (1, 1, 5), (2, 1, 6), (3, 2, 7);
    insert into public.fines values (1, 1, 100)`);
  for (const name of ["drivers", "vehicles", "trips", "stops", "fines"]) {
    await expose(test.database, "public", name, "GET");
  }
  const allow = (name: string, input: object = {}) =>
    grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ", ...input });
  await allow("drivers", { fields: ["id", "name"] });
  await allow("vehicles");
  await allow("trips", {
    fields: ["id", "vehicle_id", "distance_km", "started_at", "a,b", "open", "during"],
    rowFilter: { open: { _eq: true } },
  });
  await allow("stops");
});
afterAll(() => test.drop());

const ask = async (name: string, query: string): Promise<unknown> => {
  const { status, body } = await client.list(user, `public/${name}`, query);
  if (status === 200) return (body as { data: unknown }).data;
  const [fault] = (body as { errors: { code: string; path: string; message: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path}: ${fault?.message}`;
};

const emptyReading: Reading = {
  kind: "LIST",
  fields: null,
  where: null,
  orderBy: [],
  limit: null,
};

describe("numbers of related rows in fields", () => {
  it("count, sum and max of the rows that the caller may see; null of none", async () => {
    const fields = "plate,trips.count,trips.sum(distance_km),trips.max(started_at)";
    expect(await ask("vehicles", `fields=${fields}&order_by=id`)).toEqual([
      {
        plate: "A",
        trips: {
          count: 2,
          sum_distance_km: "12345678901234567890.30",
          max_started_at: "2026-02-01T00:00:00+00:00",
        },
      },
      { plate: "B", trips: { count: 1, sum_distance_km: null, max_started_at: null } },
      { plate: "C", trips: { count: 0, sum_distance_km: null, max_started_at: null } },
    ]);
  });

  it("deep selects the rows that count", async () => {
    const query = "fields=trips.count&order_by=id&limit=1&deep[trips][where][distance_km][_lt]=1";
    expect(await ask("vehicles", query)).toEqual([{ trips: { count: 1 } }]);
    for (const [option, message] of [
      ["[limit]=1", "take only a where"],
      ["[order_by]=id", "take only a where"],
    ]) {
      expect(await ask("vehicles", `fields=trips.count&deep[trips]${option}`)).toContain(message);
    }
  });

  it("on the way over other relations, in lists, and of fields of their to-one relations", async () => {
    expect(
      await ask("vehicles", "fields=id,trips.id,trips.stops.count&limit=1&order_by=id"),
    ).toEqual([
      {
        id: 1,
        trips: [
          { id: 1, stops: [{ count: 5 }, { count: 6 }] },
          { id: 2, stops: [{ count: 7 }] },
        ],
      },
    ]);
    // A column of the name `count` is a field; `count(*)` is the number of rows.
    expect(await ask("trips", "fields=id,stops.count(*)&limit=1&order_by=id")).toEqual([
      { id: 1, stops: { "count_*": 2 } },
    ]);
    expect(await ask("vehicles", "fields=driver.vehicles.count&where[id][_eq]=1")).toEqual([
      { driver: { vehicles: { count: 2 } } },
    ]);
    expect(
      await ask("drivers", "fields=vehicles.min(driver.name),vehicles.avg(id)&where[id][_eq]=1"),
    ).toEqual([{ vehicles: { "min_driver.name": "Ann", avg_id: "1.5000000000000000" } }]);
    expect(await ask("vehicles", 'fields=trips.count_distinct("a,b")&limit=1&order_by=id')).toEqual(
      [{ trips: { "count_distinct_a,b": 1 } }],
    );
  });

  it("one row by its key has them as well", async () => {
    const { body } = await client.read(user, "public/vehicles", "1", "fields=plate,trips.count");
    expect(body).toEqual({ data: { plate: "A", trips: { count: 2 } } });
  });

  it("an export has a column for each", async () => {
    const exporter = createExporter(test.database);
    const fields = "trips.sum(distance_km),plate,driver.vehicles.count,trips.count";
    const query = `fields=${fields}&order_by=id&deep[trips][where][distance_km][_lt]=1`;
    expect(await exporter.csv(user, "public/vehicles", query)).toBe(
      [
        "trips.sum_distance_km,plate,driver.vehicles.count,trips.count",
        "0.10,A,2,1",
        ",B,2,0",
        ",C,,0",
        "",
      ].join("\r\n"),
    );
    expect(await exporter.ndjson(user, "public/vehicles", "fields=trips.count")).toContain(
      '{"trips":{"count":2}}',
    );
  });

  it("an index of the foreign key changes how they are computed, and not what they are", async () => {
    const indexed = async () =>
      (await client.snapshots.current()).catalogue
        .relationByName("public", "trips")
        ?.foreignKeys.map(({ isIndexed }) => isIndexed);
    const queries = [
      "fields=plate,trips.count,trips.sum(distance_km),n:trips.count&order_by=id&deep[n][where][distance_km][_lt]=1",
      "fields=trips.count(distance_km),plate&order_by=-driver.name,plate&limit=20",
      "fields=trips.count&order_by=-trips.count,id",
      "fields=trips.count&where[id][_eq]=1",
      "fields=plate,trips.count&order_by=-id&deep[trips][group_by]=started_at",
      "fields=trips.count,n:trips.sum(distance_km)&deep[trips][group_by]=open&deep[n][group_by]=started_at&deep[n][order_by]=-started_at&deep[n][limit]=1&deep[n][offset]=1",
      "fields=plate,trips.count&order_by=-driver.name,id&deep[trips][group_by]=id&deep[trips][having][count][_gte]=1&deep[trips][where][id][_gt]=1",
    ];
    const answers = () => Promise.all(queries.map((query) => ask("vehicles", query)));
    const before = await answers();
    expect(await indexed()).toEqual([false]);
    // A partial index does not find every row.
    await test.database.query("create index partial on public.trips (vehicle_id) where open");
    await test.database.query("create index late on public.trips (id, vehicle_id)");
    await ask("vehicles", "limit=1");
    expect(await indexed()).toEqual([false]);
    await test.database.query("create index early on public.trips (vehicle_id, id)");
    expect(await answers()).toEqual(before);
    expect(await indexed()).toEqual([true]);
    await test.database.query("drop index public.early, public.late, public.partial");
  });

  it("a stored reading refuses them", async () => {
    const snapshot = await client.snapshots.current();
    const vehicles = snapshot.catalogue.relationByName("public", "vehicles");
    if (vehicles === undefined) throw new Error("no vehicles");
    const reading = { ...emptyReading, fields: ["plate", "trips.count"] };
    expect(faultsOfReading(reading, vehicles, snapshot, "/data")).toMatchObject([
      { code: "BODY_INVALID", path: "/data/fields" },
    ]);
    const sorted = { ...emptyReading, fields: ["plate"], orderBy: ["-trips.count"] };
    expect(faultsOfReading(sorted, vehicles, snapshot, "/data")).toMatchObject([
      { code: "BODY_INVALID", path: "/data/orderBy" },
    ]);
  });

  it("what the caller may not see does not differ from what does not exist", async () => {
    for (const [hidden, missing] of [
      ["fines.count", "nothing.count"],
      ["fines.sum(amount)", "nothing.sum(amount)"],
      ["trips.sum(secret)", "trips.sum(nothing)"],
      ["trips.count(secret)", "trips.count(nothing)"],
      ["trips.max(secret)", "trips.max(nothing)"],
      ["vehicles.sum(driver.pay)", "vehicles.sum(driver.nothing)"],
    ] as const) {
      const table = hidden.startsWith("vehicles") ? "drivers" : "vehicles";
      const said = await ask(table, `fields=id,${hidden}`);
      expect(said).toBe(`400 FIELD_UNKNOWN fields: Unknown field ${hidden}`);
      expect(await ask(table, `fields=id,${missing}`)).toBe(
        `400 FIELD_UNKNOWN fields: Unknown field ${missing}`,
      );
    }
  });

  it.each([
    ["vehicles", "driver.count", "QUERY_INVALID fields: driver is one row"],
    ["vehicles", "driver.sum(id)", "QUERY_INVALID fields: driver is one row"],
    ["vehicles", "trips.sum(started_at)", "QUERY_INVALID fields: sum_started_at does not apply"],
    ["vehicles", "trips.max(open)", "QUERY_INVALID fields: max_open does not apply"],
    ["vehicles", "trips.median(id)", "FIELD_UNKNOWN fields: Unknown field trips.median(id)"],
    ["vehicles", "trips.sum()", "FIELD_UNKNOWN fields: Unknown field trips.sum()"],
    ["vehicles", "sum(id)", "FIELD_UNKNOWN fields: Unknown field sum(id)"],
    ["vehicles", "trips.count,trips.id", "QUERY_INVALID fields: trips has either its rows or"],
    ["vehicles", "trips.count,trips", "QUERY_INVALID fields: trips has either its rows or"],
    ["vehicles", "trips.sum(stops.id)", "QUERY_INVALID fields: stops.id crosses a to-many"],
  ])("%s?fields=%s is refused", async (table, fields, message) => {
    expect(await ask(table, `fields=${fields}`)).toContain(`400 ${message}`);
  });

  it("refuses paths that are too deep", async () => {
    const path = "driver.vehicles.driver.vehicles.driver.vehicles.driver.vehicles.count";
    expect(await ask("vehicles", `fields=${path}`)).toContain("A path crosses at most");
  });
});

describe("a number that does not apply to its field", () => {
  it.each(["1", "9", "x"])("is refused for the row %s, whether it exists or not", async (id) => {
    const { status, body } = await client.read(
      user,
      "public/vehicles",
      id,
      "fields=trips.min(during)",
    );
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ code: "QUERY_INVALID" })] }),
    ]);
  });
});
