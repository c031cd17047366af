import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../src/index.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("a ping succeeds at once while statements occupy the whole pool", async () => {
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

it("a ping fails while PostgreSQL is unavailable, and the next ping tries again", async () => {
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
