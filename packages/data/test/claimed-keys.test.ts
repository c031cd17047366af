import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimKey, storeAnswer, storedAnswer } from "../src/answer/stored-answers.ts";

// The login that writes rows inserts and updates keys, and may delete none.
let test: TestDatabase;
let userId: string;
beforeAll(async () => {
  test = await createTestDatabase({ login: "service" });
  userId = (await createUser(test.database, "member@example.com")).id;
});
afterAll(() => test.drop());

/** Claims the key in a transaction and stores a response, or returns the stored one. */
const write = (key: string, fingerprint: string) =>
  test.service.service.transaction(async (transaction) => {
    const keyed = { userId, key, fingerprint };
    if (!(await claimKey(transaction, keyed))) return (await storedAnswer(transaction, keyed)).body;
    await storeAnswer(transaction, keyed, { status: 201, body: fingerprint });
    return `stored ${fingerprint}`;
  });

it("a key returns its first response for a day, and is replaced after it", async () => {
  expect(await write("k", "one")).toBe("stored one");
  expect(await write("k", "one")).toBe("one");
  await expect(write("k", "two")).rejects.toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
  await test.database.query(
    "update system.idempotency_keys set created_at = now() - interval '23 hours'",
  );
  expect(await write("k", "one")).toBe("one");
  await test.database.query(
    "update system.idempotency_keys set created_at = now() - interval '25 hours'",
  );
  const both = await Promise.allSettled([write("k", "two"), write("k", "two")]);
  expect(both.map((one) => one.status === "fulfilled" && one.value).sort()).toEqual([
    "stored two",
    "two",
  ]);
  expect(await test.database.query("select key, status from system.idempotency_keys")).toEqual([
    { key: "k", status: 201 },
  ]);
});
