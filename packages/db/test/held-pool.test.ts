import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../src/index.ts";

// A pool whose connections are all in transactions counts as held, like a pool whose statements are slow.

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, applicationName: "test", connectionsMax: 2 });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

it("other users get spare connections while transactions hold every connection of the pool", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let held = 0;
  const transactions = Array.from({ length: 2 }, () =>
    database.transaction(async (transaction) => {
      await transaction.query("select pg_sleep(0.1)");
      held += 1;
      await opened;
    }),
  );
  await expect.poll(() => held).toBe(2);
  expect(await database.query<{ one: number }>("select 1 as one")).toEqual([{ one: 1 }]);
  const third = database.transaction((transaction) => transaction.query("select 2 as two"));
  expect(await third).toEqual([{ two: 2 }]);
  open();
  await Promise.all(transactions);
});
