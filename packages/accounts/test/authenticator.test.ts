import { createAuthenticator, createSecret } from "@rowhouse/access";
import {
  createSnapshotStore,
  type Parameter,
  type Queryable,
  type QueryOptions,
} from "@rowhouse/db";
import type { AppError } from "@rowhouse/errors";
import {
  createRole,
  createSession,
  createTestDatabase,
  createUser,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createToken } from "../src/index.ts";

let test: TestDatabase;
/** The authenticator's queries. Their results are delayed until `going` resolves. */
let asked: { readonly values: number; readonly rows: number }[] = [];
let going: Promise<void> = Promise.resolve();
let authenticate: (secret: string) => Promise<{ readonly userId: string }>;

beforeAll(async () => {
  test = await createTestDatabase();
  await createRole(test.database, "Members");
  const watched: Queryable = {
    query: async <Row extends object>(
      text: string,
      parameters: readonly Parameter[] = [],
      options: QueryOptions = {},
    ) => {
      const rows = await test.database.query<Row>(text, parameters, options);
      asked.push({ values: parameters.length, rows: rows.length });
      await going;
      return rows;
    },
  };
  const snapshots = createSnapshotStore(test.database);
  const authenticator = createAuthenticator(watched, snapshots, { record: () => {} });
  authenticate = (secret) => authenticator.authenticate(`Bearer ${secret}`);
});
beforeEach(() => {
  asked = [];
  going = Promise.resolve();
});
afterAll(() => test.drop());

const outcomeOf = (secret: string) =>
  authenticate(secret).then(
    ({ userId }) => userId,
    (error: AppError) => error.code,
  );

/** Delays the database's results until the returned function is called. */
function hold(): () => void {
  let release = () => {};
  going = new Promise((resolve) => {
    release = resolve;
  });
  return release;
}

async function createMembers(name: string, count: number): Promise<TestUser[]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      createUser(test.database, `${name}${n}@example.com`, "Members"),
    ),
  );
}

it("concurrent credentials each get their own principal with fewer queries than credentials", async () => {
  const users = await createMembers("many", 20);
  const expected: [secret: string, outcome: string][] = [];
  for (const [n, user] of users.entries()) {
    expected.push([user.secret, user.id]);
    const actor = { userId: user.id, tokenId: null, address: null, requestId: null };
    const token = {
      userId: user.id,
      name: "one",
      description: "",
      plane: "api",
      lifetime: 1,
    } as const;
    const { secret } = await createToken(test.database, token, 30, actor, "");
    expected.push([secret, user.id]);
    expected.push([createSecret(n % 2 === 0 ? "SESSION" : "TOKEN"), "AUTHENTICATION_REQUIRED"]);
  }
  await test.database.query("update system.users set active = false where id = $1::text::uuid", [
    users[0]?.id ?? "",
  ]);
  const inactive = new Set([0, 1]);
  const outcomes = await Promise.all(expected.map(([secret]) => outcomeOf(secret)));
  expect(outcomes).toEqual(
    expected.map(([, outcome], index) =>
      inactive.has(index) ? "AUTHENTICATION_REQUIRED" : outcome,
    ),
  );
  expect(asked.length).toBeLessThan(expected.length / 3);
});

it("a credential that arrives several times at once is read once per query", async () => {
  const [user] = await createMembers("same", 1);
  const secret = user?.secret ?? "";
  const outcomes = await Promise.all(Array.from({ length: 9 }, () => outcomeOf(secret)));
  expect(new Set(outcomes)).toEqual(new Set([user?.id]));
  expect(asked).toEqual([
    { values: 1, rows: 1 },
    { values: 1, rows: 1 },
  ]);
});

it("a request never gets a credential lookup that started before it arrived", async () => {
  const [user] = await createMembers("ended", 1);
  const other = await createSession(test.database, user?.id ?? "");
  const release = hold();
  const early = outcomeOf(other);
  await expect.poll(() => asked.length).toBe(1);
  await test.database.query("delete from system.sessions where user_id = $1::text::uuid", [
    user?.id ?? "",
  ]);
  const late = Promise.all([outcomeOf(other), outcomeOf(other)]);
  release();
  expect(await early).toBe(user?.id);
  expect(await late).toEqual(["AUTHENTICATION_REQUIRED", "AUTHENTICATION_REQUIRED"]);
});
