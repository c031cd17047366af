import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startEcho, startForwarding } from "./forwarding.ts";

const [last, next] = [
  "the secret that was used until now....",
  "the secret that is used from now on...",
];
const idleGraceMs = 300;
const startService = (secrets: readonly string[], port: number) =>
  startEcho("data-api", { secrets, port, idleGraceMs });
const startGateway = (signsWith: string, urls: readonly string[]) =>
  startForwarding(urls, { signsWith, idleGraceMs });

test("secrets are rotated under load, process by process, without a failed request", async () => {
  const services = [await startService([last], 0), await startService([last], 0)];
  const urls = services.map(({ url }) => url);
  const gateways = [await startGateway(last, urls), await startGateway(last, urls)];

  // Reads and writes continue to whichever gateway is listed, as with a load balancer.
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
  /** Some more requests from every caller. */
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

  // The old secret is rejected now.
  const late = await startGateway(last, urls);
  await expect.poll(async () => (await fetch(`${late.url}/api/x`)).status).toBe(503);
  for (const each of [late, ...gateways, ...services]) await each.stop();
});
