// Tier: long. Starts processes.
import { createTestDatabase, startApp } from "@rowhouse/testing";
import { expect, it } from "vitest";

const password = "the password of the first administrator";

it("a refresh ends with its process, and the next process reports it", async () => {
  const test = await createTestDatabase();
  const environment = {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    ROWHOUSE_ADMIN_PASSWORD: password,
  };
  const open = async () => {
    const app = await startApp("standalone", environment);
    const login = await fetch(`${app.url}/api/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "admin@example.com", password }),
    });
    const { data } = (await login.json()) as { data: { token: string } };
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${app.url}/admin/api/schema/public/views${path}`, {
        method,
        headers: { Authorization: `Bearer ${data.token}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify({ data: body }) }),
      });
      return ((await response.json()) as { data: { state: string; error: { code: string } } }).data;
    };
    return { app, ask };
  };
  const working = () =>
    test.database.query(
      "select 1 from pg_stat_activity where query like 'refresh materialized view%' and state = 'active' and datname = current_database()",
    );
  const first = await open();
  await first.ask("POST", "", {
    name: "endless",
    definition:
      "select count(*) as n from generate_series(1, 9999999) a, generate_series(1, 9999999) b",
    materialized: true,
  });
  expect((await first.ask("GET", "/endless/refresh")).state).toBe("RUNNING");
  await expect.poll(working).toHaveLength(1);
  await first.app.stop("SIGKILL");

  const second = await open();
  await expect.poll(working).toHaveLength(0);
  const refresh = await second.ask("GET", "/endless/refresh");
  expect([refresh.state, refresh.error.code]).toEqual(["FAILED", "SERVICE_UNAVAILABLE"]);

  // A graceful stop does not wait for it either.
  await second.ask("POST", "/endless/refresh");
  await expect.poll(working).toHaveLength(1);
  expect(await second.app.stop()).toBe(0);
  await expect.poll(working).toHaveLength(0);
  await test.drop();
});
