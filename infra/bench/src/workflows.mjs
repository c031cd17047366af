// npm run bench -- --workflows [--seconds 5 --rounds 3]
//
// Durable runs of the four processes on PostgreSQL and Redis, and a bare BullMQ harness of two processes on the same
// servers, in turn.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { measure, tool } from "./load.mjs";
import {
  atEnd,
  findFreePort,
  median,
  start,
  startDatabase,
  startRedis,
  untilAnswers,
} from "./processes.mjs";
import { administer, administrator, signIn } from "./world.mjs";

const warmUpSeconds = 2;
const queuedRuns = 10_000;
const secret = "a secret of the benchmark's own, long enough";
const app = (name) => `../../../apps/${name}/dist/main.js`;

export async function benchWorkflows({ seconds, rounds }) {
  const redisUrl = process.env.REDIS_URL ?? (await startRedis());
  if (redisUrl === undefined) throw new Error("This benchmark needs redis-server on the PATH");
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
  atEnd(() => sql.end());
  const slow = await startSlowServer();
  const shared = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ROWHOUSE_SECRET: secret,
    LOG_LEVEL: "error",
  };
  const session = await setUp(shared, slow);
  const service = await startService(shared);
  const startWorker = async (more = {}) => {
    const worker = await start(app("workflow-worker"), { ...shared, ...more });
    await untilAnswers(`${worker.url}/readyz`);
    return worker;
  };
  const bare = await startBare(sql, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
  const shape = shapeOf(session);
  console.log(
    `${tool}32, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );

  const worker = await startWorker();
  const runs = { url: service.url, shape: shape("one-step") };
  const harness = { url: bare, shape: { ...shape("one-step"), path: "/" } };
  const wide = await inTurn([runs, harness], seconds, rounds, 32);
  print("runs at c=32", wide, "rate", "/s", "over the bare harness (aim: 0.5 or more)");
  const narrow = await inTurn([runs, harness], seconds, rounds, 1);
  print("p50 at c=1", narrow, "p50", " ms", "times the bare harness (aim: 2.5 or less)");
  await worker.stop();

  await benchTwoWorkers(startWorker, { url: service.url, shape: shape("waits") }, seconds, rounds);
  await benchBacklog(startWorker, service, sql, shape("later"));
}

/** Measures both sides in turn, so that a change of the machine's load affects both. */
async function inTurn(sides, seconds, rounds, connections) {
  for (const { url, shape } of sides) await measure(url, shape, warmUpSeconds, connections);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const result = new Map();
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      result.set(side, await measure(side.url, side.shape, seconds, connections));
    }
    results.push(sides.map((side) => result.get(side)));
  }
  return results;
}

function print(name, results, key, unit, meaning) {
  const [ours, theirs] = [0, 1].map((side) => median(results.map((each) => each[side][key])));
  const ratio = median(results.map(([one, other]) => one[key] / other[key]));
  const round = (value) =>
    value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString("en");
  console.log(
    `${name.padEnd(16)}${round(ours)}${unit}, bare ${round(theirs)}${unit}: ${ratio.toFixed(2)} ${meaning}`,
  );
}

/** Measures runs that only wait 20 ms for another server, with one worker with few slots, and with two. */
async function benchTwoWorkers(startWorker, { url, shape }, seconds, rounds) {
  const few = { WORKER_CONCURRENCY: "4" };
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const first = await startWorker(few);
    await measure(url, shape, warmUpSeconds);
    const one = await measure(url, shape, seconds);
    const second = await startWorker(few);
    await measure(url, shape, warmUpSeconds);
    const two = await measure(url, shape, seconds);
    ratios.push(two.rate / one.rate);
    await Promise.all([first.stop(), second.stop()]);
  }
  console.log(
    `two workers     ${median(ratios).toFixed(2)} times one, on a step that waits 20 ms (aim: 1.5 or more)`,
  );
}

/** Measures runs that were accepted while no worker was running. */
async function benchBacklog(startWorker, service, sql, { path, headers }) {
  const accept = async (number) => {
    const body = JSON.stringify({ number });
    const answer = await fetch(service.url + path, { method: "POST", headers, body });
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.text();
  };
  let next = 0;
  const caller = async () => {
    while (next < queuedRuns) await accept(next++);
  };
  await Promise.all(Array.from({ length: 32 }, caller));
  const open = async () => {
    const [row] =
      await sql`select count(*)::integer as count from system.workflow_runs where finished_at is null`;
    return row.count;
  };
  const waiting = await open();
  const worker = await startWorker();
  const memory = [];
  const begun = performance.now();
  for (let left = waiting; left > 0; left = await open()) {
    memory.push(residentMiB(worker.pid));
    await delay(250);
  }
  const seconds = (performance.now() - begun) / 1000;
  const [row] =
    await sql`select count(*) filter (where status <> 'SUCCEEDED')::integer as others from system.workflow_runs`;
  console.log(
    `backlog         ${waiting.toLocaleString("en")} runs ended in ${seconds.toFixed(1)} s, ${row.others} of all runs not SUCCEEDED; the worker's memory ${memory[0]} MiB at first, ${median(memory)} MiB in the middle, ${memory.at(-1)} MiB at the end, ${Math.max(...memory)} MiB at most`,
  );
}

