// npm run bench -- --idle [--rounds 3]
//
// What an installation without work uses: the service in one process starts on an embedded database, serves one sign-in
// and a few requests, and is then left alone.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { findPostmaster, whyNoCpu, withCpu } from "./cpu.mjs";
import { atEnd, median, start, untilAnswers } from "./processes.mjs";
import { administer, administrator, signIn } from "./world.mjs";

const settleSeconds = 60;
const measuredSeconds = 60;
const paths = ["/resources", "/roles", "/users", "/grants", "/settings", "/workflows"];
const columns = {
  "RSS MB": (one) => one.rss.toFixed(0),
  "heap MB": (one) => one.heap.toFixed(0),
  "external MB": (one) => one.external.toFixed(0),
  "Node %": (one) => one.node.toFixed(2),
  "PostgreSQL %": (one) => one.database.toFixed(2),
  "transactions/min": (one) => one.transactions.toFixed(0),
};

export async function benchIdle({ rounds }) {
  const problem = whyNoCpu();
  if (problem !== undefined) throw new Error(problem.replace("--cpu", "--idle"));
  console.log(`% of one core over ${measuredSeconds} s, Node ${process.version}\n`);
  line("", Object.keys(columns));
  const results = [];
  for (let round = 1; round <= rounds; round += 1) {
    const result = await measureStart();
    results.push(result);
    print(`start ${round}`, result);
  }
  const names = Object.keys(results[0]);
  print(
    "median",
    Object.fromEntries(names.map((name) => [name, median(results.map((one) => one[name]))])),
  );
  console.log("\naim: RSS 130 MB or less, 0.5 % or less of a core for both");
}

async function measureStart() {
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
  // The account of PostgreSQL must be able to enter it.
  chmodSync(folder, 0o755);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const report = join(folder, "report.json");
  const service = await start("../../../apps/standalone/dist/main.js", {
    ROWHOUSE_DATA_DIR: join(folder, "state"),
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
    NODE_OPTIONS: `--report-on-signal --report-exclude-network --report-filename=${report}`,
  });
  await untilAnswers(`${service.url}/readyz`);
  const databaseUrl = readFileSync(join(folder, "state/database-url"), "utf8");
  const call = administer(service.url, await signIn(service.url, administrator));
  for (const path of paths) await call("GET", path);

  await delay(settleSeconds * 1000);
  const postmaster = await findPostmaster(databaseUrl);
  const sql = postgres(databaseUrl, { max: 1 });
  const before = await transactionsOf(sql);
  const { cpu } = await withCpu(service.pid, postmaster, async () => {
    await delay(measuredSeconds * 1000);
    return { requests: measuredSeconds };
  });
  const transactions = ((await transactionsOf(sql)) - before) * (60 / measuredSeconds);
  await sql.end();
  const rss = residentMegabytes(service.pid);
  const { heap, external } = await readHeap(service.pid, report);
  await service.stop();
  // From µs of a second to percent.
  const percent = (microseconds) => microseconds / 10_000;
  return {
    ...{ rss, heap, external, transactions },
    node: percent(cpu.user + cpu.system),
    database: percent(cpu.database),
  };
}

/** Returns the number of transactions on the whole server, each usually of one statement, without this one. */
async function transactionsOf(sql) {
  const [{ count }] = await sql`
    select (sum(xact_commit) + sum(xact_rollback))::float8 as count from pg_catalog.pg_stat_database`;
  return count;
}

function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}

/** Returns the sizes that the process writes in its diagnostic report, in MB. */
async function readHeap(pid, report) {
  process.kill(pid, "SIGUSR2");
  for (let tries = 0; tries < 100; tries += 1) {
    await delay(100);
    try {
      const { javascriptHeap } = JSON.parse(readFileSync(report, "utf8"));
      const { usedMemory, externalMemory } = javascriptHeap;
      return { heap: usedMemory / 2 ** 20, external: externalMemory / 2 ** 20 };
    } catch {
      // It is not written completely yet.
    }
  }
  return { heap: Number.NaN, external: Number.NaN };
}

function print(name, result) {
  line(
    name,
    Object.values(columns).map((show) => show(result)),
  );
}

function line(name, cells) {
  console.log(name.padEnd(10) + cells.map((cell) => cell.padStart(18)).join(""));
}
