// `npm run test:long [part …]`: what takes too long for `.ci/run`. Runs one part after the other, and prints a table of what
// ran, with its seconds; a part whose server is not installed is named with the reason.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { programCommand, run } from "./phases.mjs";

const vitest = (...args) => ["node_modules/.bin/vitest", "run", ...args];
const fuzzed = [
  ...["data/test/oracle", "ddl/test/property", "create-table", "view-allowlist", "machine.test"],
  ...["diff.test", "history.test", "recurrence", "secret-redactor", "session-life", "token-life"],
  "kind-schemas",
];
/** Tests with many kinds of statements, which do not depend on the login of the service. */
const named = [
  ...[
    "aggregates",
    "compared-",
    "computed-columns",
    "counted-",
    "cursors",
    "date-parts",
    "document-",
  ],
  ...[
    "domain-values",
    "etags",
    "export.test",
    "expressions",
    "grant-",
    "import.test",
    "import-rights",
  ],
  ...["impossible-values", "junctions", "odd-columns", "ordered-kinds", "ranges", "related-pages"],
  ...["row-history", "search-", "shared-statements.test", "time-zones"],
].map((name) => `packages/data/test/${name}`);
const day = Math.floor(Date.now() / 86_400_000);

/** In the order in which they run. */
const parts = [
  { name: "files", command: vitest(), env: { ROWHOUSE_TESTS: "long" } },
  {
    // The usual tier on the version that the image has. npx downloads it, and programs that a test starts find it first on the PATH.
    name: "node-24",
    command: ["npx", "-y", "node@24", "node_modules/vitest/vitest.mjs", "run"],
    env: { ROWHOUSE_TESTS: "usual" },
  },
  { name: "topologies", command: programCommand("packages/testing/src/run-topologies.ts") },
  ...["15", "16", "17"].map((version) => ({
    name: `postgresql-${version}`,
    needs: `/usr/lib/postgresql/${version}/bin`,
    command: vitest("packages/data", "packages/db", "packages/ddl"),
    env: { ROWHOUSE_TEST_POSTGRES: `/usr/lib/postgresql/${version}/bin` },
  })),
  {
    name: "names",
    command: vitest(...named),
    env: { ROWHOUSE_TEST_LOGIN: "service", ROWHOUSE_TEST_NAMES: "hostile" },
  },
  { name: "fuzz", command: vitest("--mode", "fuzz", ...fuzzed) },
  {
    name: "chaos",
    command: programCommand("infra/chaos/src/chaos.ts", "--seconds=300", `--seed=${day}`),
  },
  { name: "upgrade", command: programCommand("infra/chaos/src/upgrade-check.ts", "HEAD~1") },
  { name: "soak", command: programCommand("infra/chaos/src/soak.ts") },
];

export async function runLongTests(chosen) {
  const unknown = chosen.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(
      `Unknown part ${unknown.join(", ")}; the parts are ${parts.map(({ name }) => name).join(", ")}.`,
    );
    return 1;
  }
  const rows = [];
  for (const { name, needs, command, env = {} } of parts) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    if (needs !== undefined && !existsSync(join(needs, "initdb"))) {
      rows.push({ part: name, seconds: 0, result: `left out: no ${needs}` });
      continue;
    }
    console.log(`\n== ${name}`);
    const began = Date.now();
    const [file, ...args] = command;
    const code = await run(file, args, { env: { ROWHOUSE_TEST_BUILT: "1", ...env } });
    const seconds = Math.round((Date.now() - began) / 1000);
    rows.push({ part: name, seconds, result: code === 0 ? "passed" : `failed (${code})` });
  }
  console.table(rows);
  return rows.some(({ result }) => result.startsWith("failed")) ? 1 : 0;
}
