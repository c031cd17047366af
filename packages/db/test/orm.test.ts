import { AppError, createError } from "@rowhouse/errors";
import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { DrizzleQueryError, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPostgresFailure, schema, toAppError } from "../src/index.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const { roles, settings, users, workflows } = schema;

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
  const insertTwice = () =>
    test.database.transaction(async ({ orm }) => {
      await orm.insert(roles).values({ name: "Twice" });
      await orm.insert(roles).values({ name: "Twice", description: "confidential" });
    });

  it("keeps the code and the constraint of PostgreSQL", async () => {
    const error = await insertTwice().catch((thrown: unknown) => thrown);
    expect(readPostgresFailure(error)).toMatchObject({
      code: "23505",
      constraint: "roles_name_key",
    });
    expect(toAppError(error)).toMatchObject({ code: "UNIQUE_VIOLATION" });
  });

  it("leaves its transaction without the parameters of the statement", async () => {
    const error = await insertTwice().catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(DrizzleQueryError);
    expect(String(error)).not.toContain("confidential");
  });

  it("keeps an error of the contract that the pool raised", () => {
    const busy = createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
    const mapped = toAppError(new DrizzleQueryError("select 1", [], busy));
    expect(mapped).toBe(busy);
    expect(mapped).toBeInstanceOf(AppError);
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
