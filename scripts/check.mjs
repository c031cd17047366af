// `pnpm check [path …]`: format, lint, types and structure, and the tests that the changed files can reach. Without a path,
// the changes since the last commit count; without a change, the last commit.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { filesBelow, reachableFrom } from "./import-graph.mjs";
import { exitWithFault, phase, run } from "./phases.mjs";
import { root, stateFolder } from "./places.mjs";
import { prepare } from "./prepare.mjs";

/** How long the tests may take in all, by their last durations. The nearest ones run. */
const testsMs = 20_000;
/** Of a file that has not been run yet. */
const assumedMs = 3_000;

/** Tests of programs that start as processes of their own, which no import shows. */
const spawned = [
  [
    /^(?:apps|packages)\/(?:gateway|data-api|admin-api|workflow-worker)\/src/,
    ["apps/standalone/test/four-processes.test.ts"],
  ],
  [/^apps\/console\/src/, ["infra/browser/test/smoke.test.ts"]],
  [/^apps\/standalone\/src|^scripts\//, ["apps/standalone/test/npm-start.test.ts"]],
  [/^apps\/cli\/|^scripts\//, ["apps/cli/test/from-checkout.test.ts"]],
  [/\.md$/, ["packages/testing/test/documents.test.ts"]],
];

export async function check(paths) {
  const changed = changedFiles(paths);
  if (changed.length === 0) {
    console.log("Nothing has changed.");
    return 0;
  }
  const bin = (name) => join(root, "node_modules/.bin", name);
  const sources = changed.filter((path) => /\.(?:tsx?|mjs|json|css)$/.test(path));
  const tests = testsFor(changed);
  await prepare({ all: true });
  try {
    if (sources.length > 0) {
      await phase("format", (logged) =>
        logged(bin("biome"), ["check", "--write", "--no-errors-on-unmatched", ...sources]),
      );
    }
    await Promise.all([
      phase("types", async (logged) => {
        await logged(bin("tsc"), ["-b"]);
        if (changed.some((path) => /^(?:infra|apps|packages)\/[\w-]+\/test\//.test(path)))
          await logged(bin("tsc"), ["-p", "tsconfig.tests.json"]);
      }),
      phase("structure", async (logged) => {
        await logged(bin("knip"), ["--cache", "--cache-location", join(stateFolder, "knip")]);
        await logged(process.execPath, ["--import", "tsx", "infra/checks/src/main.ts"]);
      }),
    ]);
  } catch (error) {
    exitWithFault(error);
  }
  if (tests.chosen.length === 0) return 0;
  const code = await run(bin("vitest"), ["run", ...tests.chosen]);
  const { length: left } = tests.left;
  if (left > 0) console.log(`${left} more files can be reached; npm test runs them.`);
  return code;
}

function changedFiles(paths) {
  const git = (...args) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  if (paths.length > 0) {
    return paths.flatMap((path) =>
      statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path],
    );
  }
  const now = [
    ...git("diff", "--name-only", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  const all = now.length > 0 ? now : git("diff", "--name-only", "HEAD~1", "HEAD");
  return all.filter((path) => existsSync(join(root, path)));
}

/** The test files that reach a changed file, nearest first, as many as fit into the time. */
function testsFor(changed) {
  const wanted = new Set(changed);
  const durations = readDurations();
  const named = spawned.filter(([pattern]) => changed.some((path) => pattern.test(path)));
  const mapped = new Set(named.flatMap(([, files]) => files));
  const found = filesBelow("apps", "packages", "infra")
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) => {
      const isMapped = mapped.has(path) || wanted.has(path);
      if (!isMapped && !isUsual(path)) return [];
      const reached = isMapped ? 0 : distanceOf(path, wanted);
      return reached === undefined ? [] : [{ path, reached, ms: durations[path] ?? assumedMs }];
    })
    .sort((a, b) => a.reached - b.reached || a.ms - b.ms);
  let ms = 0;
  const isChosen = ({ reached, ms: each }) => {
    ms += each / Math.max(2, availableParallelism());
    return reached === 0 || ms <= testsMs;
  };
  const chosen = found.filter(isChosen).map(({ path }) => path);
  return { chosen, left: found.filter(({ path }) => !chosen.includes(path)) };
}

function isUsual(path) {
  const [first = ""] = readFileSync(join(root, path), "utf8").split("\n", 1);
  return !/^\/\/ Tiers?:/.test(first) || first.includes("usual");
}

function distanceOf(test, wanted) {
  const distances = [...reachableFrom(test)].filter(([path]) => wanted.has(path));
  return distances.length === 0
    ? undefined
    : Math.min(...distances.map(([, distance]) => distance));
}

function readDurations() {
  try {
    return JSON.parse(readFileSync(join(stateFolder, "test-durations.json"), "utf8"));
  } catch {
    return {};
  }
}
