import { setTimeout as delay } from "node:timers/promises";
import {
  createAssertionSigner,
  createAssertionVerifier,
  createLogger,
  type RunningServer,
  serve,
} from "@rowhouse/http";
import { expect, test } from "vitest";
import { createApp, forwardTo, serveGateway } from "../src/index.ts";
import { createEcho } from "./arrangement.ts";

const logger = createLogger("test", "silent");
const hostname = "127.0.0.1";
const [last, next] = [
  "the secret that was used until now....",
  "the secret that is used from now on...",
];
const idleGraceMs = 300;

function startService(secrets: readonly string[], port: number): Promise<RunningServer> {
  const verifyAssertion = createAssertionVerifier({ secrets, audience: "data-api" });
  return serve(createEcho("data-api", verifyAssertion).fetch as never, {
    port,
    hostname,
    idleGraceMs,
  });
}

async function startGateway(secret: string, urls: readonly string[]) {
  const forward = forwardTo({
    urls,
    audience: "data-api",
    signAssertion: createAssertionSigner(secret),
    logger,
  });
  const app = createApp({
    logger,
    dataApi: forward.upstream,
    adminApi: forward.upstream,
    corsOrigins: () => [],
    refreshSettings: async () => {},
    trustedProxies: () => [],
    bodyBytesMax: () => 1000,
    readiness: async () => ({}),
  });
  const server = await serveGateway(app, logger, { port: 0, hostname, idleGraceMs });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await forward.close();
    },
  };
}

test("secrets are exchanged under load, process by process, without a request that fails", async () => {
  const services = [await startService([last], 0), await startService([last], 0)];
  const urls = services.map(({ url }) => url);
  const gateways = [await startGateway(last, urls), await startGateway(last, urls)];

  // Reads and writes go on all the while, to whichever gateway stands in the list, as a balancer before them would do it.
  const statuses = new Map<string, number>();
  let count = 0;
  let isOver = false;
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    while (!isOver) {
      count += 1;
      const gateway = gateways[count % gateways.length];
      const init = caller % 2 === 0 ? {} : { method: "POST", body: "x" };
      const outcome = await fetch(`${gateway?.url}/api/x`, init).then(
        async (answer) => {
          await answer.arrayBuffer();
          return String(answer.status);
        },
        (error: unknown) => String(error),
      );
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    }
  });
  /** Some more requests, from every caller. */
  const goOn = async () => {
    const enough = count + 100;
    while (count < enough) await delay(10);
  };
  const replaceServices = async (secrets: readonly string[]) => {
    for (const [index, service] of services.entries()) {
      await service.stop();
      services[index] = await startService(secrets, service.port);
      await goOn();
    }
  };

  await goOn();
  await replaceServices([last, next]);
  for (const [index, gateway] of gateways.entries()) {
    gateways[index] = await startGateway(next, urls);
    await gateway.stop();
    await goOn();
  }
  await replaceServices([next]);
  isOver = true;
  await Promise.all(callers);
  expect([...statuses.keys()]).toEqual(["200"]);

  // And the last one is good for nothing any more.
  const late = await startGateway(last, urls);
  expect((await fetch(`${late.url}/api/x`)).status).toBe(401);
  for (const each of [late, ...gateways, ...services]) await each.stop();
}, 120_000);
