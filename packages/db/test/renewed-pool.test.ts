import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../src/index.ts";

// A pool replaces its connections after 500 prepared statements. That is no event for anybody who uses it.

const name = "renewed";
/** More texts than two generations of the pool prepare. */
const texts = 1_200;

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, applicationName: name, connectionsMax: 3 });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

const select = (number: number) =>
  database.query<{ found: number }>(`select ${number} as found`, [], { prepare: true });

const sessions = async (): Promise<number> => {
  const [row] = await test.database.query<{ count: number }>(
    "select count(*)::int from pg_stat_activity where application_name = $1",
    [name],
  );
  return row?.count ?? 0;
};

it("statements that are sent together with the one that renews the pool are answered", async () => {
  const numbers = Array.from({ length: texts }, (_, number) => number);
  const answers = await Promise.all(numbers.map(select));
  expect(answers.flat().map(({ found }) => found)).toEqual(numbers);
});

it("transactions that begin together with the one that renews the pool are committed", async () => {
  const numbers = Array.from({ length: texts }, (_, number) => texts + number);
  const work = numbers.map((number) =>
    number % 40 === 0
      ? database.transaction((transaction) => transaction.query("select 1 as found"))
      : select(number),
  );
  expect(await Promise.all(work)).toHaveLength(texts);
});

it("a pool that is renewed while statements wait for a connection leaves none behind", async () => {
  for (let round = 1; round <= 3; round++) {
    // The statements that wait go to connections that the replaced pool opens for them.
    const slow = Array.from({ length: 12 }, () =>
      database.transaction((transaction) => transaction.query("select pg_sleep(0.1)")),
    );
    for (let number = 0; number < texts; number++) {
      slow.push(select(100_000 * round + number));
    }
    await Promise.all(slow);
  }
  // Those of the pool, the spare ones and one for health checks.
  await expect.poll(sessions, { timeout: 20_000 }).toBeLessThanOrEqual(3 + 2 + 1);
});
