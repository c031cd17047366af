import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "@rowhouse/testing";
import { Redis } from "ioredis";

export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Whether redis-server is at hand. Where ROWHOUSE_REQUIRE_REDIS is 1, its absence is an error. */
export function hasRedis(): boolean {
  const found = spawnSync("redis-server", ["--version"]).status === 0;
  if (!found && process.env.ROWHOUSE_REQUIRE_REDIS === "1") {
    throw new Error("redis-server is not on the PATH, and ROWHOUSE_REQUIRE_REDIS is 1");
  }
  if (!found) console.warn("redis-server is not on the PATH: the tests on Redis are SKIPPED");
  return found;
}

/** Starts a Redis of the tests' own on a free port of the loopback address. */
export async function startRedis(): Promise<RedisServer> {
  const port = await findFreePort();
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdio: "ignore" },
  );
  const url = `redis://127.0.0.1:${port}`;
  const probe = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  probe.on("error", () => {});
  await Promise.race([
    probe.ping(),
    sleep(10_000, undefined, { ref: false }).then(() => {
      throw new Error("Redis did not start");
    }),
  ]);
  probe.disconnect();
  return {
    url,
    stop: async () => {
      const exit = once(server, "exit");
      server.kill("SIGTERM");
      await exit;
    },
  };
}
