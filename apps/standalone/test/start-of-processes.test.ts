// Tier: long. Starts processes.
import { connect, createServer, type Server, type Socket } from "node:net";
import { openDatabase } from "@rowhouse/db";
import {
  type AppName,
  type AppProcess,
  createTestDatabase,
  findFreePort,
  hasRedis,
  launchApp,
  runApp,
  startRedis,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutNodeNotice } from "./node-notice.ts";

const secret = "a secret of the tests' own, long enough";
const services: readonly AppName[] = ["data-api", "admin-api", "workflow-worker"];
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** The test database's address with another port. */
function throughPort(port: number): string {
  const url = new URL(test.url);
  url.port = String(port);
  return url.href;
}

/** Forwards connections to the real server; before it listens, nothing is at that port. */
async function openDatabaseAt(port: number): Promise<() => Promise<void>> {
  const { hostname, port: target } = new URL(test.url);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(target), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

describe("a database that is not available yet", () => {
  it.each(services)("is awaited by %s with a log entry, which then becomes ready", async (app) => {
    const port = await findFreePort();
    const DATABASE_URL = throughPort(port);
    const waiting = await launchApp(app, { DATABASE_URL, ROWHOUSE_SECRET: secret });
    await expect.poll(waiting.output, { timeout: 60_000 }).toContain("Waiting up to");
    expect(waiting.output()).toContain(`for the database at 127.0.0.1:${port}/`);
    expect(waiting.child.exitCode).toBe(null);
    const close = await openDatabaseAt(port);
    await waiting.untilReady();
    expect(await waiting.stop()).toBe(0);
    expect(waiting.output()).not.toContain(new URL(test.url).password);
    await close();
  });

  it("fails the start after the configured time, with one sentence", async () => {
    const port = await findFreePort();
    const ended = await runApp("data-api", {
      DATABASE_URL: throughPort(port),
      DATABASE_WAIT_MS: "1500",
      ROWHOUSE_SECRET: secret,
      LOG_LEVEL: "silent",
    });
    expect(ended.code).toBe(1);
    expect(ended.output).toMatch(
      /^The database at 127\.0\.0\.1:\d+\/test_\w+ cannot be reached: .*\.\n$/,
    );
  });

  it("does not delay a process that is stopped", async () => {
    const waiting = await launchApp("data-api", {
      DATABASE_URL: throughPort(await findFreePort()),
      ROWHOUSE_SECRET: secret,
    });
    await expect.poll(waiting.output, { timeout: 60_000 }).toContain("Waiting up to");
    expect(await waiting.stop()).toBe(0);
  });
});

describe.runIf(hasRedis())("a Redis that is not available yet", () => {
  const launch = async (app: AppName) => {
    const port = await findFreePort();
    const launched = await launchApp(app, {
      DATABASE_URL: test.url,
      SYSTEM_DATABASE_URL: test.systemUrl ?? "",
      REDIS_URL: `redis://127.0.0.1:${port}`,
      ROWHOUSE_SECRET: secret,
    });
    return { launched, port };
  };

  it("delays no request of the Data API and does not delay its stop", async () => {
    const { launched } = await launch("data-api");
    await launched.untilReady();
    expect(await launched.stop()).toBe(0);
  });

  it("keeps the worker not ready until Redis is available", async () => {
    const { launched, port } = await launch("workflow-worker");
    const readiness = async () => {
      const answer = await fetch(`${launched.url}/readyz`).catch(() => undefined);
      const body = (await answer?.json()) as object | undefined;
      return { status: answer?.status, ...body };
    };
    await expect.poll(readiness, { timeout: 60_000 }).toMatchObject({
      status: 503,
      errors: [{ details: { checks: { database: true, queue: false } } }],
    });
    const redis = await startRedis(port);
    await launched.untilReady();
    expect(await launched.stop()).toBe(0);
    await redis.stop();
  });
});

it("any number of processes that start at once on an empty database set it up once", async () => {
  const own = await createTestDatabase();
  await own.database.query("create database empty_at_first");
  const url = new URL(own.url);
  url.pathname = "/empty_at_first";
  const launched: AppProcess[] = await Promise.all(
    [...services, ...services].map((app) =>
      launchApp(app, { DATABASE_URL: url.href, ROWHOUSE_SECRET: secret }),
    ),
  );
  await Promise.all(launched.map((each) => each.untilReady()));
  const database = openDatabase({ url: url.href, applicationName: "test", connectionsMax: 1 });
  const applied =
    "select count(*)::int as count, max(number) - min(number) + 1 as span from system.migrations";
  const [set] = await database.query<{ count: number; span: number }>(applied);
  expect(set?.count).toBeGreaterThan(0);
  expect(set?.count).toBe(set?.span);
  await database.close();
  expect(await Promise.all(launched.map((each) => each.stop()))).toEqual(launched.map(() => 0));
  const written = launched.map((each) => withoutNodeNotice(each.output()));
  expect(written).toEqual(launched.map(() => ""));
  await own.database.query("drop database empty_at_first with (force)");
  await own.drop();
}, 180_000);
