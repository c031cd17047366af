// Tier: long. Starts processes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppName, createTestDatabase, launchApp, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const secret = "a secret of the tests' own, long enough";
let test: TestDatabase;
let folder: string;
beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "rowhouse-node-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await test.drop();
});

const apps: readonly AppName[] = [
  ...(["standalone", "data-api", "admin-api", "workflow-worker", "gateway"] as const),
];

it.each(apps)("%s logs a Node.js without security fixes in one line, and no other", async (app) => {
  const environment: Readonly<Record<string, string>> =
    app === "gateway"
      ? { DATA_API_URL: "http://127.0.0.1:9", ADMIN_API_URL: "http://127.0.0.1:9" }
      : {
          DATABASE_URL: test.url,
          SYSTEM_DATABASE_URL: test.systemUrl ?? "",
          ROWHOUSE_DATA_DIR: folder,
        };
  const started = await launchApp(app, {
    ...{ ROWHOUSE_SECRET: secret, LOG_LEVEL: "info" },
    ...environment,
  });
  try {
    await expect.poll(started.output, { timeout: 90_000 }).toMatch(/is listening|is ready at/);
    if (app !== "gateway") await started.untilReady();
    const lines = started.output().split("\n");
    const found = lines.filter((line) => line.includes("security fixes"));
    expect(found).toHaveLength(process.versions.node.startsWith("20.") ? 1 : 0);
  } finally {
    await started.stop();
  }
});
