// Tiers: usual, all, topologies. The other tiers also run it on several processes.
import { openDatabase } from "@rowhouse/db";
import {
  loadChinook,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Client, createClient } from "./client.ts";

const clerk = { email: "clerk@example.com", password: "another horse battery staple" };

// Another client loads it; all administration is by HTTP.
describe.each(topologyNames("one", "four"))("the Chinook sample in %s", (kind) => {
  let environment: TestEnvironment;
  let client: Client;
  let admin: string;
  let member: string;

  const administer = (method: string, path: string, data?: unknown): Promise<Answer> =>
    client.ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    });
  const resourceOf = async (name: string): Promise<string> => {
    const { body } = await administer("GET", `/resources?schema=public&search=${name}`);
    return body.data.find((resource: { name: string }) => resource.name === name).id;
  };
  const expose = (id: string, ...exposedMethods: string[]) =>
    administer("PATCH", `/resources/${id}`, { exposedMethods });
  const read = (path: string, as = member) => client.ask("GET", `/api/public/${path}`, { as });

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind });
    const database = openDatabase({
      url: environment.test.ownerUrl,
      applicationName: "another-client",
      connectionsMax: 1,
    });
    await loadChinook(database);
    await database.close();
    client = createClient(environment);
    admin = await client.signIn(signIn);
  });
  afterAll(() => environment.stop());

  test("gets a column whose check returns the administrator's message", async () => {
    const changes = [
      {
        kind: "addColumn",
        name: "rating",
        dataType: "integer",
        check: "rating between 1 and 5",
        checkMessage: "A rating is 1 to 5 stars",
      },
    ];
    const table = "/schema/public/tables/track";
    const preview = (await administer("POST", `${table}/preview`, { changes })).body.data;
    expect(preview.sql.join(";\n")).toContain("rating");
    expect(preview.failingRows).toEqual([]);
    expect((await administer("PATCH", table, { changes })).status).toBe(200);
    await expose(await resourceOf("track"), "GET", "PATCH");
    const rate = (rating: number) =>
      client.ask("PATCH", "/api/public/table/track/1", { as: admin, body: { data: { rating } } });
    expect((await rate(6)).body.errors).toEqual([
      { code: "CHECK_VIOLATION", message: "A rating is 1 to 5 stars", path: "/data/rating" },
    ]);
    expect((await rate(5)).body.data).toMatchObject({ track_id: 1, rating: 5 });
  });

  test("gets a role that sees some fields of one country's customers", async () => {
    const role = (await administer("POST", "/roles", { name: "Canada" })).body.data.id;
    const user = (await administer("POST", "/users", clerk)).body.data.id;
    await administer("POST", `/roles/${role}/members`, { userId: user });
    const resourceId = await resourceOf("customer");
    await expose(resourceId, "GET");
    await administer("POST", "/grants", {
      ...{ roleId: role, resourceId, action: "READ" },
      fields: ["customer_id", "last_name", "country"],
      rowFilter: { country: { _eq: "Canada" } },
    });
    member = await client.signIn(clerk);
    const { data, meta } = (await read("table/customer?count=exact&order_by=last_name")).body;
    expect(meta.count).toBe(8);
    expect(data[0]).toEqual({ customer_id: 29, last_name: "Brown", country: "Canada" });
    expect((await read("table/customer?where[phone][_nnull]=true")).status).toBe(400);
    const document = (await administer("GET", `/openapi/data?role=${role}`)).body;
    expect(Object.keys(document.paths).filter((path) => path.includes("/public/"))).toEqual([
      "/api/public/table/customer",
      "/api/public/table/customer/query",
      "/api/public/table/customer/{id}",
    ]);
    expect(JSON.stringify(document)).not.toContain("phone");
  });

  test("gets a view that the role reads through, and a materialized view that is refreshed", async () => {
    const [role] = (await administer("GET", "/roles?search=Canada")).body.data;
    const sales = await administer("POST", "/schema/public/views", {
      name: "sales",
      definition:
        "select billing_country as country, sum(total) as total, count(*) as invoices from invoice group by billing_country",
    });
    const { resourceId } = sales.body.data;
    expect((await read("view/sales")).status).toBe(404);
    await expose(resourceId, "GET");
    await administer("POST", "/grants", {
      ...{ roleId: role.id, resourceId, action: "READ" },
      rowFilter: { country: { _eq: "Canada" } },
    });
    expect((await read("view/sales")).body.data).toEqual([
      { country: "Canada", total: "303.96", invoices: "56" },
    ]);

    const stored = await administer("POST", "/schema/public/views", {
      name: "rated",
      materialized: true,
      definition: "select track_id, name, rating from track where rating is not null",
      indexes: [{ columns: ["track_id"], unique: true }],
    });
    expect(stored.status).toBe(201);
    await expose(stored.body.data.resourceId, "GET");
    const refresh = "/schema/public/views/rated/refresh";
    const isRefreshed = () =>
      expect
        .poll(async () => (await administer("GET", refresh)).body.data?.state)
        .toBe("SUCCEEDED");
    await isRefreshed();
    const ratings = async () =>
      (await read("view/rated?order_by=track_id", admin)).body.data.map(
        (row: { rating: number }) => row.rating,
      );
    expect(await ratings()).toEqual([5]);
    await client.ask("PATCH", "/api/public/table/track/2", {
      as: admin,
      body: { data: { rating: 3 } },
    });
    expect(await ratings()).toEqual([5]);
    expect((await administer("POST", refresh)).status).toBe(200);
    await isRefreshed();
    expect(await ratings()).toEqual([5, 3]);
  });
});
