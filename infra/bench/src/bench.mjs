// npm run bench [-- --seconds 5 --rounds 3 --only "list of 25" --crowd --token --workflows --gateway --import --files --console --idle --dashboard --mcp --constructs --traffic --peers --revocations --reads 1000000 --alone --rows 100000 --connections 32 --cpu --pin]
//
// The service (one process, built, with credential, field list and row filter) and a handwritten handler receive the same
// requests in turn, on the same database, in the same run. Rates differ between machines; the ratio counts.
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { compareSides, printSides, startHandlers } from "./compare.mjs";
import { benchConsole } from "./console.mjs";
import { benchConstructs } from "./constructs.mjs";
import { findPostmaster, whyNoCpu } from "./cpu.mjs";
import { benchDashboards } from "./dashboards.mjs";
import { benchFiles } from "./files.mjs";
import { benchGateway } from "./gateway.mjs";
import { benchIdle } from "./idle.mjs";
import { benchImports } from "./imports.mjs";
import { hasWrk, measure, tool } from "./load.mjs";
import { benchMcp } from "./mcp.mjs";
import { benchPeers } from "./peers/bench.mjs";
import { endAll, median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { benchRevocations } from "./revocations.mjs";
import { createSwitch } from "./settings.mjs";
import { benchTraffic } from "./traffic/bench.mjs";
import { benchWorkflows } from "./workflows.mjs";
import {
  addCrowd,
  administrator,
  createShapes,
  createToken,
  createWorld,
  loadRows,
  rowCount,
} from "./world.mjs";

const options = readOptions();
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const connections = Number(options.connections);
const warmUpSeconds = 2;
const names = createShapes("").map(({ name }) => name);
if (
  options.only !== undefined &&
  !options.constructs &&
  !options.traffic &&
  !names.includes(options.only)
) {
  console.error(`--only must be one of: ${names.map((name) => `"${name}"`).join(", ")}`);
  process.exit(1);
}

if (!Number.isInteger(connections) || connections < 1) {
  console.error("--connections must be a whole number of 1 or more");
  process.exit(1);
}
if (options.traffic && !hasWrk) {
  console.error("--traffic needs wrk");
  process.exit(1);
}
if (options.cpu && whyNoCpu() !== undefined) {
  console.error(whyNoCpu());
  process.exit(1);
}

try {
  if (options.workflows) await benchWorkflows({ seconds, rounds });
  else if (options.import) await benchImports({ rounds });
  else if (options.idle) await benchIdle({ rounds });
  else if (options.files) await benchFiles({ seconds, rounds });
  else if (options.dashboard) await benchDashboards({ rounds });
  else if (options.constructs) await benchConstructs({ rounds, only: options.only });
  else if (options.revocations) await benchRevocations({ reads: Number(options.reads) });
  else if (options.mcp) await benchMcp({ seconds, rounds });
  else if (options.traffic) {
    const { only, alone, cpu } = options;
    await benchTraffic({ seconds, rounds, connections, only, alone, cpu });
  } else if (options.peers) {
    await benchPeers({ seconds, rounds, connections, only: options.only, cpu: options.cpu });
  } else if (options.console) await benchConsole({ rounds, rows: Number(options.rows) });
  else if (options.gateway) {
    await benchGateway({ seconds, rounds, connections, only: options.only, pin: options.pin });
  } else await bench();
} finally {
  await endAll();
}

async function bench() {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
    ...(process.env.REDIS_URL === undefined ? {} : { REDIS_URL: process.env.REDIS_URL }),
  });
  await untilAnswers(`${service.url}/readyz`);
  await loadRows(databaseUrl);
  const session = await createWorld(service.url);
  const handlers = await startHandlers(databaseUrl);

  const share = options.alone ? await createSwitch(service.url) : undefined;
  const postmaster = options.cpu ? await findPostmaster(databaseUrl) : undefined;

  const model = cpus()[0]?.model ?? "?";
  console.log(
    `${rowCount.toLocaleString("en")} rows, ${tool}${connections}, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${model}\n`,
  );
  for (const shape of createShapes(session)) {
    if (options.only !== undefined && shape.name !== options.only) continue;
    const results = await compare(shape, service, handlers, { postmaster, share });
    printSides(shape.name, results, { hasCpu: options.cpu });
  }
  if (options.token) await tokenOverSession(session, service.url);
  if (options.crowd) await crowd(session, service.url, databaseUrl);
}

