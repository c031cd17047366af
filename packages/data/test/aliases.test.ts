import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseQueryBody } from "../src/parse/parse-read.ts";
import { faultsOfReading } from "../src/reading/faults-of-reading.ts";
import type { Reading } from "../src/reading/reading.ts";
import { createClient, grant, limits } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database, { copies: 2 });
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(`
    create table public.drivers (id int primary key, name text, pay numeric);
    create table public.vehicles (id int primary key, plate text, make text, driver_id int references public.drivers (id),
      "a:b" int, "shy:plate" text, "a,b" int);
    create table public.trips (id int primary key, vehicle_id int references public.vehicles (id), distance_km numeric,
      secret int, open boolean default true);
    create table public."long:trips" (id int primary key, vehicle_id int references public.vehicles (id), note text);
    insert into public.drivers values (1, 'Ann', 10), (2, 'Bob', 20);
    insert into public.vehicles values (1, 'A', 'Volvo', 1, 7, 's', 3), (2, 'B', 'Ford', 1, 8, 't', 4), (3, 'C', 'Ford', null, 9, 'u', 5);
    insert into public.trips values (1, 1, 5, 0), (2, 1, 50, 0), (3, 1, 500, 0), (4, 2, 7, 0);
    insert into public.trips values (5, 1, 9, 0, false);
    insert into public."long:trips" values (1, 1, 'plain')`);
  for (const name of ["drivers", "vehicles", "trips", "long:trips"]) {
    await expose(test.database, "public", name, "GET");
  }
  const allow = (name: string, input: object = {}) =>
    grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ", ...input });
  await allow("drivers", { fields: ["id", "name"] });
  await allow("vehicles", { fields: ["id", "plate", "make", "driver_id", "a:b", "a,b"] });
  await allow("trips", {
    fields: ["id", "vehicle_id", "distance_km"],
    rowFilter: { open: { _eq: true } },
  });
});
afterAll(() => test.drop());

