// Tier: long. Packs and installs packages.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeOf, pack, readJson, root, run } from "./archives.ts";
import {
  type Archives,
  classicYarn,
  npm,
  type PackageManager,
  pnpmOf,
  yarn,
} from "./package-managers.ts";

// The published packages in a project that has nothing else: installed from their archives by each package manager, without a
// registry that has them and without our patches.

/** Imports every entry of every package, and prints their count. */
const load = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
let count = 0;
for (const name of Object.keys(require("./package.json").dependencies)) {
  const { exports = {} } = require(name + "/package.json");
  for (const path of Object.keys(exports)) {
    if (path === "./package.json") continue;
    await import(name + path.slice(1));
    count += 1;
  }
}
console.log(count);
`;
const { packageManager } = await readJson(join(root, "package.json"));
const managers = [npm, pnpmOf(packageManager), classicYarn, yarn];

let folder: string;
let archives: Archives;
let entries: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-installed-"));
  const home = join(folder, "archives");
  await pack(home, "./packages/*", "rowhouse");
  const found: Record<string, string> = {};
  entries = 0;
  for (const file of await readdir(home)) {
    const archive = join(home, file);
    const manifest = await run("tar", ["-xzOf", archive, "package/package.json"]);
    const { name, private: isPrivate, exports = {} } = JSON.parse(manifest.stdout);
    if (isPrivate === true) continue;
    found[name] = `file:${archive}`;
    entries += Object.keys(exports).filter((path) => path !== "./package.json").length;
  }
  archives = found;
  expect(Object.keys(archives).length).toBeGreaterThan(10);
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const projectOf = ({ name }: PackageManager) => join(folder, name.replace(" ", "-"));

async function install(manager: PackageManager): Promise<void> {
  const project = projectOf(manager);
  await mkdir(project);
  const manifest = { name: "empty", private: true, type: "module", dependencies: archives };
  const files = {
    ...manager.files(archives),
    "package.json": JSON.stringify({ ...manifest, ...manager.manifest(archives) }),
    "load.mjs": load,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, file), text);
  const [program, ...args] = manager.install;
  await run(program, args, { cwd: project });
}

describe.each(managers)("with $name", (manager) => {
  beforeAll(() => install(manager), 600_000);

  it("every entry of every package loads, and the command line runs", async () => {
    const cwd = projectOf(manager);
    const [program, ...args] = manager.exec ?? [process.execPath];
    const node = manager.exec === undefined ? [] : ["node"];
    const loaded = await run(program, [...args, ...node, "load.mjs"], { cwd });
    expect(loaded.stdout).toBe(`${entries}\n`);
    const help =
      manager.exec === undefined
        ? await run("node_modules/.bin/rowhouse", ["--help"], { cwd })
        : await run(program, [...args, "rowhouse", "--help"], { cwd });
    expect(help.stdout).toMatch(/^Usage: rowhouse /);
  });
});

it.each(["22", "24"])("every entry of every package loads under Node.js %s", async (version) => {
  const node = await nodeOf(version);
  if (node === undefined) throw new Error(`npm cannot load node@${version}`);
  const loaded = await run(node, ["load.mjs"], { cwd: projectOf(npm) });
  expect(loaded.stdout).toBe(`${entries}\n`);
});

it("the tests that the pages of the patches name pass on the installed packages", async () => {
  const project = projectOf(npm);
  // An installed package could otherwise load the published one.
  expect(existsSync(join(project, "node_modules/postgres"))).toBe(false);
  expect(existsSync(join(project, "node_modules/@marcbachmann"))).toBe(false);
  const files = await testsOfPatches();
  expect(files.length).toBeGreaterThan(6);
  const report = join(folder, "report.json");
  await run(
    join(root, "node_modules/.bin/vitest"),
    ["run", ...files, "--reporter=json", `--outputFile=${report}`],
    { cwd: root, env: { ...ownEnvironment(), ROWHOUSE_TEST_INSTALLED: project } },
  );
  const { testResults, numPassedTests, numFailedTests } = await readJson(report);
  const ran = testResults.map(({ name }: { readonly name: string }) => basename(name)).sort();
  expect(ran).toEqual(files.map((file) => basename(file)).sort());
  expect(numFailedTests).toBe(0);
  expect(numPassedTests).toBeGreaterThan(150);
}, 600_000);

/** The test files that the pages name, as a path or as a name in the tests of the package that imports the driver. */
async function testsOfPatches(): Promise<string[]> {
  const files = new Set<string>();
  for (const page of ["postgres.md", "cel-js.md"]) {
    const text = await readFile(join(root, "docs/patches", page), "utf8");
    for (const [, name = ""] of text.matchAll(/`([\w./-]+)`/g)) {
      const places = [name, `packages/db/test/${name}.test.ts`];
      for (const place of places.filter((each) => each.endsWith(".test.ts"))) {
        if (existsSync(join(root, place))) files.add(place);
      }
    }
  }
  return [...files];
}

/** The environment without what this run of Vitest sets for its own tests. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|TEST$|NODE_ENV$|ROWHOUSE_TEST)/.test(name),
  );
  return Object.fromEntries(entries);
}
