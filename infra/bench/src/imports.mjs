// Rows a second of an import, against `psql \copy` of the same file into the same table, in one run.
import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, openAsBlob, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { atEnd, median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { administrator, createWorld, loadRows } from "./world.mjs";

const rowCount = 1_000_000;
const columns = "owner,title,code,quantity,price";

export async function benchImports({ rounds }) {
  if (spawnSync("psql", ["--version"]).status !== 0) throw new Error("psql is not installed");
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service.url}/readyz`);
  await loadRows(databaseUrl);
  const session = await createWorld(service.url);
  const file = await writeFile();
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  atEnd(() => sql.end());
  const before = residentMegabytes(service.pid);
  let memory = before;
  const watch = setInterval(() => {
    memory = Math.max(memory, residentMegabytes(service.pid));
  }, 100);
  const rates = { copy: [], import: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of [
      ["copy", () => copy(databaseUrl, file)],
      ["import", () => send(service.url, session, file)],
    ]) {
      await sql.unsafe("truncate bench.items");
      await sql.unsafe("checkpoint");
      const from = performance.now();
      await run();
      const rate = (rowCount / (performance.now() - from)) * 1000;
      // The first round warms up.
      if (round > 0) rates[name].push(rate);
    }
  }
  clearInterval(watch);
  const ratios = rates.import.map((rate, index) => rate / rates.copy[index]);
  console.log(`psql \\copy  ${Math.round(median(rates.copy))} rows/s`);
  console.log(`import      ${Math.round(median(rates.import))} rows/s`);
  console.log(`ratio       ${median(ratios).toFixed(2)} (aim: 0.5 or more)`);
  console.log(`memory      ${Math.round(before)} MB, at most ${Math.round(memory)} MB`);
}

async function writeFile() {
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "items.csv");
  function* lines() {
    yield `${columns}\r\n`;
    for (let row = 0; row < rowCount; row += 1) {
      yield `clerk@example.com,"Item, number ${row}",C-${row},${row % 1000},${row}.50\r\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

function copy(databaseUrl, file) {
  const command = `\\copy bench.items (${columns}) from '${file}' (format csv, header)`;
  const { status, stderr } = spawnSync("psql", [databaseUrl, "-qc", command]);
  if (status !== 0) throw new Error(String(stderr));
}

async function send(url, session, file) {
  const answer = await fetch(`${url}/api/bench/table/items`, {
    method: "POST",
    headers: { Authorization: `Bearer ${session}`, "Content-Type": "text/csv" },
    body: await openAsBlob(file),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.text();
}

/** Zero on systems other than Linux. */
function residentMegabytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+([0-9]+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
