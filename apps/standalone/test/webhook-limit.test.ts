// Tier: long. Starts processes.
import { setTimeout as delay } from "node:timers/promises";
import {
  type AppProcess,
  createTestDatabase,
  createUser,
  findFreePort,
  hasRedis,
  launchApp,
  type RedisServer,
  startApp,
  startRedis,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { createWorkflow, publishWorkflow, setWorkflowEnabled } from "@rowhouse/workflows";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// 60 calls a minute from one source, by HTTP, over two gateways and two Data APIs as separate processes.

const secret = "a secret of the tests' own, long enough";
const perMinute = 60;

/** Two gateways that share only the database and, optionally, a Redis. */
async function open(backend: "POSTGRES" | "REDIS") {
  const test = await createTestDatabase();
  const ends: (() => Promise<unknown>)[] = [() => test.drop()];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const keep = <Started extends AppProcess | RedisServer>(started: Started): Started => {
    ends.push(() => started.stop());
    return started;
  };
  try {
    const user = await createUser(test.database, "runner@example.org");
    const definition = {
      trigger: { kind: "webhook", response: "ASYNCHRONOUS", executeAs: user.id },
      steps: [{ id: "end", kind: "finish", result: 1 }],
    };
    const actor = { userId: null, tokenId: null, address: null, requestId: null };
    const named = { slug: "open", name: "open", definition };
    const { id } = await createWorkflow(test.database, named, actor);
    await publishWorkflow(
      { database: test.database, vault: createVault(() => "tests") },
      id,
      actor,
    );
    await setWorkflowEnabled(test.database, id, true, actor);
    const redis = backend === "REDIS" ? keep(await startRedis()) : undefined;

    const startWay = async (trustedProxies: Record<string, string>): Promise<string> => {
      const port = String(await findFreePort());
      // The test uses no Admin API, so there is none: the gateway is not ready, and forwards anyway.
      const [, gateway] = await Promise.all([
        startApp("data-api", {
          DATABASE_URL: test.url,
          ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
          ROWHOUSE_SECRET: secret,
          PORT: port,
        }).then(keep),
        launchApp("gateway", {
          DATA_API_URL: `http://127.0.0.1:${port}`,
          ADMIN_API_URL: "http://127.0.0.1:1",
          ROWHOUSE_SECRET: secret,
          ...trustedProxies,
        }).then(keep),
      ]);
      const checksOf = async () => {
        const answer = await fetch(`${gateway.url}/readyz`).catch(() => undefined);
        const body = (await answer?.json()) as
          | { errors: { details: { checks: { dataApi: boolean } } }[] }
          | undefined;
        return body?.errors[0]?.details.checks.dataApi;
      };
      while ((await checksOf()) !== true) await delay(50);
      return gateway.url;
    };
    return {
      direct: await startWay({}),
      behindProxy: await startWay({ TRUSTED_PROXIES: "127.0.0.1" }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

describe.each(["POSTGRES", "REDIS"] as const)(
  "calls of a public webhook, counted in %s",
  (backend) => {
    describe.runIf(backend === "POSTGRES" || hasRedis())("", () => {
      let environment: Awaited<ReturnType<typeof open>>;
      beforeAll(async () => {
        environment = await open(backend);
      }, 180_000);
      afterAll(() => environment?.stop());

      const call = async (url: string, headers: Record<string, string>): Promise<number> => {
        const answer = await fetch(`${url}/api/workflows/open/webhook`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: "{}",
        });
        const text = await answer.text();
        if (answer.status === 429) {
          expect(JSON.parse(text).errors[0].code).toBe("RATE_LIMIT_EXCEEDED");
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
        }
        return answer.status;
      };
      const count = (statuses: readonly number[]) => ({
        accepted: statuses.filter((status) => status === 202).length,
        refused: statuses.filter((status) => status === 429).length,
      });

      it("count for one source regardless of its headers and of the processes", async () => {
        const statuses = await Promise.all(
          Array.from({ length: 90 }, (_, index) => {
            const other = `198.51.100.${index}`;
            const lies = [
              { "x-forwarded-for": other },
              { "x-forwarded-for": `${other}, 2001:db8:${index}::1` },
              { "X-Real-IP": other, "true-client-ip": other, "cf-connecting-ip": other },
              { forwarded: `for=${other}`, "x-client-ip": other },
              { "x-rowhouse-client-address": other, "x-rowhouse-assertion": "e30.e30.e30" },
            ];
            // The second gateway trusts the X-Forwarded-For of its peer, so the test sends it other false headers only.
            const isDirect = index % 2 === 0;
            const headers = lies[isDirect ? index % 5 : 2 + (index % 3)] ?? {};
            return call(isDirect ? environment.direct : environment.behindProxy, headers);
          }),
        );
        expect(count(statuses)).toEqual({ accepted: perMinute, refused: 90 - perMinute });
      });

      it("count for one source from all addresses of a /64 in any notation", async () => {
        const spelled = (index: number) =>
          [
            `2001:db8:0:7::${index.toString(16)}`,
            `2001:0DB8:0000:0007:${index.toString(16)}:0:0:1`,
            // The client wrote the earlier entries, not the proxy.
            `2001:db8:${index}::1, 2001:db8:0:7:ffff:ffff:ffff:${index.toString(16)}`,
            `2001:db8::7:a:b:c:${index.toString(16)}`,
          ][index % 4] ?? "";
        const statuses = await Promise.all(
          Array.from({ length: 80 }, (_, index) =>
            call(environment.behindProxy, { "x-forwarded-for": spelled(index) }),
          ),
        );
        expect(count(statuses)).toEqual({ accepted: perMinute, refused: 80 - perMinute });
        expect(await call(environment.behindProxy, { "x-forwarded-for": "2001:db8:0:8::1" })).toBe(
          202,
        );
      });
    });
  },
);
