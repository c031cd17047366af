// Tiers: long, topologies. Starts processes; configuration-command.test.ts is in every run.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministeredService, startAdministeredService } from "./administered-service.ts";
import { type Cut, type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { runCli } from "./run-cli.ts";

let service: AdministeredService;
let proxy: CuttingProxy;
beforeAll(async () => {
  service = await startAdministeredService();
  proxy = await startCuttingProxy(service.environment.url);
  await mkdir(join(service.folder, "roles"));
  await writeFile(file("rowhouse.yaml"), "version: 1\nparts: [roles]\n");
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});

const file = (path: string) => join(service.folder, path);
const rowhouse = (command: string, ...args: string[]) =>
  runCli([command, service.folder, ...args], {
    ROWHOUSE_URL: proxy.url,
    ROWHOUSE_TOKEN: service.token,
  });
const write = (description: string) =>
  writeFile(file("roles/Clerks.yaml"), `description: ${description}\n`);
const query = <Row extends object>(text: string, values: string[] = []) =>
  service.environment.test.database.query<Row>(text, values);
const countApplies = async () => (await query("select from system.configuration_applies")).length;
const planFile = async (description: string) => {
  await write(description);
  expect(await rowhouse("plan", "--out", file("plan.json"))).toMatchObject({ code: 2 });
  return JSON.parse(await readFile(file("plan.json"), "utf8"));
};
const stored = () => ["--plan", file("plan.json"), "--yes"];

describe("a plan whose answer is lost", () => {
  it.each(["BEFORE", "DURING", "AFTER"] as const)(
    "is made again: the connection is cut %s",
    async (moment) => {
      await write(`Plan cut ${moment}`);
      proxy.cut("POST /admin/api/configuration/plan ", moment);
      expect(await rowhouse("plan")).toMatchObject({ code: 2, stderr: "" });
    },
  );
});

describe("an apply whose answer is lost", () => {
  it.each(["BEFORE", "DURING", "AFTER"] as const)(
    "learns by the id of its plan that it is done: the connection is cut %s",
    async (moment: Cut) => {
      const before = await countApplies();
      await planFile(`Cut ${moment}`);
      proxy.cut("POST /admin/api/configuration/apply", moment);
      const cuts = proxy.cuts.length;
      const applied = await rowhouse("apply", ...stored());
      expect(applied).toMatchObject({ code: 0, stderr: "" });
      expect(applied.stdout).toContain("Applied 1 steps.\n");
      expect(proxy.cuts.length).toBe(cuts + 1);
      expect(await countApplies()).toBe(before + 1);
    },
  );

  it("waits for as long as the service works, whatever connections are cut meanwhile", async () => {
    const plan = await planFile("Slow");
    const { applied } = await service.environment.test.database.transaction(async (transaction) => {
      await transaction.query("lock table system.epoch in exclusive mode");
      proxy.cut("POST /admin/api/configuration/apply", "DURING");
      proxy.cut("GET /admin/api/configuration/plans", "BEFORE", 2);
      const applied = rowhouse("apply", ...stored());
      const find =
        "select from system.configuration_plans where id = $1::text::uuid and attempts > 0";
      await expect.poll(() => query(find, [plan.planId]), { timeout: 30_000 }).toHaveLength(1);
      return { applied };
    });
    expect(await applied).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Applied 1 steps."),
    });
  });

  it("returns the fault of an apply that has failed", async () => {
    await planFile("Stale");
    await query("update system.roles set description = 'by hand' where name = 'Clerks'");
    proxy.cut("POST /admin/api/configuration/apply", "AFTER");
    expect(await rowhouse("apply", ...stored())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(PLAN_STALE)"),
    });
  });

  it("ends with 4 if it cannot be learned, and can be asked for again", async () => {
    const plan = await planFile("Unknown");
    proxy.cut("POST /admin/api/configuration/apply", "AFTER");
    // The command reads the plan before.
    proxy.cut("GET /admin/api/configuration/plans", "BEFORE", Number.POSITIVE_INFINITY, 1);
    const lost = await rowhouse("apply", ...stored(), "--wait", "3");
    expect([lost.code, lost.stderr]).toEqual([
      4,
      expect.stringContaining(`rowhouse apply --plan ${plan.planId} --yes`),
    ]);
    const again = await runCli(["apply", "--plan", plan.planId], {
      ROWHOUSE_URL: service.environment.url,
      ROWHOUSE_TOKEN: service.token,
    });
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("The plan was already applied.\n"),
    });
  });
});
