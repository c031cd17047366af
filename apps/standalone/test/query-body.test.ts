// Tiers: usual, topologies.
import { openDatabase } from "@rowhouse/db";
import { createUser, signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

let environment: TestEnvironment;
let client: Client;
let admin: string;
let dana: string;

const table = "/api/public/table/vehicles";

beforeAll(async () => {
  environment = await startTestEnvironment();
  client = createClient(environment);
  admin = await client.signIn(signIn);
  const database = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  await database.query("create table drivers (id int primary key, name text)");
  await database.query(
    'create table vehicles (id int primary key, plate text, price numeric, driver_id int references drivers, "a,b" text)',
  );
  await database.query(
    "create table trips (id int primary key, vehicle_id int references vehicles, km int)",
  );
  await database.query("create table closed (id int primary key)");
  await database.query("insert into drivers values (1, 'Ida'), (2, 'Bo')");
  await database.query(
    "insert into vehicles select n, 'P' || n, n * 1.50, n % 2 + 1, 'x' from generate_series(1, 60) n",
  );
  await database.query("insert into trips select n, n % 10 + 1, n from generate_series(1, 100) n");
  await database.query("create view shown as select id, plate from vehicles");
  await database.close();
  const ids = new Map<string, string>();
  for (const name of ["drivers", "vehicles", "trips", "shown"]) {
    const { body } = await client.ask("GET", `/admin/api/resources?search=${name}`, { as: admin });
    ids.set(name, body.data[0].id);
    const data = { exposedMethods: ["GET"] };
    const path = `/admin/api/resources/${ids.get(name)}`;
    expect((await client.ask("PATCH", path, { as: admin, body: { data } })).status).toBe(200);
  }
  const role = { name: "Dispatchers", apiAccess: true };
  const made = await client.ask("POST", "/admin/api/roles", { as: admin, body: { data: role } });
  const grant = {
    roleId: made.body.data.id,
    resourceId: ids.get("vehicles"),
    action: "READ",
    fields: ["id", "plate"],
    rowFilter: { id: { _lte: 5 } },
  };
  expect(
    (await client.ask("POST", "/admin/api/grants", { as: admin, body: { data: grant } })).status,
  ).toBe(201);
  dana = (await createUser(environment.test.database, "dana@example.com", "Dispatchers")).secret;
});
afterAll(() => environment.stop());

const query = (
  data: unknown,
  options: { as?: string; headers?: Record<string, string>; path?: string } = {},
) =>
  client.ask("POST", options.path ?? `${table}/query`, {
    as: options.as ?? admin,
    headers: options.headers ?? {},
    body: { data },
  });

const same: readonly (readonly [string, unknown])[] = [
  ["", {}],
  [
    "fields=plate,driver.name&order_by=-price,id&limit=3&count=exact",
    { fields: ["plate", "driver.name"], order_by: ["-price", "id"], limit: 3, count: "exact" },
  ],
  [
    "where[price][_between]=3,9&where[driver.name][_eq]=Bo&offset=1",
    { where: { price: { _between: [3, "9"] }, "driver.name": { _eq: "Bo" } }, offset: 1 },
  ],
  ["search=P1&fields=id", { search: "P1", fields: ["id"] }],
  ['fields="a,b",id&limit=1', { fields: ['"a,b"', "id"], limit: 1 }],
  [
    "fields=id,trips.km&deep[trips][limit]=2&deep[trips][order_by]=-km&deep[trips][where][km][_lt]=90&limit=4&order_by=id",
    {
      fields: ["id", "trips.km"],
      deep: { trips: { limit: 2, order_by: ["-km"], where: { km: { _lt: 90 } } } },
      limit: 4,
      order_by: ["id"],
    },
  ],
  [
    "aggregate=count,sum(price)&group_by=driver.name&having[count][_gt]=1&order_by=-sum_price",
    {
      aggregate: ["count", "sum(price)"],
      group_by: ["driver.name"],
      having: { count: { _gt: 1 } },
      order_by: ["-sum_price"],
    },
  ],
];

describe("POST …/query", () => {
  test.each(same)("returns the rows of GET ?%s", async (parameters, data) => {
    const expected = await client.ask("GET", `${table}?${parameters}`, { as: admin });
    expect(expected.status).toBe(200);
    const { status, body } = await query(data);
    expect([status, body.data]).toEqual([200, expected.body.data]);
    expect({ ...body.meta, nextCursor: "" }).toEqual({ ...expected.body.meta, nextCursor: "" });
  });

  test("continues by its cursor", async () => {
    const first = await query({ fields: ["id"], order_by: ["-id"], limit: 2 });
    const { nextCursor: cursor } = first.body.meta;
    const next = await query({ fields: ["id"], order_by: ["-id"], limit: 2, cursor });
    expect(next.body.data).toEqual([{ id: 58 }, { id: 57 }]);
  });

  test("takes a filter that is longer than a URL", async () => {
    const values = Array.from({ length: 900 }, (_, index) => `${"P".repeat(40)}${index}`);
    const where = { _or: [{ plate: { _in: values } }, { plate: { _eq: "P7" } }] };
    expect(JSON.stringify(where).length).toBeGreaterThan(32_000);
    expect((await query({ where, fields: ["id"] })).body.data).toEqual([{ id: 7 }]);
  });

  test("reads a view", async () => {
    const { body } = await query(
      { where: { id: { _eq: 3 } } },
      { path: "/api/public/view/shown/query" },
    );
    expect(body.data).toEqual([{ id: 3, plate: "P3" }]);
  });

  test("returns a file for Accept: text/csv, with every row unless it has a limit", async () => {
    const headers = { Accept: "text/csv" };
    const lines = async (data: unknown) => {
      const answer = await fetch(`${environment.url}${table}/query`, {
        method: "POST",
        headers: {
          ...headers,
          Authorization: `Bearer ${admin}`,
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ data }),
      });
      expect(answer.headers.get("content-type")).toContain("text/csv");
      return (await answer.text()).trim().split("\r\n");
    };
    expect(
      await lines({ fields: ["id", "driver.name"], where: { id: { _lte: 2 } }, order_by: ["id"] }),
    ).toEqual(["id,driver.name", "1,Bo", "2,Ida"]);
    expect(await lines({ fields: ["id"] })).toHaveLength(61);
    expect(await lines({ fields: ["id"], limit: 4 })).toHaveLength(5);
    const refused = await query({ limit: -1, count: "exact", fields: ["nope"] }, { headers });
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      "/data/limit",
      "/data/count",
    ]);
  });

  test("returns the entity tags for Prefer: etags", async () => {
    const { body } = await query({ where: { id: { _eq: 1 } } }, { headers: { Prefer: "etags" } });
    const row = await client.ask("GET", `${table}/1`, { as: admin });
    expect(body.meta.etags).toEqual([row.headers.get("etag")]);
  });

  test("has the grants of its caller", async () => {
    expect((await query({ fields: ["id"] }, { as: dana })).body.data).toHaveLength(5);
    const hidden = await query({ where: { price: { _gt: 1 } } }, { as: dana });
    const unknown = await query({ where: { pryce: { _gt: 1 } } }, { as: dana });
    expect(hidden.body.errors[0]).toEqual({
      ...{ code: "FIELD_UNKNOWN", message: "Unknown field price", path: "/data/where/price" },
      details: { field: "price" },
    });
    expect(JSON.stringify(unknown.body.errors).replaceAll("pryce", "price")).toBe(
      JSON.stringify(hidden.body.errors),
    );
    for (const name of ["closed", "drivers", "nothing"]) {
      const { status, body } = await query(
        {},
        { as: dana, path: `/api/public/table/${name}/query` },
      );
      expect([status, body.errors]).toEqual([404, [{ code: "NOT_FOUND", message: "Not found" }]]);
    }
  });

  test.each<readonly [unknown, string, string]>([
    [[], "BODY_INVALID", "/data"],
    [{ nope: 1 }, "BODY_INVALID", "/data/nope"],
    [{ fields: "id" }, "BODY_INVALID", "/data/fields"],
    [{ fields: ["nope"] }, "FIELD_UNKNOWN", "/data/fields"],
    [{ order_by: ["id", "id"] }, "QUERY_INVALID", "/data/order_by"],
    [{ order_by: ["nope"] }, "FIELD_UNKNOWN", "/data/order_by"],
    [{ limit: 1001 }, "BODY_INVALID", "/data/limit"],
    [{ limit: "1" }, "BODY_INVALID", "/data/limit"],
    [{ limit: 1.5 }, "BODY_INVALID", "/data/limit"],
    [{ count: "all" }, "BODY_INVALID", "/data/count"],
    [{ cursor: "x" }, "QUERY_INVALID", "/data/cursor"],
    [{ where: { id: { _nope: 1 } } }, "QUERY_INVALID", "/data/where/id/_nope"],
    [{ where: { id: { _eq: "x" } } }, "VALUE_INVALID", "/data/where/id/_eq"],
    [{ where: { "a/b": { _eq: "x" } } }, "FIELD_UNKNOWN", "/data/where/a~1b"],
    [{ where: 1 }, "QUERY_INVALID", "/data/where"],
    [{ deep: { trips: { limit: 1 } } }, "QUERY_INVALID", "/data/deep/trips"],
    [
      { deep: { trips: { nope: 1 } }, fields: ["trips.*"] },
      "BODY_INVALID",
      "/data/deep/trips/nope",
    ],
    [{ deep: [] }, "BODY_INVALID", "/data/deep"],
    [{ aggregate: ["sum(plate)"] }, "QUERY_INVALID", "/data/aggregate"],
    [{ aggregate: ["count"], fields: ["id"] }, "BODY_INVALID", "/data/fields"],
    [{ group_by: ["plate"], having: { nope: { _gt: 1 } } }, "FIELD_UNKNOWN", "/data/having/nope"],
  ])("%j is refused", async (data, code, path) => {
    const { status, body } = await query(data);
    expect([status, body.errors[0].code, body.errors[0].path]).toEqual([400, code, path]);
  });

  test("takes no parameter in its URL, no header of a write, and no request without a credential", async () => {
    expect((await query({}, { path: `${table}/query?limit=1` })).body.errors[0]).toMatchObject({
      code: "QUERY_INVALID",
      path: "limit",
    });
    const refused = await query({}, { headers: { "If-Match": "*" } });
    expect(refused.body.errors[0].path).toBe("If-Match");
    const anonymous = await client.ask("POST", `${table}/query`, { body: { data: {} } });
    expect(anonymous.status).toBe(401);
    expect((await client.ask("DELETE", `${table}/query`, { as: admin })).status).toBe(405);
  });
});