/** Sends the same reads with a personal access token and with a session, in turn. */
async function tokenOverSession(session, service) {
  const token = await createToken(service, session);
  const [bySession, byToken] = [session, token].map((secret) =>
    createShapes(secret).filter(
      ({ method, name }) =>
        method === "GET" && (options.only === undefined || name === options.only),
    ),
  );
  console.log("\nwith a personal access token, over with a session");
  for (const [index, shape] of bySession.entries()) {
    const sides = [shape, byToken[index]];
    for (const side of sides) await measure(service, side, warmUpSeconds);
    const ratios = [];
    for (let round = 0; round < rounds; round++) {
      const rates = new Map();
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        rates.set(side, (await measure(service, side, seconds)).rate);
      }
      ratios.push(rates.get(sides[1]) / rates.get(sides[0]));
    }
    console.log(`${shape.name.padEnd(26)}${median(ratios).toFixed(2).padStart(12)}`);
  }
}

/** Sends the same requests before and after the creation of 600 tables, 1,000 grants and 100 roles that no request uses. */
async function crowd(session, service, databaseUrl) {
  const shapes = createShapes(session).filter(({ method }) => method === "GET");
  const rate = async (shape) => {
    await measure(service, shape, warmUpSeconds);
    const rates = [];
    for (let round = 0; round < rounds; round++) {
      rates.push((await measure(service, shape, seconds)).rate);
    }
    return median(rates);
  };
  const before = new Map();
  for (const shape of shapes) before.set(shape.name, await rate(shape));
  await addCrowd(databaseUrl);
  console.log("\nwith 600 tables, 1,000 grants and 100 roles more, over without");
  for (const shape of shapes) {
    const ratio = (await rate(shape)) / before.get(shape.name);
    console.log(`${shape.name.padEnd(26)}${ratio.toFixed(2).padStart(12)}`);
  }
}

/** Measures the service and the handwritten handlers; with `--alone` also the service without shared statements. */
function compare(shape, service, handlers, { postmaster, share }) {
  const load = (url) => (duration) => measure(url, shape, duration, connections);
  const own = (name, isOn) => ({
    ...{ name, pid: service.pid, load: load(service.url) },
    before: share && (() => share(isOn)),
  });
  const sides = [
    own("service", true),
    ...(share === undefined ? [] : [own("service, alone", false)]),
    ...(shape.onlyService ? [] : handlers.map((each) => ({ ...each, load: load(each.url) }))),
  ];
  return compareSides(sides, { rounds, seconds, postmaster });
}

/** The options of the command; ends the process on an unknown one. */
function readOptions() {
  const config = {
    options: {
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      only: { type: "string" },
      crowd: { type: "boolean", default: false },
      token: { type: "boolean", default: false },
      workflows: { type: "boolean", default: false },
      gateway: { type: "boolean", default: false },
      import: { type: "boolean", default: false },
      files: { type: "boolean", default: false },
      console: { type: "boolean", default: false },
      idle: { type: "boolean", default: false },
      dashboard: { type: "boolean", default: false },
      mcp: { type: "boolean", default: false },
      constructs: { type: "boolean", default: false },
      traffic: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
      revocations: { type: "boolean", default: false },
      reads: { type: "string", default: "1000000" },
      alone: { type: "boolean", default: false },
      rows: { type: "string", default: "100000" },
      connections: { type: "string", default: "32" },
      cpu: { type: "boolean", default: false },
      pin: { type: "boolean", default: false },
    },
  };
  try {
    return parseArgs(config).values;
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
