import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { accepts, findFreePort } from "./free-port.ts";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Suspends it: it keeps its connections and does not respond. */
  freeze(): void;
  /** Deletes everything. */
  flush(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const startTimeoutMs = 10_000;

/** Returns whether redis-server is installed. With ROWHOUSE_REQUIRE_REDIS=1 its absence is an error. */
export function hasRedis(): boolean {
  const found = spawnSync("redis-server", ["--version"]).status === 0;
  if (!found && process.env.ROWHOUSE_REQUIRE_REDIS === "1") {
    throw new Error("redis-server is not on the PATH, and ROWHOUSE_REQUIRE_REDIS is 1");
  }
  if (!found) console.warn("redis-server is not on the PATH: the tests on Redis are SKIPPED");
  return found;
}

/** Starts a Redis server for the tests on the loopback address, on a free port unless one is given. */
export async function startRedis(givenPort?: number): Promise<RedisServer> {
  const port = givenPort ?? (await findFreePort());
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdio: "ignore" },
  );
  const until = Date.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (Date.now() > until) throw new Error("Redis did not start");
    await delay(20);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => {
      server.kill("SIGSTOP");
    },
    flush: () => flush(port),
    stop: async (signal = "SIGTERM") => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exit = once(server, "exit");
      server.kill(signal);
      await exit;
    },
  };
}

async function flush(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.end("FLUSHALL\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  if (!answer.toString().startsWith("+OK")) throw new Error(`Redis replied ${answer.toString()}`);
}
