// npm run bench -- --gateway [--seconds 5 --rounds 3 --only "list of 25" --connections 32 --pin]
//
// Measures the cost of a separate gateway: the service in one process, and gateway and Data API as two processes, in turn, on
// one database. On few processors the two processes take turns, so the CPU time of a request says more than the rate.
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { compareSides, exact, line, printSides, whole } from "./compare.mjs";
import { findPostmaster, whyNoCpu, withCpu } from "./cpu.mjs";
import { measure, tool } from "./load.mjs";
import { start, startDatabase, untilAnswers } from "./processes.mjs";
import { administrator, createShapes, createWorld, loadRows } from "./world.mjs";

// So many requests until both processes run optimized code.
const warmUpRequests = 20_000;
const app = (name) => `../../../apps/${name}/dist/main.js`;

export async function benchGateway({ seconds, rounds, only, connections, pin }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const shared = {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_SECRET: "a secret of the benchmark's own, long enough",
    LOG_LEVEL: "error",
  };
  const one = await start(app("standalone"), {
    ...shared,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
  });
  await untilAnswers(`${one.url}/readyz`);
  await loadRows(databaseUrl);
  const session = await createWorld(one.url);
  // As many connections as one process uses on this machine.
  const pool = String(Math.min(10, Math.max(6, 3 * cpus().length)));
  const dataApi = await start(app("data-api"), { ...shared, DATABASE_CONNECTIONS: pool });
  await untilAnswers(`${dataApi.url}/readyz`);
  const adminApi = await start(app("admin-api"), shared);
  await untilAnswers(`${adminApi.url}/readyz`);
  const gateway = await start(app("gateway"), {
    ...shared,
    DATA_API_URL: dataApi.url,
    ADMIN_API_URL: adminApi.url,
  });
  await untilAnswers(`${gateway.url}/readyz`);
  const postmaster = whyNoCpu() === undefined ? await findPostmaster(databaseUrl) : undefined;
  if (pin) pinProcesses({ gateway, services: [one, dataApi] });

  console.log(
    `${tool}${connections}, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );
  for (const shape of createShapes(session)) {
    if (shape.onlyService || (only !== undefined && shape.name !== only)) continue;
    const sides = [
      { name: "one", pid: one.pid, load: (duration) => load(one.url, duration) },
      { name: "two", pid: dataApi.pid, load: (duration) => loadTwo(duration) },
    ];
    const load = (url, duration) => measure(url, shape, duration, connections);
    const loadTwo = async (duration) => {
      const run = () => load(gateway.url, duration);
      if (postmaster === undefined) return run();
      const { cpu, ...result } = await withCpu(gateway.pid, postmaster, run);
      return { ...result, gateway: cpu };
    };
    const hasCpu = postmaster !== undefined;
    const results = await compareSides(sides, {
      ...{ rounds, seconds, postmaster, warmUpRequests },
      also: hasCpu ? hopCosts : {},
    });
    printSides(shape.name, results, { hasCpu });
    if (hasCpu) printHop(results[1].also);
  }
  console.log("\naim: CPU of gateway and service at most 1.35 times that of the one process");
}

/** Of the two processes; CPU times are those of a request, in µs. */
const hopCosts = {
  user: (two) => two.gateway?.user ?? 0,
  system: (two) => two.gateway?.system ?? 0,
  overOne: (two, one) =>
    (sum(two.cpu) + (two.gateway === undefined ? 0 : sum(two.gateway))) / sum(one.cpu),
};

function sum({ user, system }) {
  return user + system;
}

function printHop({ user, system, overOne }) {
  line(["  gateway", "", "", "", "", "", whole(user), whole(system)]);
  console.log(`  CPU of gateway and service over one: ${exact(overOne)}`);
}

/**
 * Pins each process that is measured to a processor: the gateway to the first, the services to the second. With three or
 * more, wrk gets the third; with two, it and PostgreSQL share both. Needs `taskset`.
 */
function pinProcesses({ gateway, services }) {
  const place = (pid, processor) =>
    execFileSync("taskset", ["-acp", String(processor), String(pid)]);
  if (cpus().length < 2) throw new Error("--pin needs two processors");
  place(gateway.pid, 0);
  for (const { pid } of services) place(pid, 1);
  // wrk inherits it from this process.
  if (cpus().length > 2) place(process.pid, 2);
}
