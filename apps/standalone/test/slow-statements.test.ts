// Tiers: long, topologies. Waits for statements of many seconds.
import { openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// One caller's slow requests, many times as many as there are connections, and other callers.
let environment: TestEnvironment;
let client: Client;
let greedy: string;
let modest: string;

beforeAll(async () => {
  environment = await startTestEnvironment();
  client = createClient(environment);
  const admin = await client.signIn(signIn);
  const administer = async (method: string, path: string, data: unknown) => {
    const answer = await client.ask(method, `/admin/api${path}`, { as: admin, body: { data } });
    expect(answer.status, path).toBeLessThan(300);
    return answer.body.data;
  };
  const database = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  await database.query("create table public.things (id int primary key, name text)");
  await database.query("insert into public.things values (1, 'one')");
  await database.query(
    "create view public.naps as select n as id, pg_sleep(1.5)::text as nap from generate_series(1, 1) n",
  );
  await database.close();
  const role = await administer("POST", "/roles", { name: "Readers", apiAccess: true });
  for (const name of ["things", "naps"]) {
    const { body } = await client.ask("GET", `/admin/api/resources?search=${name}`, { as: admin });
    const [resource] = body.data;
    await administer("PATCH", `/resources/${resource.id}`, { exposedMethods: ["GET"] });
    await administer("POST", "/grants", {
      roleId: role.id,
      resourceId: resource.id,
      action: "READ",
      fields: null,
    });
  }
  const enrol = async (email: string) => {
    const person = { email, password: "a long enough password" };
    const user = await administer("POST", "/users", { ...person, name: email });
    await administer("POST", `/roles/${role.id}/members`, { userId: user.id });
    return client.signIn(person);
  };
  greedy = await enrol("greedy@example.com");
  modest = await enrol("modest@example.com");
});
afterAll(() => environment.stop());

test("other callers are served while one caller's slow requests hold the pool", async () => {
  const dataApis = Object.keys(environment.metrics).filter((name) => name.startsWith("data-api"));
  // Responses are compared with their caller's document, which must be loaded before.
  for (const as of [greedy, modest]) {
    expect((await client.ask("GET", "/api/public/table/things/1", { as })).status).toBe(200);
  }
  let left = Math.max(100, 120 * dataApis.length);
  const statuses: number[] = [];
  const naps = Array.from({ length: left }, async () => {
    const { status, headers } = await client.ask("GET", "/api/public/view/naps", { as: greedy });
    statuses.push(status);
    if (status === 503) expect(headers.get("retry-after")).toBe("1");
    left -= 1;
  });
  // Until the slow requests hold the pool.
  await expect.poll(() => left).toBeLessThan(naps.length);
  for (let request = 0; request < 30; request += 1) {
    const answer = await client.ask("GET", "/api/public/table/things/1", { as: modest });
    expect(answer.status).toBe(200);
  }
  expect(left).toBeGreaterThan(20);
  // A session that no process has cached yet.
  const person = { email: "modest@example.com", password: "a long enough password" };
  const again = await client.signIn(person);
  const page = await client.ask("GET", "/api/public/table/things?limit=1", { as: again });
  expect(page.status).toBe(200);
  expect(left).toBeGreaterThan(0);
  await Promise.all(naps);
  // Statements that were not sent in time were rejected; nothing else happened to any of them.
  expect([...new Set(statuses)].toSorted()).toEqual([200, 503]);
  const after = await client.ask("GET", "/api/public/table/things/1", { as: greedy });
  expect(after.status).toBe(200);
});
