// pnpm test:topologies [seven|seven-behind-pgbouncer] [-- part of a file's name …]
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const distributed = ["seven", "seven-behind-pgbouncer"] as const;
type Distributed = (typeof distributed)[number];

const say = (line: string) => process.stdout.write(`${line}\n`);
const given = process.argv.slice(2).filter((argument) => argument !== "--");
const kinds = distributed.filter((kind) => given.includes(kind));
const parts = given.filter((argument) => !distributed.some((kind) => kind === argument));
const counts: string[] = [];
for (const kind of kinds.length === 0 ? distributed : kinds) {
  counts.push(await runTests(kind));
}
for (const line of counts) say(line);

/** Runs the files on a topology, and returns the line with its counts. */
async function runTests(kind: Distributed): Promise<string> {
  say(`\n== ${kind}`);
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-topology-"));
  const report = join(folder, "report.json");
  const code = await run(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      // The machine has seven times as much work as with the tests' default topology.
      "--testTimeout=180000",
      "--hookTimeout=240000",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...parts,
    ],
    {
      ROWHOUSE_TESTS: "topologies",
      ROWHOUSE_TEST_TOPOLOGY: kind,
      // Processes start from bundles in half the time that they need from sources, and seven start for each file.
      ROWHOUSE_TEST_BUILT: "1",
      ROWHOUSE_REQUIRE_REDIS: "1",
      ROWHOUSE_REQUIRE_PGBOUNCER: "1",
    },
  );
  if (code !== 0) process.exitCode = 1;
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  ) as Record<string, number> & { testResults: { status: string; name: string }[] };
  rmSync(folder, { recursive: true, force: true });
  const failed = testResults.filter(({ status }) => status !== "passed");
  for (const { name } of failed) say(`failed on ${kind}: ${name.replace(root, "")}`);
  return `${kind}: ${testResults.length} files, ${numPassedTests} tests passed, ${numFailedTests} failed, ${numPendingTests} left out`;
}

/** Runs a program of Node.js to its end, in the repository's root, and returns its exit code. */
function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...environment },
    })
      .once("error", reject)
      .once("exit", (code) => resolve(code ?? 1));
  });
}
