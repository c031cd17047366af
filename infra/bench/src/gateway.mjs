// npm run bench -- --gateway [--seconds 5 --rounds 3 --only "list of 25"]
//
// Measures the cost of a separate gateway: the service in one process, gateway and Data API as two processes, and the same
// two with a gateway that forwards by `fetch`, in turn, on one database.
import { cpus } from "node:os";
import { measure, tool } from "./load.mjs";
import { median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { administrator, createShapes, createWorld, loadRows } from "./world.mjs";

const warmUpSeconds = 2;
const app = (name) => `../../../apps/${name}/dist/main.js`;

export async function benchGateway({ seconds, rounds, only }) {
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
  const connections = String(Math.min(10, Math.max(6, 3 * cpus().length)));
  const dataApi = await start(app("data-api"), { ...shared, DATABASE_CONNECTIONS: connections });
  await untilAnswers(`${dataApi.url}/readyz`);
  const adminApi = await start(app("admin-api"), shared);
  await untilAnswers(`${adminApi.url}/readyz`);
  const forwards = { ...shared, DATA_API_URL: dataApi.url, ADMIN_API_URL: adminApi.url };
  const gateway = await start(app("gateway"), forwards);
  const byFetch = await start("./fetch-gateway.mjs", forwards);
  for (const { url } of [gateway, byFetch]) await untilAnswers(`${url}/livez`);

  console.log(
    `${tool}32, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );
  line(["", "one/s", "two/s", "by fetch/s", "two : one", "two : fetch"]);
  for (const shape of createShapes(session)) {
    if (shape.onlyService || (only !== undefined && shape.name !== only)) continue;
    line([shape.name, ...(await compare([one.url, gateway.url, byFetch.url], shape))]);
  }
  console.log("\naims: two : one 0.7 or more, two : fetch 1.5 or more");

  async function compare(sides, shape) {
    for (const url of sides) await measure(url, shape, warmUpSeconds);
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const rates = new Map();
      for (const url of round % 2 === 0 ? sides : sides.toReversed()) {
        rates.set(url, (await measure(url, shape, seconds)).rate);
      }
      results.push(sides.map((url) => rates.get(url)));
    }
    const over = (pick) => median(results.map(pick));
    return [
      whole(over(([one]) => one)),
      whole(over(([, two]) => two)),
      whole(over(([, , byFetch]) => byFetch)),
      over(([one, two]) => two / one).toFixed(2),
      over(([, two, byFetch]) => two / byFetch).toFixed(2),
    ];
  }
}

function whole(rate) {
  return Math.round(rate).toLocaleString("en");
}

function line(cells) {
  const [name, ...rest] = cells;
  console.log(name.padEnd(26) + rest.map((cell) => cell.padStart(12)).join(""));
}
