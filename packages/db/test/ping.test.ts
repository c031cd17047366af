import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../src/index.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("answers at once while statements keep the whole pool busy", async () => {
  const database = openDatabase({ url: test.url, applicationName: "ping", connectionsMax: 1 });
  try {
    let ended = false;
    const slow = database.query("select pg_sleep(1.5)").then(() => {
      ended = true;
    });
    await Promise.all([database.ping(), database.ping()]);
    expect(ended).toBe(false);
    await slow;
  } finally {
    await database.close();
  }
});

it("fails where Postgres is away, and asks again the next time", async () => {
  const database = openDatabase({
    url: "postgres://nobody@127.0.0.1:1/nothing",
    applicationName: "ping",
  });
  try {
    await expect(database.ping()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await expect(database.ping()).rejects.toMatchObject({ code: "ECONNREFUSED" });
  } finally {
    await database.close();
  }
});
