// Tier: long. Starts processes.
import { createTestDatabase, launchApp, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEcho, startForwarding } from "./forwarding.ts";

const secret = "a secret that both of them have....";
const other = "another secret, of the same length..";

// Separate processes, so that one can have another clock. There is no Admin API: its URL is the Data API's port, so the
// gateway addresses the Data API as another service there.
describe("a gateway whose assertions a service rejects", () => {
  let test_: TestDatabase;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    test_ = await createTestDatabase();
    ends.push(() => test_.drop());
  });
  afterAll(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const startDataApi = async (ownSecret: string) => {
    const app = await launchApp("data-api", {
      DATABASE_URL: test_.url,
      SYSTEM_DATABASE_URL: test_.systemUrl ?? "",
      ROWHOUSE_SECRET: ownSecret,
    });
    ends.push(() => app.stop());
    await app.untilReady();
    return app;
  };
  const startAdminApi = async () => {
    const app = await launchApp("admin-api", {
      DATABASE_URL: test_.url,
      SYSTEM_DATABASE_URL: test_.systemUrl ?? "",
      ROWHOUSE_SECRET: secret,
      ROWHOUSE_ADMIN_EMAIL: "admin@example.com",
      ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
    });
    ends.push(() => app.stop());
    await app.untilReady();
    return app;
  };
  const startGateway = async (urls: Record<"DATA_API_URL" | "ADMIN_API_URL", string>) => {
    const app = await launchApp(
      "gateway",
      { ...urls, ROWHOUSE_SECRET: secret },
      { movesClock: true },
    );
    ends.push(() => app.stop());
    return app;
  };
  const checksOf = async (url: string) => {
    try {
      const answer = await fetch(`${url}/readyz`);
      const body = (await answer.json()) as {
        data?: { checks: unknown };
        errors?: { details: { checks: unknown } }[];
      };
      return [answer.status, body.data?.checks ?? body.errors?.[0]?.details.checks];
    } catch {
      return undefined;
    }
  };
  const statusOf = async (url: string) => (await fetch(`${url}/api/auth/providers`)).status;

  test("a gateway is not ready with another secret, another clock or swapped addresses, and both sides log the cause", async () => {
    const [admin, stranger] = [await startAdminApi(), await startDataApi(other)];
    const wrong = await startGateway({ DATA_API_URL: stranger.url, ADMIN_API_URL: admin.url });
    await expect.poll(() => checksOf(wrong.url)).toEqual([503, { dataApi: false, adminApi: true }]);
    const cause =
      "gateway and service have different secrets (ROWHOUSE_SECRET, ROWHOUSE_EDGE_SECRETS)";
    await expect
      .poll(wrong.output)
      .toContain(`The process at ${stranger.url} rejects this gateway: ${cause}`);
    await expect
      .poll(stranger.output)
      .toContain(`Requests of the gateway at 127.0.0.1 are rejected: ${cause}`);
    // Its callers do not get the error of an invalid credential.
    await expect.poll(() => statusOf(wrong.url)).toBe(503);
    await wrong.stop();

    const data = await startDataApi(secret);
    const swapped = await startGateway({ DATA_API_URL: admin.url, ADMIN_API_URL: data.url });
    await expect
      .poll(() => checksOf(swapped.url))
      .toEqual([503, { dataApi: false, adminApi: false }]);
    await expect.poll(swapped.output).toContain("the gateway addresses it as another service");
    await expect.poll(data.output).toContain("the gateway addresses it as another service");
    await swapped.stop();

    const gateway = await startGateway({ DATA_API_URL: data.url, ADMIN_API_URL: admin.url });
    await gateway.untilReady();
    await expect.poll(() => statusOf(gateway.url)).toBe(200);
    await gateway.moveClock(-90_000);
    await expect
      .poll(() => checksOf(gateway.url))
      .toEqual([503, { dataApi: false, adminApi: false }]);
    await expect
      .poll(gateway.output)
      .toMatch(
        /the service's clock is (?:89|90|91) s ahead of the gateway's; at most 30 s are allowed/,
      );
    await expect
      .poll(data.output)
      .toMatch(
        /the service's clock is (?:89|90|91) s ahead of the gateway's; at most 30 s are allowed/,
      );
    await expect.poll(() => statusOf(gateway.url)).toBe(503);
    // Only one message per process, independent of the number of requests.
    const sentences = () => gateway.output().split("rejects this gateway").length - 1;
    await expect.poll(sentences).toBe(2);
    expect(await statusOf(gateway.url)).toBe(503);
    expect(sentences()).toBe(2);

    await gateway.moveClock(0);
    await expect
      .poll(() => checksOf(gateway.url))
      .toEqual([200, { dataApi: true, adminApi: true }]);
    await expect.poll(() => statusOf(gateway.url)).toBe(200);
    expect(gateway.output()).toContain("A process of a service accepts this gateway");
  });
});

test("requests go to the processes that accept the gateway while another one rejects it", async () => {
  const stranger = await startEcho("stranger", { secrets: [other] });
  const friend = await startEcho("friend", { secrets: [secret] });
  const gateway = await startForwarding([stranger.url, friend.url], {
    signsWith: secret,
    probe: { everyMs: 50, timeoutMs: 5000 },
  });
  const statuses = async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => fetch(`${gateway.url}/api/x`)),
    );
    return answers.map(({ status }) => status);
  };
  await expect.poll(statuses).toEqual([200, 200, 200, 200]);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  for (const each of [gateway, friend, stranger]) await each.stop(0);
});
