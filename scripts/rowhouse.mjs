// `npm start`, `npm test`, `npm run rowhouse`, `npm run test:browser`, `npm run pictures`, `npm run bench` and `npm run artefacts`
// on a machine with only Node and npm. Nothing is installed when this runs, so it imports only modules of Node.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isWindows = process.platform === "win32";
const [command, ...args] = process.argv.slice(2);
const folderOfCaller = findFolderOfCaller();
/** The standard input and output of the command line carry MCP or a file, so nothing else uses them. */
const isCli = command === "cli";

requireNode(20, 19);
process.chdir(root);
if (command === "start") await become("apps/standalone/dist/main.js");
else if (command === "bench") await become("infra/bench/src/bench.mjs");
else if (command === "artefacts") await become("scripts/artefacts.mjs");
else if (command === "cli") await become("apps/cli/dist/main.js", folderOfCaller);
else if (command === "test") await test(args);
else if (command === "test-browser") await test(["infra/browser", ...args]);
else if (command === "pictures") await pictures();
else fail("usage: node scripts/rowhouse.mjs start|cli|test|test-browser|pictures|bench|artefacts");

/** Runs a program in this process, so that it receives the signals and sets the exit code. */
async function become(program, folder = root) {
  await prepare();
  process.chdir(folder);
  const file = join(root, program);
  process.env.NODE_ENV ??= "production";
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

async function test(chosen) {
  await prepare();
  const redisIsMissing = spawnSync("redis-server", ["--version"]).error !== undefined;
  if (redisIsMissing && process.env.ROWHOUSE_REQUIRE_REDIS !== "1") {
    console.log(
      "\nWARNING: redis-server is not on the PATH. The tests of the queue on Redis and of the apps as separate\nprocesses are skipped; the queue on PostgreSQL is tested.\n",
    );
  }
  // Apps in separate processes run from the fresh build, as they do for users.
  process.env.ROWHOUSE_TEST_BUILT ??= "1";
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-report-"));
  const report = join(folder, "report.json");
  const code = await run("node_modules/.bin/vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...chosen,
  ]);
  const { passed, failed } = count(report, code);
  rmSync(folder, { recursive: true, force: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(code);
}

/** Photographs the pages, in a process of its own that reads the sources of the packages. */
async function pictures() {
  await prepare();
  const program = "infra/browser/src/pictures.ts";
  const options = ["--conditions=rowhouse-source", "--import", "tsx", program];
  process.exit(await run(process.execPath, [...options, ...args]));
}

/** Installs and builds if something has changed since the last time. */
async function prepare() {
  const { packageManager } = readJson("package.json");
  const pnpm = (...rest) => run("npx", ["--yes", packageManager, ...rest]);
  await unlessCurrent("install", digest(["pnpm-lock.yaml", ...manifests()]), () =>
    pnpm("install", "--frozen-lockfile"),
  );
  const inputs = ["pnpm-lock.yaml", "scripts/bundle.mjs", ...manifests(), ...sources()];
  const input = digest(inputs);
  if (!isCli) return unlessCurrent("build", input, () => pnpm("run", "build"));
  // A service may run from the bundles of the apps, so the command line builds only itself.
  if (read(stampOf("build")) === input) return;
  await unlessCurrent("build-cli", input, () => pnpm("run", "build", "--filter=@rowhouse/cli"));
}

/** Runs `work` unless it was done with the same input; a failure ends this process with its code. */
async function unlessCurrent(name, input, work) {
  const stamp = stampOf(name);
  if (read(stamp) === input) return;
  const report = isCli ? console.error : console.log;
  report(`Rowhouse: ${name} …`);
  const code = await work();
  if (code !== 0) process.exit(code);
  writeFileSync(stamp, input);
}

function stampOf(name) {
  return join(root, `node_modules/.rowhouse-${name}`);
}

/** Returns the folder that relative paths of the caller refer to. npm starts a script in the root and reports that folder. */
function findFolderOfCaller() {
  const { npm_lifecycle_event: script, INIT_CWD: ofCaller } = process.env;
  const folder = process.cwd();
  return script === "rowhouse" && folder === root ? (ofCaller ?? folder) : folder;
}

function manifests() {
  const packages = ["apps", "packages", "infra"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/package.json`),
  );
  return ["package.json", "pnpm-workspace.yaml", "turbo.json", "tsconfig.base.json", ...packages];
}

function sources() {
  const folders = manifests()
    .filter((path) => /^(?:apps|packages)\//.test(path))
    .map((path) => dirname(path));
  return folders.flatMap((folder) => [
    `${folder}/tsconfig.json`,
    `${folder}/vite.config.ts`,
    ...filesIn(`${folder}/build`),
    ...filesIn(`${folder}/src`),
  ]);
}

function filesIn(folder) {
  let entries = [];
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) =>
    entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}

function digest(paths) {
  const hash = createHash("sha256").update(
    `${process.version} ${process.platform} ${process.arch}`,
  );
  for (const path of paths.toSorted())
    hash.update(`\n${path}\n`).update(read(join(root, path)) ?? "");
  return hash.digest("hex");
}

/**
 * Runs a program to its end, forwards signals to its process group, and returns its exit code. The group is needed because
 * a shell between npx and pnpm does not forward signals.
 */
function run(program, rest) {
  return new Promise((resolve) => {
    const child = spawn(program, rest, {
      stdio: isCli ? ["ignore", process.stderr.fd, "inherit"] : "inherit",
      shell: isWindows,
      detached: !isWindows,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    });
    const pass = (signal) => {
      if (isWindows) child.kill(signal);
      else if (child.pid !== undefined) process.kill(-child.pid, signal);
    };
    process.on("SIGTERM", pass).on("SIGINT", pass);
    child.on("error", (error) => fail(`${program} cannot be run: ${error.message}`));
    child.on("exit", (code, signal) => {
      process.off("SIGTERM", pass).off("SIGINT", pass);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Counts the passed and failed tests; a file that could not be run, or an error outside of tests, counts as failed. */
function count(report, code) {
  const text = read(report);
  if (text === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text);
  const broken = testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some((each) => each.status === "failed"),
  );
  const failed = numFailedTests + broken.length;
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

function requireNode(major, minor) {
  const [actualMajor = 0, actualMinor = 0] = process.versions.node.split(".").map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return;
  fail(`Rowhouse needs Node ${major}.${minor} or newer; this is ${process.version}.`);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
