import { readFile } from "node:fs/promises";
import {
  type AppProcess,
  createTestDatabase,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Example, examplesOf, patternOf, runExamples, withoutBlanks } from "./run-document.ts";

// What README and docs tell people to paste is pasted here, into a bash, against a service that has just started.
const password = "the password that the first start has shown";

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

async function expectTrue(examples: readonly Example[], url: string): Promise<void> {
  expect(examples.length).toBeGreaterThan(0);
  const outputs = await runExamples(examples, { BASE: url, PASSWORD: password });
  for (const [index, { commands, shown }] of examples.entries()) {
    const printed = withoutBlanks(outputs[index] ?? "");
    expect(printed, commands).toMatch(patternOf(shown ?? ""));
  }
}

describe.each([
  ["README.md", [], []],
  ["docs/data-api.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/admin-api.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/permissions.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/workflows.md", ["--sample"], ["docs/quick-start.md"]],
])("%s", (path, args, preludes) => {
  let database: TestDatabase;
  let app: AppProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startApp(
      "standalone",
      { DATABASE_URL: database.url, ROWHOUSE_ADMIN_PASSWORD: password },
      args,
    );
  }, 60_000);
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  test("every command does what the page shows", async () => {
    const texts = await Promise.all([...preludes, path].map(read));
    await expectTrue(texts.flatMap(examplesOf), app.url);
  }, 60_000);
});
