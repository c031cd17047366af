// Tier: all. One of the longest files.
import { createTestDatabase } from "@rowhouse/testing";
import { expect, it } from "vitest";
import { toAppError } from "../src/index.ts";

it("a response that exceeds the maximum string length is a fault of the request that states the remedy", () => {
  let thrown: unknown;
  try {
    Buffer.alloc(2 ** 29).toString("latin1");
  } catch (error) {
    thrown = error;
  }
  expect(toAppError(thrown)).toMatchObject({
    code: "QUERY_INVALID",
    faults: [{ message: "The response would be too long: request fewer rows" }],
  });
});

it("a write to a database that was made read-only is a retryable error", async () => {
  const { database, drop } = await createTestDatabase();
  const written = database.transaction(
    (transaction) => transaction.query("create table public.written (id int)"),
    { readOnly: true },
  );
  const error = await written.then(
    () => undefined,
    (thrown: unknown) => toAppError(thrown),
  );
  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "1" } });
  await drop();
});