const answerOf = async (name: string, query: string) => {
  const { status, body } = await client.list(user, `public/${name}`, query);
  if (status === 200) return body as { data: unknown; meta?: unknown };
  const [fault] = (body as { errors: { code: string; path: string; message: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path}: ${fault?.message}`;
};
const ask = async (name: string, query: string): Promise<unknown> => {
  const answer = await answerOf(name, query);
  return typeof answer === "string" ? answer : answer.data;
};

describe("aliases in fields", () => {
  it("two readings of one relation each have their own filter, order and limit", async () => {
    const fields = "fields=plate,long:trips.distance_km,long:trips.id,short:trips.id,trips.count";
    const deep =
      "deep[long][where][distance_km][_gte]=50&deep[long][order_by]=-distance_km&deep[short][limit]=1&deep[trips][where][distance_km][_lt]=9";
    expect(await ask("vehicles", `${fields}&${deep}&order_by=id&limit=2`)).toEqual([
      {
        plate: "A",
        long: [
          { distance_km: "500", id: 3 },
          { distance_km: "50", id: 2 },
        ],
        short: [{ id: 1 }],
        trips: { count: 1 },
      },
      { plate: "B", long: [], short: [{ id: 4 }], trips: { count: 1 } },
    ]);
  });

  it.each([
    ["number:plate,id", { number: "A", id: 1 }],
    ["id:plate,plate:id", { id: "A", plate: 1 }],
    ["boss:driver.name,driver.id", { boss: { name: "Ann" }, driver: { id: 1 } }],
    ["boss:driver", { boss: { id: 1, name: "Ann" } }],
    ["boss:driver.called:name", { boss: { called: "Ann" } }],
    ["driver.fleet:vehicles.no:id", { driver: { fleet: [{ no: 1 }, { no: 2 }] } }],
    ["boss:driver.fleet:vehicles.count", { boss: { fleet: { count: 2 } } }],
    [
      "n:trips.count,km:trips.sum(distance_km)",
      { n: { count: 3 }, km: { sum_distance_km: "555" } },
    ],
    ["trips.n:count,trips.km:sum(distance_km)", { trips: { n: 3, km: "555" } }],
    ["trips.sum(distance_km*2):twice", { trips: { twice: "1110" } }],
    ["plate:plate,plate", { plate: "A" }],
    ['"x,y":"a,b",z:"a,b"', { "x,y": 3, z: 3 }],
    [
      "x:trips.*",
      { x: [1, 2, 3].map((id) => ({ id, vehicle_id: 1, distance_km: expect.any(String) })) },
    ],
    [`${"ü".repeat(31)}:id`, { ["ü".repeat(31)]: 1 }],
  ])("%s", async (fields, row) => {
    const query = `fields=${encodeURIComponent(fields)}&where[id][_eq]=1`;
    expect(await ask("vehicles", query)).toEqual([row]);
  });

  it("a name that contains a colon takes precedence over an alias, and has one like any other", async () => {
    expect(await ask("vehicles", "fields=a:b,x:a:b&where[id][_eq]=1")).toEqual([
      { "a:b": 7, x: 7 },
    ]);
    expect(await ask("vehicles", 'fields=y:"a:b"&where[id][_eq]=1')).toEqual([{ y: 7 }]);
    // Without a grant on the table "long:trips", the text is an alias.
    expect(await ask("vehicles", "fields=long:trips.id&where[id][_eq]=2")).toEqual([
      { long: [{ id: 4 }] },
    ]);
    const [role] = await test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Readers'",
    );
    await grant(test.database, client.snapshots, role?.id ?? "", "public/long:trips", {
      action: "READ",
    });
    expect(await ask("vehicles", "fields=long:trips.note&where[id][_eq]=1")).toEqual([
      { "long:trips": [{ note: "plain" }] },
    ]);
    await test.database.query(
      "delete from system.grants where resource_id = (select id from system.resources where relation_name = 'long:trips')",
    );
  });

  it("a hidden name does not differ from a missing one", async () => {
    for (const [hidden, missing] of [
      ["x:trips.secret", "x:trips.nothing"],
      ["x:driver.pay", "x:driver.nothing"],
      ["driver.x:pay", "driver.x:nothing"],
      ["x:trips.sum(secret)", "x:trips.sum(nothing)"],
      ["trips.x:sum(secret)", "trips.x:sum(nothing)"],
      ['x:"long:trips".id', 'x:"none:trips".id'],
      ["x:shy:plate", "x:nothing:plate"],
    ] as const) {
      const query = (term: string) => `fields=id,${encodeURIComponent(term)}`;
      for (const term of [hidden, missing]) {
        expect(await ask("vehicles", query(term))).toBe(
          `400 FIELD_UNKNOWN fields: Unknown field ${term}`,
        );
      }
    }
    // A hidden column `shy:plate` does not take precedence: it does not exist.
    expect(await ask("vehicles", "fields=shy:plate&where[id][_eq]=1")).toEqual([{ shy: "A" }]);
  });

  it.each([
    ["plate:make,plate", "plate names two members"],
    ["*,plate:make", "plate names two members"],
    ["x:make,x:plate", "x names two members"],
    ["x:make,x:trips.id", "x names two members"],
    ["x:driver.name,x:trips.id", "x names two members"],
    ["trips:driver.name,trips.id", "trips names two members"],
    ["trips.n:count,trips.n:count(id)", "trips.n names two members"],
    ["trips.sum(id*2):n,trips.sum(id*3):n", "trips.n names two members"],
    ["x:trips.count,x:trips.id", "x has either its rows or their numbers"],
    ["__proto__:plate", "__proto__ cannot be an alias"],
    ["constructor:trips.id", "constructor cannot be an alias"],
    ["driver.prototype:name", "prototype cannot be an alias"],
    ['"x.y":plate', "An alias is a name of 1 to 63 bytes without dots"],
    ['"":plate', "An alias is a name of 1 to 63 bytes without dots"],
    [`${"x".repeat(64)}:plate`, "An alias is a name of 1 to 63 bytes without dots"],
    ["x:*", "* has no alias"],
    ["x:driver.count", "driver is one row"],
    ["x%00:plate", "NUL"],
    [
      Array.from({ length: 21 }, (_, at) => `x${at}:trips.id`).join(),
      "at most 20 relations with an alias",
    ],
    ["x:driver.y:vehicles.z:driver.vehicles.id", "A path crosses at most 3 relations"],
    ["x:driver.y:vehicles.z:trips.max(vehicle.id)", "A path crosses at most 3 relations"],
  ])("%s is refused", async (fields, message) => {
    const term = fields.includes("%00") ? fields : encodeURIComponent(fields);
    const said = await ask("vehicles", `fields=${term}`);
    expect(said).toContain("400 QUERY_INVALID");
    expect(said).toContain(message);
  });

  it("deep and meta.more name the alias, and the name of the relation only where it has none", async () => {
    expect(await ask("vehicles", "fields=x:trips.id&deep[trips][limit]=1")).toBe(
      "400 QUERY_INVALID deep[trips]: deep requires a to-many relation that fields includes",
    );
    const nested =
      "fields=boss:driver.fleet:vehicles.id&deep[boss.fleet][limit]=1&where[id][_eq]=1";
    expect(await ask("vehicles", nested)).toEqual([{ boss: { fleet: [{ id: 1 }] } }]);
    await test.database.query(
      `update system.settings set value = '2' where key = 'data.max_related_rows';
       insert into system.settings (key, value) select 'data.max_related_rows', '2' where not exists
         (select from system.settings where key = 'data.max_related_rows')`,
    );
    expect(
      await answerOf(
        "vehicles",
        "fields=id,x:trips.id,y:trips.id&where[id][_eq]=1&deep[y][limit]=3",
      ),
    ).toEqual({
      data: [{ id: 1, x: [{ id: 1 }, { id: 2 }], y: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
      meta: { more: ["x"] },
    });
    await test.database.query("delete from system.settings where key = 'data.max_related_rows'");
  });

  it("cursors continue, with a column that has the name of another one in the response", async () => {
    const query = "fields=id:plate,plate:make&order_by=-id&limit=1";
    const seen: unknown[] = [];
    for (let cursor = ""; ; ) {
      const answer = await answerOf("vehicles", `${query}${cursor}`);
      if (typeof answer === "string") throw new Error(answer);
      seen.push(...(answer.data as unknown[]));
      const { nextCursor } = (answer.meta ?? {}) as { nextCursor?: string };
      if (nextCursor === undefined) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual([
      { id: "C", plate: "Ford" },
      { id: "B", plate: "Ford" },
      { id: "A", plate: "Volvo" },
    ]);
  });

  it("entity tags do not depend on aliases", async () => {
    const tags = async (fields: string) => {
      const { body } = await client.tagged(user, "public/vehicles", `order_by=id${fields}`);
      return (body as { meta: { etags: string[] } }).meta.etags;
    };
    expect(await tags("&fields=id:plate,x:trips.id")).toEqual(await tags(""));
    const one = await client.read(user, "public/vehicles", "1", "fields=id:plate");
    expect(one.body).toEqual({ data: { id: "A" } });
    expect(one.headers?.ETag).toBe((await tags(""))[0]);
  });

  it("an export has columns of these names, in the order of the terms", async () => {
    const exporter = createExporter(test.database);
    const fields =
      "fields=x:trips.count,boss:driver.name,number:plate,trips.km:sum(distance_km),y:trips.id";
    const query = `${fields}&order_by=id&limit=2&deep[y][limit]=1`;
    expect(await exporter.csv(user, "public/vehicles", query)).toBe(
      [
        "x.count,boss.name,number,trips.km,y",
        '3,Ann,A,555,"[{""id"":1}]"',
        '1,Ann,B,7,"[{""id"":4}]"',
        "",
      ].join("\r\n"),
    );
    expect(await exporter.ndjson(user, "public/vehicles", query)).toContain('"y":[{"id":4}]');
  });

  it("the body of a query has them as a query string has them", () => {
    const target = { schema: "public", name: "vehicles", kind: "TABLE" } as const;
    const data = { fields: ["x:trips.id", "number:plate"], deep: { x: { limit: 1 } } };
    expect(parseQueryBody({ target, query: "", data }, limits, { etags: false })).toMatchObject({
      fields: [
        { path: "x:trips.id", parts: [{ alias: "x", path: "trips.id" }] },
        { path: "number:plate", parts: [{ alias: "number", path: "plate" }] },
      ],
      deep: new Map([["x", { limit: 1 }]]),
    });
  });

  it("a stored reading refuses them, but not a column whose name contains a colon", async () => {
    const snapshot = await client.snapshots.current();
    const vehicles = snapshot.catalogue.relationByName("public", "vehicles");
    if (vehicles === undefined) throw new Error("no vehicles");
    const reading = (field: string): Reading => ({
      ...{ kind: "LIST", fields: [field], where: null, orderBy: [], limit: null },
    });
    for (const field of ["x:plate", "plate:plate", "x:trips.id", "driver.x:name"]) {
      expect(faultsOfReading(reading(field), vehicles, snapshot, "/data")).toMatchObject([
        { code: "BODY_INVALID", path: "/data/fields", message: expect.stringContaining("aliases") },
      ]);
    }
    expect(faultsOfReading(reading("a:b"), vehicles, snapshot, "/data")).toEqual([]);
  });
});
