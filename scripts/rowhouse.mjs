// The commands of package.json on a machine with only Node and npm. Nothing is installed when this runs, so it imports only
// modules of Node.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { programCommand, run } from "./phases.mjs";
import { root } from "./places.mjs";
import { prepare, services } from "./prepare.mjs";

const [command, ...args] = process.argv.slice(2);
const folderOfCaller = findFolderOfCaller();
const everything = { all: true, apps: [...services, "cli"], pages: "production" };
const tiers = { test: "usual", "test-all": "all", "test-ci": "ci" };

requireNode(20, 19);
process.chdir(root);
if (command === "start") {
  const { DATABASE_URL = "", ROWHOUSE_DATA_DIR = "" } = process.env;
  const database = DATABASE_URL === "" ? ROWHOUSE_DATA_DIR || ".rowhouse" : undefined;
  await prepare({ apps: ["standalone"], pages: "production", database });
  await become("apps/standalone/dist/main.js");
} else if (command === "cli") {
  // Not the bundles of the apps, because a service may run from them.
  await prepare({ apps: ["cli"] });
  await become("apps/cli/bundled/main.js", folderOfCaller);
} else if (command === "bench") {
  await prepare({ all: true, apps: services, pages: "production" });
  // It imports packages, which only a build compiles.
  process.env.NODE_ENV ??= "production";
  process.exit(await runProgram("infra/bench/src/bench.mjs"));
} else if (command === "artefacts") {
  await prepare({ apps: services, pages: "artefact" });
  await become("scripts/artefacts.mjs");
} else if (command in tiers) {
  await prepare(everything);
  const { runTests } = await import("./run-tests.mjs");
  process.exit(await runTests(tiers[command], args));
} else if (command === "test-topologies") {
  await prepare(everything);
  process.exit(await runProgram("packages/testing/src/run-topologies.ts"));
} else if (command === "test-long") {
  await prepare(everything);
  const { runLongTests } = await import("./long-tests.mjs");
  process.exit(await runLongTests(args));
} else if (command === "check") {
  const { check } = await import("./check.mjs");
  process.exit(await check(args));
} else if (command === "pictures") {
  await prepare({ all: true, apps: ["standalone"], pages: "production" });
  process.exit(await runProgram("infra/browser/src/pictures.ts"));
} else {
  fail(
    "usage: node scripts/rowhouse.mjs start|cli|test|test-all|test-ci|test-long|test-topologies|check|pictures|bench|artefacts",
  );
}

/** Runs a program on the TypeScript sources of the packages to its end, and returns its exit code. */
function runProgram(file) {
  const [node, ...options] = programCommand(file, ...args);
  return run(node, options);
}

/** Runs a program in this process, so that it receives the signals and sets the exit code. */
async function become(program, folder = root) {
  process.chdir(folder);
  const file = join(root, program);
  process.env.NODE_ENV ??= "production";
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** Returns the folder that relative paths of the caller refer to. npm starts a script in the root and reports that folder. */
function findFolderOfCaller() {
  const { npm_lifecycle_event: script, INIT_CWD: ofCaller } = process.env;
  const folder = process.cwd();
  return script === "rowhouse" && folder === root ? (ofCaller ?? folder) : folder;
}

function requireNode(major, minor) {
  const [actualMajor = 0, actualMinor = 0] = process.versions.node.split(".").map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return;
  fail(`Rowhouse needs Node ${major}.${minor} or newer; this is ${process.version}.`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