/** Returns the memory of a process; 0 if the system does not report it. */
function residentMiB(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Starts a server that responds after 20 ms. */
async function startSlowServer() {
  const port = await findFreePort();
  const server = createServer((_request, answer) => {
    setTimeout(() => answer.end("{}"), 20);
  }).listen(port, "127.0.0.1");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/`;
}

/** Creates the schema, the first administrator and the workflows, with a process that then exits. */
async function setUp({ DATABASE_URL }, slow) {
  const standalone = await start(app("standalone"), {
    DATABASE_URL,
    ROWHOUSE_SECRET: secret,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${standalone.url}/readyz`);
  const session = await signIn(standalone.url, administrator);
  const call = administer(standalone.url, session);
  await call("PATCH", "/settings", { "workflows.allowed_hosts": ["127.0.0.1"] });
  const end = { id: "end", kind: "finish", result: { number: "{{start.data.body.number}}" } };
  const administrators = (await call("GET", "/roles")).find(
    ({ name }) => name === "Administrators",
  );
  const publish = async (slug, trigger, steps) => {
    const definition = { trigger: { kind: "webhook", access: "AUTHENTICATED", ...trigger }, steps };
    const { id } = await call("POST", "/workflows", { slug, name: slug, definition });
    await call("POST", `/workflows/${id}/publish`);
    await call("POST", `/workflows/${id}/enable`);
    await call("POST", `/workflows/${id}/invoke-grants`, { roleId: administrators.id });
  };
  await publish("one-step", {}, [end]);
  await publish("waits", {}, [{ id: "wait", kind: "httpRequest", url: slow }, end]);
  await publish("later", { response: "ASYNCHRONOUS" }, [end]);
  await standalone.stop();
  return session;
}

/** Starts gateway, Data API and Admin API; the workers are started and stopped separately. */
async function startService(shared) {
  const [dataPort, adminPort] = [String(await findFreePort()), String(await findFreePort())];
  await start(app("data-api"), { ...shared, PORT: dataPort });
  await start(app("admin-api"), { ...shared, PORT: adminPort });
  const gateway = await start(app("gateway"), {
    DATA_API_URL: `http://127.0.0.1:${dataPort}`,
    ADMIN_API_URL: `http://127.0.0.1:${adminPort}`,
    ROWHOUSE_SECRET: secret,
    LOG_LEVEL: "error",
  });
  for (const port of [dataPort, adminPort]) await untilAnswers(`http://127.0.0.1:${port}/readyz`);
  await untilAnswers(`${gateway.url}/readyz`);
  return gateway;
}

async function startBare(sql, environment) {
  await sql.unsafe(`
    drop schema if exists bare cascade;
    create schema bare;
    create table bare.runs (id uuid primary key, input json not null, result json, ended_at timestamptz)`);
  const [api, worker] = [
    await start("./bare-api.mjs", environment),
    await start("./bare-worker.mjs", environment),
  ];
  await untilAnswers(worker.url);
  for (let tries = 0; ; tries++) {
    const answer = await fetch(api.url, { method: "POST", body: '{"number":1}' }).catch(
      () => undefined,
    );
    if (answer?.ok) return api.url;
    if (tries > 300) throw new Error("The bare harness does not respond");
    await delay(100);
  }
}

function shapeOf(session) {
  return (slug) => ({
    method: "POST",
    path: `/api/workflows/${slug}/webhook`,
    headers: { Authorization: `Bearer ${session}`, "Content-Type": "application/json" },
    body: '{"number":#}',
    idMax: 1_000_000,
  });
}
