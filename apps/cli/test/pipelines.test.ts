// Tiers: all, topologies. Starts processes.
import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type AdministeredService, startAdministeredService } from "./administered-service.ts";
import { program } from "./run-cli.ts";

let service: AdministeredService;
let environment: TestEnvironment;
let token: string;
let folder: string;
beforeAll(async () => {
  service = await startAdministeredService();
  ({ environment, token, folder } = service);
  // The command under the name that a pipeline installs it as.
  await mkdir(join(folder, "bin"));
  const command = [process.execPath, ...program].map((part) => `'${part}'`).join(" ");
  await writeFile(join(folder, "bin/rowhouse"), `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(join(folder, "bin/rowhouse"), 0o755);
});
afterAll(() => service.stop());

const read = async (name: string) =>
  parse(await readFile(new URL(`../../../infra/pipelines/${name}`, import.meta.url), "utf8"));

/** Returns the commands of each job of a pipeline, without the installation. */
async function jobsOfGitHub(): Promise<Record<string, string>> {
  const { jobs } = (await read("github-actions.yml")) as {
    jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
  };
  return Object.fromEntries(
    Object.entries(jobs).map(([name, { steps }]) => [
      name,
      steps.flatMap((step) => (step.name === "Install" ? [] : (step.run ?? []))).join("\n"),
    ]),
  );
}

async function jobsOfGitLab(): Promise<Record<string, string>> {
  const { plan, apply, drift } = (await read("gitlab-ci.yml")) as Record<
    string,
    { script: string[] }
  >;
  return Object.fromEntries(
    Object.entries({ plan, apply, drift }).map(([name, job]) => [
      name,
      job?.script.join("\n") ?? "",
    ]),
  );
}

/** Runs the commands of a job as a pipeline does: a failing one ends it. */
function run(commands: string, variables: Readonly<Record<string, string>>) {
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH ?? ""}`,
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
    await writeFile(join(folder, "configuration/roles/Clerks.yaml"), "colour: red\n");
    expect(await run(plan, variables)).toMatchObject({ code: 1 });
  });
});
