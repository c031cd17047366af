import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@rowhouse/db";
import { startLocalPostgres } from "@rowhouse/local-postgres";
import { type RedisServer, startRedis } from "@rowhouse/testing";

/** A server that can crash and restart at the same address. */
export interface CrashingServer {
  readonly url: string;
  /** Kills it without warning, and starts it again after a while. */
  crash(awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL whose commits survive its own crash, but not that of the machine. */
export async function startPostgres(): Promise<CrashingServer> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-chaos-"));
  await chmod(folder, 0o755);
  const start = () =>
    startLocalPostgres({
      directory: join(folder, "state"),
      durable: false,
      settings: { max_connections: "200", synchronous_commit: "on" },
    });
  let server = await start();
  const url = server.url;
  return {
    url,
    crash: async (awayMs) => {
      await server.stop("immediate");
      await sleep(awayMs);
      server = await start();
      if (server.url !== url) throw new Error("PostgreSQL restarted at another address");
      await untilAnswers(url);
    },
    stop: async () => {
      await server.stop();
      await rm(server.place, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(url: string): Promise<void> {
  const database = openDatabase({ url, applicationName: "chaos", connectionsMax: 1 });
  try {
    for (let tries = 0; tries < 300; tries += 1) {
      const answers = await database.ping().then(
        () => true,
        () => false,
      );
      if (answers) return;
      await sleep(100);
    }
    throw new Error("PostgreSQL did not restart");
  } finally {
    await database.close();
  }
}

export interface CrashingRedis extends CrashingServer {
  flush(): Promise<void>;
}

/** Starts a Redis without persistence. */
export async function startCrashingRedis(): Promise<CrashingRedis> {
  let server: RedisServer = await startRedis();
  const { url, port } = server;
  return {
    url,
    flush: () => server.flush(),
    crash: async (awayMs) => {
      await server.stop("SIGKILL");
      await sleep(awayMs);
      server = await startRedis(port);
    },
    stop: () => server.stop(),
  };
}
