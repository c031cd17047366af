// Tiers: long, topologies. Starts processes; configuration-command.test.ts is in every run.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type AdministeredService, startAdministeredService } from "./administered-service.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

let service: AdministeredService;
let environment: TestEnvironment;
let token: string;
let folder: string;
beforeAll(async () => {
  service = await startAdministeredService();
  ({ environment, token, folder } = service);
  // The archive at the place from which the pipelines install it.
  const tools = join(folder, "tools");
  const { packageManager } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const pack = ["--filter", "rowhouse", "pack", "--pack-destination", tools];
  await promisify(execFile)("npx", ["--yes", packageManager, ...pack], { cwd: root });
  const [archive = ""] = await readdir(tools);
  await rename(join(tools, archive), join(tools, "rowhouse.tgz"));
});
afterAll(() => service.stop());

const read = async (name: string) =>
  parse(await readFile(new URL(`../../../infra/pipelines/${name}`, import.meta.url), "utf8"));

/** Returns the commands of each job of a pipeline. */
async function jobsOfGitHub(): Promise<Record<string, string>> {
  const { jobs } = (await read("github-actions.yml")) as {
    jobs: Record<string, { steps: { run?: string }[] }>;
  };
  return Object.fromEntries(
    Object.entries(jobs).map(([name, { steps }]) => [
      name,
      steps.flatMap((step) => step.run ?? []).join("\n"),
    ]),
  );
}

async function jobsOfGitLab(): Promise<Record<string, string>> {
  const { before_script: before, ...jobs } = (await read("gitlab-ci.yml")) as {
    before_script: string[];
  } & Record<"plan" | "apply" | "drift", { script: string[] }>;
  return Object.fromEntries(
    (["plan", "apply", "drift"] as const).map((name) => [
      name,
      [...before, ...jobs[name].script].join("\n"),
    ]),
  );
}

/** Runs the commands of a job as a pipeline does: a failing one ends it. */
function run(commands: string, variables: Readonly<Record<string, string>>) {
  const env = {
    // npm installs globally into a folder of the test, from which the commands of the job run. No registry answers.
    PATH: `${join(folder, "installed/bin")}:${process.env.PATH ?? ""}`,
    ...{ HOME: folder, npm_config_prefix: join(folder, "installed") },
    ...{ npm_config_registry: "http://127.0.0.1:1/" },
    ...{ ROWHOUSE_URL: environment.url, ROWHOUSE_TOKEN: token, ...variables },
  };
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile("bash", ["-ec", commands], { env, cwd: folder }, (_error, out, err) =>
      resolve({ code: child.exitCode, output: out + err }),
    );
  });
}

describe.each([
  ["GitHub Actions", jobsOfGitHub, { GITHUB_SHA: "4f2a91c", SOURCE_URL: "https://git.example/1" }],
  [
    "GitLab",
    jobsOfGitLab,
    { CI_COMMIT_SHA: "5a3b02d", CI_PROJECT_URL: "https://git.example/rows" },
  ],
] as const)("the pipeline for %s", (name, jobsOf, variables) => {
  it("shows a plan, applies it, and fails because of drift", async () => {
    const { plan = "", apply = "", drift = "" } = await jobsOf();
    const role = name.replace(" ", "");
    const files = {
      "rowhouse.yaml": "version: 1\nparts: [roles]\n",
      "environments/production.yaml": `PURPOSE: ${role}\n`,
      "roles/Clerks.yaml": `description: ${["$", "{PURPOSE}"].join("")}\n`,
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, "configuration", path, ".."), { recursive: true });
      await writeFile(join(folder, "configuration", path), text);
    }
    const planned = await run(plan, variables);
    expect(planned).toMatchObject({ code: 0, output: expect.stringContaining("Clerks") });
    expect(await run(apply, variables)).toMatchObject({
      code: 0,
      output: expect.stringContaining("Applied 1 steps."),
    });
    expect(await run(drift, variables)).toMatchObject({ code: 0 });
    await environment.test.database.query(
      "update system.roles set description = 'by hand' where name = 'Clerks'",
    );
    const { code, output } = await run(drift, variables);
    expect([code, output]).toEqual([3, expect.stringContaining("by hand")]);
    await rm(join(folder, "configuration/roles/Clerks.yaml"));
    for (const job of [plan, apply]) {
      const missing = await run(job, variables);
      expect(missing.code).not.toBe(0);
      expect(missing.output).toContain("--allow drop:role:Clerks");
    }
    await writeFile(join(folder, "configuration/roles/Clerks.yaml"), "colour: red\n");
    expect(await run(plan, variables)).toMatchObject({ code: 1 });
  });
});
