// Tiers: usual, topologies.
import { openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

let environment: TestEnvironment;
let client: Client;
let admin: string;

beforeAll(async () => {
  environment = await startTestEnvironment();
  client = createClient(environment);
  admin = await client.signIn(signIn);
  const database = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  await database.query(
    "create table public.notes (id int generated always as identity primary key, note text)",
  );
  // Sends hundreds of rows before it exceeds the statement timeout.
  await database.query(
    `create view public.stuck as select n as id, repeat('x', 1000) as filling,
       case when n = 900 then pg_sleep(60)::text end as nap from generate_series(1, 1000) n`,
  );
  await database.close();
  for (const [name, exposedMethods] of [
    ["notes", ["GET", "POST"]],
    ["stuck", ["GET"]],
  ] as const) {
    const { body } = await client.ask("GET", `/admin/api/resources?search=${name}`, { as: admin });
    const path = `/admin/api/resources/${body.data[0].id}`;
    const patched = await client.ask("PATCH", path, {
      as: admin,
      body: { data: { exposedMethods } },
    });
    expect(patched.status).toBe(200);
  }
  const body = { data: { "data.statement_timeout_ms": 500 } };
  const limited = await client.ask("PATCH", "/admin/api/settings", { as: admin, body });
  expect(limited.status).toBe(200);
});
afterAll(() => environment.stop());

test("requests after a list that exceeded the statement timeout receive their own responses", async () => {
  for (let round = 0; round < 3; round += 1) {
    const lists = Array.from({ length: 12 }, () =>
      client.ask("GET", "/api/public/view/stuck?limit=1000", { as: admin }),
    );
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    expect(statuses).toEqual(lists.map(() => 504));
    const writes = Array.from({ length: 24 }, (_, index) => {
      const body = { data: { note: `${round}.${index}` } };
      return client.ask("POST", "/api/public/table/notes", { as: admin, body });
    });
    for (const [index, answer] of (await Promise.all(writes)).entries()) {
      expect(answer.status).toBe(201);
      expect(answer.body.data.note).toBe(`${round}.${index}`);
    }
  }
});
