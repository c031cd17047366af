import { createError } from "@rowhouse/errors";
import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPostgresFailure, schema, type Transaction, toAppError } from "../src/index.ts";
import { createOrm } from "../src/orm.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const { roles, settings, users, workflows } = schema;
const caught = (error: unknown): unknown => error;

describe("a record that Drizzle writes and reads", () => {
  it.each(['"123"', '"true"', '"null"', '"{}"', "1.5", '{"a": "1"}'])(
    "keeps the JSON value %s",
    async (json) => {
      const value: unknown = JSON.parse(json);
      await test.database.orm.insert(settings).values({ key: json, value });
      const [row] = await test.database.orm.select().from(settings).where(eq(settings.key, json));
      expect(row?.value).toEqual(value);
      const [stored] = await test.database.query<{ value: string }>(
        "select value::text as value from system.settings where key = $1::text",
        [json],
      );
      expect(stored?.value).toBe(json);
    },
  );

  it("keeps the digits of a JSON text that is given as SQL", async () => {
    const draft = '{"n": 12345678901234567890.10}';
    await test.database.orm
      .insert(workflows)
      .values({ slug: "exact", name: "x", draft: sql`${draft}` });
    const [row] = await test.database.query<{ draft: string }>(
      "select draft::text as draft from system.workflows where slug = 'exact'",
    );
    expect(row?.draft).toBe(draft);
  });

  it("has numbers, booleans, lists, large integers and times of PostgreSQL's own text form", async () => {
    const { id } = await createUser(test.database, "typed@example.com");
    await test.database.orm
      .update(users)
      .set({
        active: false,
        lastSignInAt: "2020-01-02 03:04:05.000006+00",
      })
      .where(eq(users.id, id));
    const [user] = await test.database.orm
      .select({ active: users.active, version: users.version, at: users.lastSignInAt })
      .from(users)
      .where(eq(users.id, id));
    expect(user).toEqual({
      active: false,
      version: expect.any(BigInt),
      at: "2020-01-02 03:04:05.000006+00",
    });
    await test.database.orm
      .update(workflows)
      .set({ concurrency: 7 })
      .where(eq(workflows.slug, "exact"));
    const [workflow] = await test.database.orm
      .select({ concurrency: workflows.concurrency })
      .from(workflows)
      .where(eq(workflows.slug, "exact"));
    expect(workflow).toEqual({ concurrency: 7 });
  });
});

describe("an error of a statement that Drizzle wrote", () => {
  const duplicate = { name: "Administrators", description: "confidential" };

  it("keeps the code and the constraint of PostgreSQL", async () => {
    const error = await test.database.orm.insert(roles).values(duplicate).catch(caught);
    expect(readPostgresFailure(error)).toMatchObject({
      code: "23505",
      constraint: "roles_name_key",
    });
    expect(toAppError(error)).toMatchObject({ code: "UNIQUE_VIOLATION" });
  });

  it.each(["the pool", "a transaction", "a savepoint"])(
    "has no parameters of a statement of %s",
    async (where) => {
      const insert = async ({ orm }: Transaction) => {
        await orm.insert(roles).values(duplicate).returning({ id: roles.id });
      };
      const { database } = test;
      const inserted =
        where === "the pool"
          ? insert(database)
          : database.transaction((transaction) =>
              where === "a transaction" ? insert(transaction) : transaction.savepoint(insert),
            );
      const error = await inserted.catch(caught);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).not.toContain("confidential");
    },
  );

  it("of the service itself reaches the caller unchanged", async () => {
    const busy = createError("SERVICE_UNAVAILABLE");
    const orm = createOrm(() => Promise.reject(busy));
    expect(await orm.select().from(roles).catch(caught)).toBe(busy);
  });
});

it("the pool counts a statement that Drizzle sends", async () => {
  const before = test.database.load().inProgress;
  const statement = test.database.orm.select({ id: users.id }).from(users).execute();
  await new Promise((resolve) => setImmediate(resolve));
  expect(test.database.load().inProgress).toBe(before + 1);
  await statement;
  expect(test.database.load().inProgress).toBe(before);
});
