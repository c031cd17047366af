// CPU time of a request, from /proc: of a Node process, and of all processes of the PostgreSQL server.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import postgres from "postgres";

/** Why the CPU time cannot be measured here, or undefined. */
export function whyNoCpu() {
  return process.platform === "linux" ? undefined : "--cpu needs /proc, which only Linux has";
}

/** Returns the id of the main process of a PostgreSQL server on this machine. */
export async function findPostmaster(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    const [{ pid }] = await sql`select pg_backend_pid() as pid`;
    // A server elsewhere, or in a container, has other process ids.
    if (!nameOf(pid).startsWith("postgres")) {
      throw new Error("--cpu needs a PostgreSQL server among the processes of this machine");
    }
    return statOf(pid).parent;
  } finally {
    await sql.end();
  }
}

/**
 * Runs a load and returns its result with the CPU time per request in µs.
 *
 * @param pid the Node process
 * @param postmaster the main process of PostgreSQL
 * @param load returns the number of its `requests`
 */
export async function withCpu(pid, postmaster, load) {
  const before = read(pid, postmaster);
  const result = await load();
  const after = read(pid, postmaster);
  const each = (name) => ((after[name] - before[name]) * 1_000_000) / ticks() / result.requests;
  const cpu = { user: each("user"), system: each("system"), database: each("database") };
  return { ...result, cpu };
}

function read(pid, postmaster) {
  const node = statOf(pid);
  const main = statOf(postmaster);
  let database = main.user + main.system + main.ended;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { parent, user, system } = statOf(name);
      if (parent === postmaster) database += user + system;
    } catch {
      // The process has ended.
    }
  }
  return { user: node.user, system: node.system, database };
}

function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the parent of a process and its times in ticks; `ended` is the time of its children that have ended. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain spaces; the state is the first field after it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), user, system, ended: endedUser + endedSystem };
}

let ticksOfSecond;
function ticks() {
  ticksOfSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticksOfSecond;
}
