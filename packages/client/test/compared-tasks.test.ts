import { readFileSync } from "node:fs";
import { loadSample } from "@rowhouse/configuration";
import { expose, signIn } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "./compared-tasks.ts";
import { type Garage, startGarage } from "./environment.ts";

// docs/clients-compared.md counts the lines of each task in three files.

let garage: Garage;
beforeAll(async () => {
  garage = await startGarage();
  const { database } = garage.environment.test;
  await loadSample(database);
  await expose(database, "system", "files", "GET", "POST", "PATCH");
});
afterAll(() => garage.environment.stop());

it("the tasks of the comparison run against the sample", async () => {
  const file = new File(["%PNG"], "van.png", { type: "image/png" });
  const results = await run({ url: garage.environment.url, ...signIn, file });
  expect([results.page.rows.length, results.page.meta.count]).toEqual([20, 40]);
  expect(results.all).toHaveLength(120);
  expect(results.field).toBe("/data/plate");
  expect(results.etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect((await fetch(results.source)).status).toBe(200);
  expect(results.months.rows[0]).toMatchObject({
    started_at_month: expect.stringMatching(/^\d{4}-\d\d$/),
  });
  expect(results.again.notModified).toBe(true);
});

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const files = [
  "packages/client/test/compared-tasks.ts",
  "infra/checks/client-comparison/supabase.ts",
  "infra/checks/client-comparison/directus.ts",
];

/** Returns the lines of code of each task. */
function linesOf(path: string): ReadonlyMap<string, number> {
  const tasks = read(path).matchAll(/^ *\/\/ task: (.+)\n([\s\S]*?)^ *\/\/ end$/gm);
  return new Map(
    Array.from(tasks, ([, task = "", code = ""]) => [
      task,
      code.split("\n").filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length,
    ]),
  );
}

it("the page of the comparison has the lines of each task", () => {
  const [own, ...others] = files.map(linesOf);
  const page = read("docs/clients-compared.md");
  const rows = Array.from(page.matchAll(/^\| ([a-z].+?) \| (\d+) \| (\d+) \| (\d+) \|/gm));
  expect(rows.map(([, task]) => task)).toEqual([...(own?.keys() ?? [])]);
  for (const [, task = "", ...numbers] of rows) {
    const counted = [own, ...others].map((file) => file?.get(task));
    expect([task, ...numbers.map(Number)]).toEqual([task, ...counted]);
  }
});
