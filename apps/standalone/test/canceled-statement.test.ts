// Tiers: usual, topologies.
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await startTestEnvironment();
});
afterAll(() => environment.stop());

it("a request is unavailable for a moment if a statement of the service waits for a lock until it is canceled", async () => {
  const { url, test } = environment;
  const login = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(signIn),
  });
  const { data } = (await login.json()) as { data: { token: string } };
  const headers = { Authorization: `Bearer ${data.token}` };
  const read = () => fetch(`${url}/api/auth/sessions`, { headers });
  await test.database.transaction(async (transaction) => {
    await transaction.query("lock table system.sessions in access exclusive mode");
    let answer: Response | undefined;
    void read().then((received) => {
      answer = received;
    });
    // As the time limit of statements does.
    await expect
      .poll(async () => {
        await test.database.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%sessions%'`,
        );
        return answer?.status;
      })
      .toBe(503);
    expect(answer?.headers.get("Retry-After")).toBe("1");
    expect(await answer?.json()).toMatchObject({ errors: [{ code: "SERVICE_UNAVAILABLE" }] });
  });
  expect((await read()).status).toBe(200);
});
