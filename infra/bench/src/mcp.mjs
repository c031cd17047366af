// npm run bench -- --mcp [--seconds 5 --rounds 3]
//
// Measures read_rows of the MCP server against the same list of the Data API, in turn, on one process and one database,
// with one token.
import { cpus } from "node:os";
import { measure, tool } from "./load.mjs";
import { median, start, startDatabase, untilAnswers } from "./processes.mjs";
import {
  administer,
  administrator,
  createToken,
  createWorld,
  loadRows,
  rowCount,
  signIn,
} from "./world.mjs";

const warmUpSeconds = 2;
const revision = "2026-07-28";

export async function benchMcp({ seconds, rounds }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const { url } = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${url}/readyz`);
  await loadRows(databaseUrl);
  const token = await createToken(url, await createWorld(url));
  const call = administer(url, await signIn(url, administrator));
  await call("PATCH", "/settings", { "mcp.enabled": true });

  console.log(
    `${tool}32, ${rounds} rounds of ${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "?"}\n`,
  );
  line(["", "list/s", "read_rows/s", "p50 ms", "p50 ms", "ratio"]);
  for (const limit of [25, 200]) line([`${limit} rows`, ...(await compare(limit))]);
  console.log("\naim: ratio 0.6 or more");

  async function compare(limit) {
    const sides = [plainList(token, limit), readRows(token, limit)];
    for (const shape of sides) await measure(url, shape, warmUpSeconds);
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const result = new Map();
      for (const shape of round % 2 === 0 ? sides : sides.toReversed()) {
        result.set(shape, await measure(url, shape, seconds));
      }
      results.push(sides.map((shape) => result.get(shape)));
    }
    const over = (pick) => median(results.map(pick));
    return [
      whole(over(([list]) => list.rate)),
      whole(over(([, read]) => read.rate)),
      over(([list]) => list.p50).toFixed(2),
      over(([, read]) => read.p50).toFixed(2),
      over(([list, read]) => read.rate / list.rate).toFixed(2),
    ];
  }
}

function plainList(token, limit) {
  return {
    method: "GET",
    path: `/api/bench/table/items?limit=${limit}&order_by=id&where[id][_gt]=#`,
    headers: { Authorization: `Bearer ${token}` },
    idMax: rowCount - limit,
  };
}

function readRows(token, limit) {
  const where = { id: { _gt: "#" } };
  const input = { schema: "bench", name: "items", where, orderBy: ["id"], limit };
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": revision,
      "Mcp-Method": "tools/call",
      "Mcp-Name": "read_rows",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "read_rows",
        arguments: input,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": revision,
          "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
    idMax: rowCount - limit,
  };
}

function whole(rate) {
  return Math.round(rate).toLocaleString("en");
}

function line(cells) {
  const [name, ...rest] = cells;
  console.log(name.padEnd(12) + rest.map((cell) => cell.padStart(13)).join(""));
}
