// Tier: long. Starts processes.
import {
  type AppName,
  createTestDatabase,
  hasRedis,
  installationSecret,
  launchApp,
  type RedisServer,
  signIn,
  startRedis,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const apps: readonly AppName[] = [
  "standalone",
  "data-api",
  "admin-api",
  "workflow-worker",
  "gateway",
];

// A process that has not stopped after 15 s exits with 1.
describe.runIf(hasRedis())(
  "a process whose Redis is unavailable stops gracefully, and exits with 0",
  () => {
    let test_: TestDatabase;
    beforeAll(async () => {
      test_ = await createTestDatabase();
    });
    afterAll(() => test_.drop());

    const startAll = async (redisUrl: string) => {
      const environment = {
        DATABASE_URL: test_.url,
        SYSTEM_DATABASE_URL: test_.systemUrl ?? "",
        REDIS_URL: redisUrl,
        ROWHOUSE_SECRET: installationSecret,
        ROWHOUSE_ADMIN_EMAIL: signIn.email,
        ROWHOUSE_ADMIN_PASSWORD: signIn.password,
        DATA_API_URL: "http://127.0.0.1:1",
        ADMIN_API_URL: "http://127.0.0.1:1",
        LOG_LEVEL: "silent",
      };
      const started = await Promise.all(apps.map((app) => launchApp(app, environment)));
      onTestFinished(async () => {
        await Promise.all(started.map((app) => app.stop("SIGKILL")));
      });
      for (const { url } of started) {
        await expect.poll(() => isLive(url), { timeout: 90_000 }).toBe(true);
      }
      return started;
    };
    const isLive = (url: string) =>
      fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    const stopAll = (started: Awaited<ReturnType<typeof startAll>>) =>
      Promise.all(started.map((app) => app.stop()));
    const inOrder = apps.map(() => 0);

    test("after Redis was killed or has stopped responding", async () => {
      const redis: RedisServer[] = [await startRedis(), await startRedis()];
      onTestFinished(async () => {
        await Promise.all(redis.map((server) => server.stop("SIGKILL")));
      });
      const [killed, frozen] = redis;
      const withKilled = await startAll(killed?.url ?? "");
      await killed?.stop("SIGKILL");
      expect(await stopAll(withKilled)).toEqual(inOrder);
      const withFrozen = await startAll(frozen?.url ?? "");
      frozen?.freeze();
      expect(await stopAll(withFrozen)).toEqual(inOrder);
      await frozen?.stop("SIGKILL");
    });

    test("if Redis was never available", async () => {
      expect(await stopAll(await startAll("redis://127.0.0.1:1"))).toEqual(inOrder);
    });
  },
);
