// pnpm test:topologies [seven|seven-behind-pgbouncer] [-- part of a file's name …]
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftOut } from "./left-out.ts";
import { root, topologyTests } from "./test-files.ts";

const distributed = ["seven", "seven-behind-pgbouncer"] as const;
type Distributed = (typeof distributed)[number];

const say = (line: string) => process.stdout.write(`${line}\n`);
const given = process.argv.slice(2).filter((argument) => argument !== "--");
const kinds = distributed.filter((kind) => given.includes(kind));
const parts = given.filter((argument) => !distributed.some((kind) => kind === argument));
const files = topologyTests().filter(
  (path) => parts.length === 0 || parts.some((part) => path.includes(part)),
);
if (files.length === 0) throw new Error(`No name of a test file contains ${parts.join(" or ")}`);

say("Left out, on every topology:");
for (const [path, reason] of Object.entries(leftOut)) say(`  ${path}: ${reason}`);
// Seven processes start for each file; from built code they start in half the time.
if ((await run("tsc", ["-b"], {})) !== 0) throw new Error("The build failed");
const counts: string[] = [];
for (const kind of kinds.length === 0 ? distributed : kinds) {
  counts.push(await runTests(kind));
}
for (const line of counts) say(line);

/** Runs the files on a topology, and returns the line with its counts. */
async function runTests(kind: Distributed): Promise<string> {
  say(`\n== ${kind}: ${files.length} files`);
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-topology-"));
  const report = join(folder, "report.json");
  const code = await run(
    "vitest",
    [
      "run",
      // The machine has seven times as much work as with the tests' default topology.
      "--testTimeout=180000",
      "--hookTimeout=240000",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...files,
    ],
    {
      ROWHOUSE_TEST_TOPOLOGY: kind,
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
  return `${kind}: ${files.length} files, ${numPassedTests} tests passed, ${numFailedTests} failed, ${numPendingTests} left out`;
}

/** Runs a program of the repository to its end, and returns its exit code. */
function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    spawn(join(root, "node_modules/.bin", program), args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...environment },
    })
      .once("error", reject)
      .once("exit", (code) => resolve(code ?? 1));
  });
}
