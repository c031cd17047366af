// Tiers: usual, topologies.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A request that runs while the database becomes unavailable gets a retryable error, not an internal one.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

/** Sends a request that waits for a table, and ends the connections of all waiting statements. */
async function cutOff(table: string, ask: () => Promise<Answer>): Promise<Answer> {
  const { database } = environment.test;
  let answer: Promise<Answer> | undefined;
  await database.transaction(async (transaction) => {
    await transaction.query(`lock table ${table} in access exclusive mode`);
    answer = ask();
    for (let ended = 0; ended === 0; await sleep(20)) {
      // Outside of the transaction, which would always see the same activity.
      const rows = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      ended = rows.length;
    }
  });
  if (answer === undefined) throw new Error("no request was sent");
  return answer;
}

it.each([
  ["POST", "/api/workflows/any/webhook", "system.workflows"],
  [
    "GET",
    "/api/workflows/runs/00000000-0000-4000-8000-000000000000/result",
    "system.workflow_runs",
  ],
  ["GET", "/api/auth/me", "system.users"],
  ["GET", "/api/public/table/things", "public.things"],
  ["GET", "/admin/api/workflows", "system.workflows"],
  ["GET", "/admin/api/roles", "system.roles"],
])("%s %s returns 503 when the database becomes unavailable", async (method, path, table) => {
  const body = method === "POST" ? { body: {} } : {};
  const answer = await cutOff(table, () =>
    environment.ask(method, path, { as: environment.admin.secret, ...body }),
  );
  // A repeatable read may have been repeated.
  if (answer.status !== 503) expect([path, answer.status]).toEqual([path, 200]);
  else {
    expect(answer.faults).toEqual(["SERVICE_UNAVAILABLE"]);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
});

it("a browser that returns from a provider gets a page when the database becomes unavailable", async () => {
  const answer = await cutOff("system.auth_providers", () =>
    environment.ask("GET", "/api/auth/oauth/nope/callback?code=c&state=s"),
  );
  expect([answer.status, answer.text]).toEqual([302, ""]);
  // A repeatable read may have been repeated, and then the provider is unknown.
  expect(answer.headers.get("location")).toMatch(
    /\/admin\/auth\/complete#error=(?:unavailable|provider_failed)$/,
  );
});
