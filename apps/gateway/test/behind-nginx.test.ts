// Tier: all. Starts processes.
import { Agent, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { keptConnectionsGraceMs } from "@rowhouse/http";
import { findFreePort, hasNginx, startNginx } from "@rowhouse/testing";
import { expect, it } from "vitest";
import { startEcho, startForwarding } from "./forwarding.ts";

const graceMs = 5000;

it.runIf(hasNginx())(
  "behind the shipped nginx, gateways are replaced one after the other without a failed request",
  async () => {
    const echo = await startEcho("a");
    const ports = [await findFreePort(), await findFreePort()];
    // As the program does: nginx may send a request at the moment in which an idle connection is closed.
    const start = (port: number) =>
      startForwarding([echo.url], { port, idleGraceMs: keptConnectionsGraceMs });
    const gateways = await Promise.all(ports.map(start));
    const nginx = await startNginx(gateways.map(({ url }) => url));
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const call = (method: string) =>
      new Promise<number | string>((resolve) => {
        const asked = request(`${nginx.url}/api/x`, { method, agent }, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
        });
        asked.on("error", (error) => resolve(error.message));
        asked.end();
      });
    const outcomes = new Map<number | string, number>();
    let isOver = false;
    const callers = ["GET", "POST", "GET", "POST"].map(async (method) => {
      while (!isOver) {
        const outcome = await call(method);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    });
    try {
      for (let round = 0; round < 2; round += 1) {
        for (const [index, port] of ports.entries()) {
          await delay(300);
          await gateways[index]?.stop(graceMs);
          // Long enough for nginx to notice it.
          await delay(300);
          gateways[index] = await start(port);
        }
      }
      isOver = true;
      await Promise.all(callers);
      expect([...outcomes.keys()]).toEqual([200]);
      expect(outcomes.get(200)).toBeGreaterThan(50);
    } finally {
      isOver = true;
      await Promise.all(callers);
      agent.destroy();
      await nginx.stop();
      for (const gateway of gateways) await gateway.stop(0);
      await echo.stop(0);
    }
  },
);
