import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase, type Transaction, toAppError } from "../src/index.ts";

// A transaction whose connection ends: PostgreSQL was restarted, a proxy gave up, or a backend was terminated. The
// unpatched driver ended the process, or continued without a transaction.

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await testDatabase.database.query("create table public.written (note text)");
  // One connection, so that the next statement gets the lost one.
  database = openDatabase({ url: testDatabase.url, applicationName: "lost", connectionsMax: 1 });
});
beforeEach(() => testDatabase.database.query("truncate public.written").then(() => {}));
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const write = "insert into public.written values ($1::text)";
const written = () =>
  testDatabase.database.query<{ note: string }>("select note from public.written");

/** Ends the connection of a transaction. */
async function cut(transaction: Transaction): Promise<void> {
  const [own] = await transaction.query<{ pid: number }>("select pg_backend_pid() as pid");
  await testDatabase.database.query("select pg_terminate_backend($1::text::integer, 5000)", [
    String(own?.pid),
  ]);
  await sleep(100);
}

const outOfReach = async (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => toAppError(error).code,
  );

describe("a transaction that has lost its connection", () => {
  test("fails, and the process continues", async () => {
    const inside: string[] = [];
    let rest: Promise<void> = Promise.resolve();
    const whole = await outOfReach(
      database.transaction((transaction) => {
        rest = (async () => {
          await transaction.query(write, ["before"]);
          await cut(transaction);
          inside.push(await outOfReach(transaction.query(write, ["after"])));
          inside.push(await outOfReach(transaction.query(write, ["once more"])));
        })();
        return rest;
      }),
    );
    await rest;
    expect([whole, ...inside]).toEqual(Array(3).fill("SERVICE_UNAVAILABLE"));
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    expect(await written()).toEqual([]);
  });

  test("writes nothing on the connection that replaces it", async () => {
    const inside: string[] = [];
    let rest: Promise<void> = Promise.resolve();
    const whole = await outOfReach(
      database.transaction((transaction) => {
        rest = (async () => {
          await transaction.query(write, ["before"]);
          await cut(transaction);
          // Another statement has reconnected the pool's one connection.
          await database.query("select 1");
          inside.push(await outOfReach(transaction.query(write, ["after"])));
        })();
        return rest;
      }),
    );
    await rest;
    expect([whole, ...inside]).toEqual(["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"]);
    await sleep(50);
    expect(await written()).toEqual([]);
  });

  test("rolls back its savepoints with it", async () => {
    const whole = await outOfReach(
      database.transaction(async (transaction) => {
        await transaction.savepoint(async (part) => {
          await part.query(write, ["inside"]);
          await cut(part);
          await part.query(write, ["after"]);
        });
      }),
    );
    expect(whole).toBe("SERVICE_UNAVAILABLE");
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    expect(await written()).toEqual([]);
  });
});

test("no statement waits forever in a pool whose connections are closed again and again", async () => {
  for (let round = 0; round < 20; round += 1) {
    const asked = Array.from({ length: 20 }, () =>
      outOfReach(database.query("select pg_sleep(0.01)")),
    );
    await testDatabase.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost' and datname = current_database()",
    );
    for (const outcome of await Promise.all(asked)) {
      expect(["done", "SERVICE_UNAVAILABLE"]).toContain(outcome);
    }
  }
  expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
});
