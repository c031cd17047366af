import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase, type Transaction, toAppError } from "../src/index.ts";

// What becomes of a transaction whose connection ends under it: PostgreSQL was restarted, a proxy gave up, a backend
// was terminated. The driver's own answer was to end the process, or to go on without a transaction.

let house: TestDatabase;
let database: Database;
beforeAll(async () => {
  house = await createTestDatabase();
  await house.database.query("create table public.written (note text)");
  // One connection, so that whoever comes next gets the one that was lost.
  database = openDatabase({ url: house.url, applicationName: "lost", connectionsMax: 1 });
});
beforeEach(() => house.database.query("truncate public.written").then(() => {}));
afterAll(async () => {
  await database.close();
  await house.drop();
});

const write = "insert into public.written values ($1::text)";
const written = () => house.database.query<{ note: string }>("select note from public.written");

/** Ends the connection that a transaction is on. */
async function cut(transaction: Transaction): Promise<void> {
  const [own] = await transaction.query<{ pid: number }>("select pg_backend_pid() as pid");
  await house.database.query("select pg_terminate_backend($1::text::integer, 5000)", [
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
  test("fails, and the process goes on", async () => {
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

  test("writes nothing on the connection that takes its place", async () => {
    const inside: string[] = [];
    let rest: Promise<void> = Promise.resolve();
    const whole = await outOfReach(
      database.transaction((transaction) => {
        rest = (async () => {
          await transaction.query(write, ["before"]);
          await cut(transaction);
          // Somebody else has brought the pool's one connection back to life.
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

  test("undoes its savepoints with it", async () => {
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

test("a pool whose connections are ended again and again leaves nobody waiting", async () => {
  for (let round = 0; round < 20; round += 1) {
    const asked = Array.from({ length: 20 }, () =>
      outOfReach(database.query("select pg_sleep(0.01)")),
    );
    await house.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost' and datname = current_database()",
    );
    for (const outcome of await Promise.all(asked)) {
      expect(["done", "SERVICE_UNAVAILABLE"]).toContain(outcome);
    }
  }
  expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
});
