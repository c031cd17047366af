// Installs and bundles what a command needs, if something has changed since the last time.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { exitWithFault, PhaseError, phase } from "./phases.mjs";
import { root, stateFolder } from "./places.mjs";

export const services = ["gateway", "data-api", "admin-api", "workflow-worker", "standalone"];

/** What runs the service and builds the pages. Without development packages, which are half of all. */
const startSelection = [
  "--prod",
  "--filter-prod=@rowhouse/standalone...",
  "--filter=rowhouse",
  "--filter=@rowhouse/console",
  "--filter=@rowhouse/scripts",
];

/**
 * Brings the checkout to the state that a command needs. If a program fails, this process exits with its code.
 *
 * @param all whether to install everything, or only what `npm start` needs
 * @param apps folders of `apps` to bundle
 * @param pages how to build the pages: `production`, or `artefact` with a compressed variant of each file, which takes longer
 * @param database the data directory whose embedded database is created meanwhile, if it has none
 */
export async function prepare({ all = false, apps = [], pages, database }) {
  const programs = [...apps.map(bundleOf), ...(pages === undefined ? [] : [pagesBuild(pages)])];
  try {
    await install(all);
    await Promise.all([
      build(programs),
      database && createDatabase(database).catch(leaveToService),
    ]);
  } catch (error) {
    exitWithFault(error);
  }
}

async function install(all) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifests = [...workspaces(), "."].map((folder) => `${folder}/package.json`);
  const digest = digestOf(["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]);
  const hasAll = read(join(root, "node_modules/vitest/package.json"));
  // An installation never shrinks: tests may run beside a service, and a service be started after tests.
  const selection = all || hasAll !== undefined ? [] : startSelection;
  await unlessCurrent("install", `${selection.join(" ")} ${digest}`, () =>
    phase("install", async (logged) => {
      // The lockfile has the digest of each package. pnpm would also read the history of each, which takes longer than the
      // installation, to find out when it was published: `.ci/run` lets it, before a lockfile lands.
      const pinned = ["--frozen-lockfile", "--config.minimum-release-age=0"];
      const options = ["install", ...pinned, ...selection];
      await logged("npx", ["--yes", packageManager, ...options], { env: { CI: "true" } });
      if (selection.length > 0) permitMore();
    }),
  );
}

/**
 * Lets the next installation add development packages. pnpm would otherwise install all packages anew, under the service that
 * runs from them, because the kinds of dependencies differ.
 */
function permitMore() {
  const path = join(root, "node_modules/.modules.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace('"devDependencies": false', '"devDependencies": true'));
}

async function build(programs) {
  const stale = programs.filter(
    ({ name, folder, mode = "" }) => stampOf(name) !== `${mode} ${inputOf(folder)}`,
  );
  if (stale.length === 0) return;
  await phase("build", (logged) =>
    Promise.all(
      stale.map(async ({ name, folder, mode = "", work }) => {
        rmSync(stampPath(name), { force: true });
        await work(logged);
        stamp(name, `${mode} ${inputOf(folder)}`);
      }),
    ),
  );
}

function bundleOf(app) {
  const target = app === "cli" ? "bundled" : "dist";
  return {
    name: `bundle-${app}`,
    folder: `apps/${app}/${target}`,
    work: (logged) =>
      logged(process.execPath, ["scripts/bundle.mjs", `--to=${target}`, `apps/${app}`]),
  };
}

function pagesBuild(mode) {
  return {
    name: "pages",
    mode,
    folder: "apps/admin-api/dist/built-pages",
    work: (logged) =>
      logged(process.execPath, ["node_modules/vite/bin/vite.js", "build", `--mode=${mode}`], {
        cwd: join(root, "apps/console"),
      }),
  };
}

/** The digest of the files that a build was made of, which it lists; undefined if there is no build. */
function inputOf(folder) {
  const list = read(join(root, folder, "inputs.json"));
  return list && digestOf(["pnpm-lock.yaml", "scripts/bundle.mjs", ...JSON.parse(list)]);
}

/**
 * Creates and migrates the embedded database of a first start, as long as other phases compute. The service reports what
 * prevents that, and does it itself if it was interrupted.
 */
async function createDatabase(folder) {
  if (existsSync(resolve(root, folder, "postgres-place"))) return;
  await phase("database", async (logged) => {
    await logged(process.execPath, [
      ...["scripts/bundle.mjs", "--entry=create-database", "--to=dist/first-start"],
      "apps/standalone",
    ]);
    const program = "apps/standalone/dist/first-start/create-database.js";
    await logged(process.execPath, [program, folder]);
  });
}

/** The service meets the same fault, and reports it in words for the operator. */
function leaveToService(error) {
  if (!(error instanceof PhaseError)) throw error;
}

/** Runs `work` unless it was done with the same input. */
async function unlessCurrent(name, input, work) {
  if (stampOf(name) === input) return;
  await work();
  stamp(name, input);
}

function stampPath(name) {
  return join(stateFolder, `${name}.stamp`);
}

function stampOf(name) {
  return read(stampPath(name));
}

function stamp(name, input) {
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(stampPath(name), input);
}

/** The folders of all packages of the workspace. */
function workspaces() {
  const groups = ["apps", "packages", "infra"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  return [...groups, "scripts"].filter((folder) => existsSync(join(root, folder, "package.json")));
}

function digestOf(paths) {
  const hash = createHash("sha256").update(
    `${process.version} ${process.platform} ${process.arch}`,
  );
  for (const path of paths.toSorted())
    hash.update(`\n${path}\n`).update(read(join(root, path)) ?? "");
  return hash.digest("hex");
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
