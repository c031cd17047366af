import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";

// Creates of one user follow each other on a few connections. Another user's create never stands behind them.

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let first: TestUser;
let second: TestUser;
/** The lanes of the statements that had one. */
let lanes: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  client = createClient({
    ...database,
    get service() {
      return this;
    },
    query: (text, parameters, options) => {
      if (options?.lane !== undefined) lanes.push(options.lane);
      return database.query(text, parameters, options);
    },
  });
  await database.query("create table public.parts (id int primary key, code text unique)");
  await expose(database, "public", "parts", "GET", "POST");
  const role = await createRole(database, "Makers");
  for (const action of ["READ", "CREATE"] as const) {
    await grant(database, client.snapshots, role, "public/parts", { action });
  }
  first = await createUser(database, "first@example.com", "Makers");
  second = await createUser(database, "second@example.com", "Makers");
  // The first statement is not a repeated one, which is compiled on its own.
  await client.snapshots.fresh();
});
afterAll(() => test.drop());
beforeEach(() => {
  lanes = [];
});

const create = (user: TestUser, id: number, code = `code ${id}`) =>
  client.create(user, "public/parts", { id, code });

it("gives each user and each shape a lane, and none to lists and reads", async () => {
  const answers = [
    await create(first, 1),
    await create(first, 2),
    await create(second, 3),
    await client.create(first, "public/parts", { id: 4 }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const [one, same, other, otherShape] = lanes;
  expect(lanes).toHaveLength(4);
  expect(same).toBe(one);
  expect(new Set([one, other, otherShape]).size).toBe(3);
  lanes = [];
  for (const id of [7, 8]) {
    await client.create(first, "public/parts", [{ id }]);
    await client.read(first, "public/parts", String(id));
  }
  expect(lanes).toEqual([]);
});

it("lets other users create while a user's creates wait for a lock", async () => {
  for (const user of [first, second]) {
    for (const id of [10, 11]) await create(user, user === first ? id : id + 10);
  }
  let blocked: Promise<Answer[]> = Promise.resolve([]);
  let others: Answer[] = [];
  await expect(
    test.database.transaction(async (transaction) => {
      await transaction.query("insert into public.parts values (100, 'taken')");
      blocked = Promise.all([101, 102, 103, 104, 105, 106].map((id) => create(first, id, "taken")));
      others = await Promise.all([201, 202, 203].map((id) => create(second, id)));
      const [waiting] = await transaction.query<{ count: number }>(
        "select count(*)::int from pg_catalog.pg_locks where not granted and locktype = 'transactionid'",
      );
      expect(waiting?.count).toBeGreaterThan(0);
      throw new RangeError("Rolled back");
    }),
  ).rejects.toThrow("Rolled back");
  expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
  const statuses = (await blocked).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
});
