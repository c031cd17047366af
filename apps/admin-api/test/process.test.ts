// Tier: long. Starts processes; four-processes.test.ts is in every run.
import { assertionHeader, createAssertionSigner } from "@rowhouse/http";
import {
  createTestDatabase,
  createUser,
  runApp,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const secret = "a secret of the test's own, long enough";
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const start = (environment: Readonly<Record<string, string>>) =>
  startApp("admin-api", { ROWHOUSE_SECRET: secret, ...environment });

describe("the Admin API process", { timeout: 120_000 }, () => {
  it("serves requests from the gateway, and shuts down cleanly on a signal", async () => {
    const admin = await createUser(test.database, "admin@example.com", "Administrators");
    const app = await start({ DATABASE_URL: test.url, SYSTEM_DATABASE_URL: test.systemUrl ?? "" });
    const { url } = app;
    const headers = { Authorization: `Bearer ${admin.secret}` };
    expect((await fetch(`${url}/admin/api/roles`, { headers })).status).toBe(401);
    const edge = { requestId: "r1", clientAddress: "192.0.2.7" };
    const assertion = await createAssertionSigner(secret)(edge, "admin-api");
    const answer = await fetch(`${url}/admin/api/roles`, {
      headers: { ...headers, [assertionHeader]: assertion, "x-request-id": "r1" },
    });
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, "r1"]);
    expect(await app.stop()).toBe(0);
  });

  it("wakes a worker for a run that an administrator starts", async () => {
    const own = await createTestDatabase();
    const admin = await createUser(own.database, "admin@example.com", "Administrators");
    const app = await start({ DATABASE_URL: own.url, SYSTEM_DATABASE_URL: own.systemUrl ?? "" });
    const { url } = app;
    const sign = createAssertionSigner(secret);
    const ask = async (path: string, data: object) => {
      const edge = { requestId: "r1", clientAddress: "192.0.2.7" };
      const answer = await fetch(`${url}/admin/api/workflows${path}`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${admin.secret}`,
          "Content-Type": "application/json",
          [assertionHeader]: await sign(edge, "admin-api"),
        },
        body: JSON.stringify({ data }),
      });
      return (await answer.json()) as { data: { id: string; run: string } };
    };
    const { data } = await ask("", {
      slug: "try",
      name: "Try",
      definition: {
        trigger: { kind: "manual", executeAs: admin.id },
        steps: [{ id: "end", kind: "finish" }],
        priority: "LOW",
      },
    });
    await ask(`/${data.id}/publish`, {});
    await ask(`/${data.id}/enable`, {});
    const { data: begun } = await ask(`/${data.id}/runs`, {});
    // There is no worker and so no reconciler that could have added the job.
    const jobs = () => own.database.query("select data, opts from rowhouse_queue.job");
    await expect.poll(jobs).toEqual([
      {
        data: expect.objectContaining({ runId: begun.run }),
        opts: expect.objectContaining({ priority: 3 }),
      },
    ]);
    expect(await app.stop()).toBe(0);
    await own.drop();
  });

  it("creates the first administrator from the environment only once", async () => {
    const own = await createTestDatabase();
    const app = await start({
      DATABASE_URL: own.url,
      SYSTEM_DATABASE_URL: own.systemUrl ?? "",
      ROWHOUSE_ADMIN_EMAIL: "first@example.com",
      ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
    });
    const administrators = await own.database.query(
      `select u.email from system.users u join system.role_members m on m.user_id = u.id
       join system.roles r on r.id = m.role_id where r.is_administrators and u.password_hash like '$argon2id$%'`,
    );
    expect(administrators).toEqual([{ email: "first@example.com" }]);
    await app.stop();
    await own.drop();
  });

  it("refuses to start with an invalid environment, and names each invalid variable in one sentence", async () => {
    const { code, output } = await runApp("admin-api", {
      DATABASE_URL: "mysql://x",
      ROWHOUSE_SECRET: "short",
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^Invalid configuration: .*DATABASE_URL.*ROWHOUSE_SECRET.*\.\n$/);
  });
});
