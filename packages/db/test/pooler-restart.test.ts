// Tier: all. Restarts a server.
import { setTimeout as delay } from "node:timers/promises";
import {
  hasPgBouncer,
  hasStockPostgres,
  startPgBouncer,
  startStockPostgres,
} from "@rowhouse/testing";
import { expect, it } from "vitest";
import { connectDatabase } from "../src/index.ts";

it.runIf(hasPgBouncer() && hasStockPostgres())(
  "the shipped PgBouncer serves again soon after a restart of the server",
  async () => {
    const server = await startStockPostgres();
    const pooler = await startPgBouncer(server.url(), 4);
    const database = await connectDatabase({
      url: pooler.urlOf(server.url()),
      directUrl: server.url(),
      prepare: false,
      applicationName: "restart",
      connectionsMax: 4,
    });
    const answers = () =>
      database.query("select 1").then(
        () => true,
        () => false,
      );
    try {
      // Calls fail, or wait in PgBouncer.
      let isOver = false;
      const callers = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          await answers();
          await delay(50);
        }
      });
      await server.restart(3000);
      // PgBouncer would wait 15 s after its last attempt by default.
      await expect.poll(answers, { timeout: 8000, interval: 100 }).toBe(true);
      isOver = true;
      await Promise.all(callers);
      expect((await database.health()).pooler).toBe(true);
    } finally {
      await database.close();
      await pooler.stop();
      await server.stop();
    }
  },
);
