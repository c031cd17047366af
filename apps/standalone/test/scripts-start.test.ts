// Tier: long. Installs a checkout, and builds it for each script.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFreePort } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Milestone, runUntil } from "./started-script.ts";

// Each script of package.json in a clone in which packages are installed and nothing was ever compiled. A script runs until its
// first work shows that all its modules were found.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);
const { packageManager, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpm = ["npx", "--yes", packageManager] as const;

type Expectation = { readonly args?: readonly string[]; readonly until: Milestone };
const oneTest = ["packages/wire/test"];
const runsTests = { args: oneTest, until: /✓.*packages\/wire\/test/ };

/** How each script is started, and how far. */
const expectations: Readonly<Record<string, Expectation>> = {
  start: { until: /Rowhouse is ready at/ },
  test: runsTests,
  "test:all": { args: ["packages/db/test/pooler"], until: /✓.*pooler/ },
  "test:long": { args: ["files"], until: /== files\n.* RUN /s },
  "test:topologies": { args: ["seven"], until: /== seven\n.* RUN /s },
  fuzz: { until: /== fuzz\n.* RUN /s },
  unit: runsTests,
  rowhouse: { args: ["--help"], until: /^Usage: rowhouse /m },
  check: { args: ["packages/wire/README.md"], until: /^types +\d/m },
  bundle: { until: "exit" },
  lint: { until: "exit" },
  format: { until: "exit" },
  types: { args: ["--listFilesOnly"], until: "exit" },
  structure: { until: /Faults: 0/ },
  pictures: { args: ["sign-in", "--width=390", "--scheme=light"], until: "exit" },
  chaos: { args: ["--seconds=1", "--backend=postgres"], until: /chaos on postgres/ },
  faults: { args: ["--only=a Data API killed"], until: /^a Data API killed and restarted$/m },
  "upgrade-check": { until: /: install and build/ },
  soak: { args: ["--processes=4", "--minutes=0.1"], until: /minute 1: \d+ requests/ },
  "docs:errors": { until: "exit" },
  fonts: { until: "exit" },
  icons: { until: "exit" },
  kinds: { until: "exit" },
  logins: { until: "exit" },
  api: { until: "exit" },
  "types:client": { until: "exit" },
  artefacts: { args: ["gateway"], until: /artefacts\/gateway +\d+ MiB/ },
  bench: {
    args: ["--only=one row by key", "--seconds=1", "--rounds=1"],
    until: /rows, .* rounds of 1 s/,
  },
  pack: { until: /Tarball Contents/ },
};

/** Commands of pnpm itself. */
const builtin = new Set(["install", "exec", "add", "dlx"]);

let folder: string;
let checkout: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "rowhouse-scripts-")));
  checkout = join(folder, "checkout");
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  // PostgreSQL does not run as root, and its user reads both.
  for (const each of [folder, temporary]) await chmod(each, 0o777);
  await run("git", ["clone", "--quiet", root, checkout]);
  const { PATH, HOME, NODE_EXTRA_CA_CERTS, npm_config_userconfig } = process.env;
  const port = String(await findFreePort());
  env = { PATH, HOME, NODE_EXTRA_CA_CERTS, npm_config_userconfig, PORT: port, TMPDIR: temporary };
  const [program, ...args] = [...pnpm, "install", "--frozen-lockfile", "--prefer-offline"];
  await run(program, args, { cwd: checkout, env: { ...env, CI: "true" }, maxBuffer: 2 ** 26 });
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Removes everything that a script has written, except installed packages. */
async function restore(): Promise<void> {
  await run("git", ["checkout", "--quiet", "."], { cwd: checkout });
  await run("git", ["clean", "-fdxq", "-e", "node_modules"], { cwd: checkout });
}

it("has an expectation for each script of package.json, and no other", () => {
  expect(Object.keys(expectations).sort()).toEqual(Object.keys(scripts).sort());
});

it("documents name only scripts that exist", async () => {
  const { stdout } = await run("git", ["ls-files", "*.md"], { cwd: root });
  const absent: string[] = [];
  for (const path of stdout.trim().split("\n")) {
    // The changelog and the decisions are history.
    if (/^CHANGELOG|^docs\/decisions\//.test(path)) continue;
    const text = await readFile(join(root, path), "utf8");
    for (const [, app, name = ""] of text.matchAll(
      /(?:^|[`&] ?|npx --yes )(?:npm(?: --prefix \S+)? run(?: --silent)?|pnpm(?:@[\d.]+)?(?: --filter @rowhouse\/([\w-]+))?(?: run)?) ([a-z][\w:-]*)/gm,
    )) {
      const names = app === undefined ? scripts : scriptsOf(app);
      if (!(name in names) && !builtin.has(name)) absent.push(`${path}: ${name}`);
    }
  }
  expect(absent).toEqual([]);
});

function scriptsOf(app: string): object {
  return JSON.parse(readFileSync(join(root, "apps", app, "package.json"), "utf8")).scripts;
}

describe("in a clone that was never compiled", () => {
  beforeEach(restore);

  it.each(Object.entries(expectations))(
    "npm run %s starts",
    async (name, { args = [], until }) => {
      const options = args.length === 0 ? [] : ["--", ...args];
      await runUntil(["npm", "run", name, ...options], checkout, until, env);
    },
    600_000,
  );

  it("each service starts as its README says", async () => {
    await runUntil([...pnpm, "bundle"], checkout, "exit", env);
    for (const app of ["gateway", "data-api", "admin-api", "workflow-worker"]) {
      const command = [...pnpm, "--filter", `@rowhouse/${app}`, "start"] as const;
      await runUntil(command, checkout, /Invalid configuration: /, env);
    }
  }, 600_000);
});
