// `npm test`, `npm run test:all`, and both together for `.ci/run`: runs a tier of the tests, and ends with the line
// `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./phases.mjs";
import { stateFolder } from "./places.mjs";

/** The line that names what a tier leaves out. */
const leftOut = {
  usual:
    "Left out: several processes, browser journeys, the longest files, and four fifths of the generated cases: npm run test:all",
  all: "Left out: what npm test runs, and npm run test:long",
  ci: "Left out: three fifths of the generated cases, each page in a browser, details of configuration and S3, deployments, other topologies and versions: npm run test:long",
};

/**
 * @param tier `usual`, `all` or `ci` (both)
 * @param chosen arguments of vitest: parts of file names, options
 */
export async function runTests(tier, chosen) {
  const redisIsMissing = spawnSync("redis-server", ["--version"]).error !== undefined;
  if (redisIsMissing && process.env.ROWHOUSE_REQUIRE_REDIS !== "1") {
    console.log(
      "\nWARNING: redis-server is not on the PATH. The tests of the queue on Redis and of the apps as separate\nprocesses are skipped; the queue on PostgreSQL is tested.\n",
    );
  }
  const counts = join(stateFolder, `test-counts-${process.pid}.json`);
  const began = Date.now();
  const code = await run("node_modules/.bin/vitest", ["run", ...chosen], {
    env: {
      ROWHOUSE_TESTS: tier,
      ROWHOUSE_TEST_COUNTS: counts,
      // Apps in separate processes run from the fresh bundles, as they do for users.
      ROWHOUSE_TEST_BUILT: process.env.ROWHOUSE_TEST_BUILT ?? "1",
      ROWHOUSE_CHECK_ANSWERS:
        process.env.ROWHOUSE_CHECK_ANSWERS ?? (tier === "usual" ? "sampled" : "every"),
    },
  });
  const { passed, failed } = readCounts(counts, code);
  rmSync(counts, { force: true });
  console.log(`\n${leftOut[tier]} (${Math.round((Date.now() - began) / 1000)} s)`);
  console.log(`${passed} passed, ${failed} failed`);
  return code;
}

function readCounts(path, code) {
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  const { passed, failed } = JSON.parse(readFileSync(path, "utf8"));
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}
