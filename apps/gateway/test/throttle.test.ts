import type { RunningServer } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/limits";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp, createThrottle, inProcess, serveGateway } from "../src/index.ts";
import { createEcho, logger, plain } from "./test-environment.ts";

describe.each(["one gateway's own memory", "Redis"] as const)("counted in %s", (where) => {
  describe.runIf(where !== "Redis" || hasRedis())("", () => {
    let redis: RedisServer | undefined;
    const gateways: RunningServer[] = [];
    const ends: (() => Promise<unknown>)[] = [];
    const settings = { requestsPerMinute: 5, trustedProxies: ["127.0.0.1"] };

    beforeAll(async () => {
      redis = where === "Redis" ? await startRedis() : undefined;
      for (let count = 0; count < (where === "Redis" ? 2 : 1); count++) {
        const rateLimits = openRateLimits({
          database: undefined,
          redisUrl: redis?.url,
          report: () => {},
        });
        const echo = inProcess(createEcho("data-api"));
        const gateway = createApp({
          ...plain,
          dataApi: echo,
          adminApi: echo,
          trustedProxies: () => settings.trustedProxies,
          throttle: createThrottle(rateLimits, () => settings.requestsPerMinute),
        });
        const server = await serveGateway(gateway, logger, { port: 0, hostname: "127.0.0.1" });
        gateways.push(server);
        ends.push(
          () => server.stop(),
          () => rateLimits.close(),
        );
      }
    });
    afterAll(async () => {
      for (const end of ends) await end();
      await redis?.stop();
    });

    /** The statuses of ten requests, distributed over the gateways in turn. */
    const statuses = async (headers: (index: number) => Record<string, string>) => {
      const answers: Response[] = [];
      for (let index = 0; index < 10; index++) {
        const { url } = gateways[index % gateways.length] as RunningServer;
        answers.push(await fetch(`${url}/api/x`, { headers: headers(index) }));
      }
      return answers;
    };
    const refusedOf = (answers: readonly Response[]) =>
      answers.filter(({ status }) => status === 429).length;

    test("requests of one source over the limit are 429 with Retry-After", async () => {
      const answers = await statuses(() => ({ "X-Forwarded-For": "203.0.113.1" }));
      expect(refusedOf(answers)).toBe(5);
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused?.json()).toMatchObject({ errors: [{ code: "RATE_LIMIT_EXCEEDED" }] });
      // Health requests do not count.
      expect((await fetch(`${gateways[0]?.url}/livez`)).status).toBe(200);
    });
    test("spellings of one address, and addresses of one /64, are one source", async () => {
      const spellings = ["203.0.113.2", "::ffff:203.0.113.2", "::FFFF:cb00:7102"];
      const v4 = await statuses((index) => ({ "X-Forwarded-For": spellings[index % 3] ?? "" }));
      expect(refusedOf(v4)).toBe(5);
      const v6 = await statuses((index) => ({
        "X-Forwarded-For": `2001:DB8:0:1:${index}::${index}`,
      }));
      expect(refusedOf(v6)).toBe(5);
      const apart = await statuses((index) => ({ "X-Forwarded-For": `2001:db8:1:${index}::1` }));
      expect(refusedOf(apart)).toBe(0);
    });
    test("a caller's headers do not change its source", async () => {
      settings.trustedProxies = [];
      const answers = await statuses((index) => ({
        "X-Forwarded-For": `198.51.100.${index}`,
        Forwarded: `for=198.51.100.${index}`,
        "X-Real-IP": `198.51.100.${index}`,
        "X-Client-IP": `198.51.100.${index}`,
        "True-Client-IP": `198.51.100.${index}`,
      }));
      expect(refusedOf(answers)).toBe(5);
    });
    test("0 removes the limit at once", async () => {
      settings.requestsPerMinute = 0;
      expect(refusedOf(await statuses(() => ({})))).toBe(0);
    });
  });
});

test.runIf(hasRedis())(
  "counters in a Redis that is away answer at once, and return with it",
  async () => {
    const first = await startRedis();
    const reports: unknown[] = [];
    const counters = openRateLimits({
      database: undefined,
      redisUrl: first.url,
      report: (error) => reports.push(error),
    });
    const strict = counters.limit({
      ...{ name: "strict", callsPerMinute: 1000, withoutCounters: "REFUSE" },
    });
    const lenient = counters.limit({
      ...{ name: "lenient", callsPerMinute: 1000, withoutCounters: "COUNT_HERE" },
    });
    // The first check waits for the connection.
    await strict.check("192.0.2.1");
    expect(counters.isConnected()).toBe(true);
    await first.stop();
    await expect.poll(() => counters.isConnected()).toBe(false);
    // Other work gets turns of the event loop while a check waits for a server.
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    for (let call = 0; call < 20; call += 1) {
      await expect(strict.check("192.0.2.1")).rejects.toMatchObject({
        code: "SERVICE_UNAVAILABLE",
      });
      await lenient.check("192.0.2.1");
    }
    isCounting = false;
    expect(turns).toBeLessThan(200);
    await expect.poll(() => reports.length, { timeout: 10_000 }).toBe(1);
    const second = await startRedis(first.port);
    await expect.poll(() => counters.isConnected(), { timeout: 10_000 }).toBe(true);
    await strict.check("192.0.2.1");
    // Further attempts to connect may have failed; one was reported.
    expect(reports).toHaveLength(1);
    await counters.close();
    await second.stop();
  },
);
