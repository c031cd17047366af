import {
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedApp, openApp } from "./open-app.ts";

let test: TestDatabase;
let opened: OpenedApp;
let admin: TestUser;
/** Called when a statement is passed to the pool. */
let onStatement = () => {};

beforeAll(async () => {
  test = await createTestDatabase();
  const { database, service } = test;
  const watched: typeof service = {
    ...service,
    get service() {
      return this;
    },
    query: (text, parameters, options) => {
      onStatement();
      return service.query(text, parameters, options);
    },
  };
  opened = await openApp({ ...test, service: watched });
  admin = await createUser(database, "admin@example.com", "Administrators");
  await database.query("create table public.things (id int primary key, name text not null)");
  await database.query(
    "insert into public.things select i, 'Thing ' || i from generate_series(1, 50) i",
  );
  await expose(database, "public", "things", "GET");
});

afterAll(async () => {
  await opened.close();
  await test.drop();
});

async function read(path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${admin.secret}` };
  const edge = { requestId: "a-request", clientAddress: "127.0.0.1" };
  const request = new Request(`http://localhost/api/public/table/things${path}`, { headers });
  const answer = await opened.app.fetch(request, { edge } as never);
  expect(answer.status).toBe(200);
  await answer.text();
}

/** Returns the turns of the promises between the arrival of a read and its statement. */
async function turnsOf(path: string): Promise<number> {
  let turns = 0;
  let isSent = false;
  onStatement = () => {
    isSent = true;
  };
  const reading = read(path);
  while (!isSent && turns < 1000) {
    await undefined;
    turns += 1;
  }
  await reading;
  return turns;
}

describe("a read whose shape is known and of which few come together", () => {
  it.each(["/7", "/7?fields=id", "?limit=5", "?where[id][_gt]=7&order_by=id&limit=5"])(
    "%s is sent in the turn of its arrival",
    async (path) => {
      // A new shape is expected to come together with others until it has been seen alone.
      for (let count = 0; count < 30; count += 1) await read(path);
      expect(await turnsOf(path)).toBe(0);
    },
  );
});
