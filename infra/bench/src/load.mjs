// Load on one address, by wrk, or by autocannon if wrk is not installed.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** A folder for the scripts of wrk. */
export const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
export const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

/** The tool; its number of connections follows. */
export const tool = hasWrk ? "wrk -t1 -c" : "autocannon -c ";

/**
 * Measures requests per second and their latency in milliseconds.
 *
 * @param shape method, path, headers and body; `#` in path and body is replaced by a number from 1 to `idMax`, or by one of
 *   `values`, a different one on each request (autocannon: the same one)
 */
export async function measure(url, shape, seconds, connections = 32) {
  const result = await (hasWrk ? byWrk : byAutocannon)(url, shape, seconds, connections);
  if (result.errors > 0) throw new Error(`${result.errors} responses of ${shape.path} were errors`);
  return result;
}

async function byWrk(url, { method, path, headers, body, idMax, values }, seconds, connections) {
  const script = join(folder, "load.lua");
  const quote = (text) => JSON.stringify(text);
  writeFileSync(
    script,
    `math.randomseed(42)
local headers = { ${Object.entries(headers).map(([name, value]) => `[${quote(name)}] = ${quote(value)}`)} }
local path, body = ${quote(path)}, ${body === undefined ? "nil" : quote(body)}
local values = ${values === undefined ? "nil" : `{ ${values.map(quote)} }`}
request = function()
  local id = values and values[math.random(#values)] or tostring(math.random(1, ${idMax}))
  return wrk.format(${quote(method)}, (path:gsub("#", id)), headers, body and (body:gsub("#", id)))
end
`,
  );
  return runWrk(url, script, seconds, connections);
}

/** Runs wrk with a script that defines `request`. */
export async function runWrk(url, script, seconds, connections) {
  const { stdout } = await run("wrk", [
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--latency",
    "--timeout",
    "30s",
    "-s",
    script,
    url,
  ]);
  const number = (pattern) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const socketErrors = /Socket errors: (.*)/.exec(stdout)?.[1] ?? "";
  return {
    rate: number(/Requests\/sec:\s+([\d.]+)/),
    requests: number(/(\d+) requests in/),
    p50: milliseconds(stdout, "50%"),
    p99: milliseconds(stdout, "99%"),
    errors: number(/Non-2xx or 3xx responses: (\d+)/) + (/[1-9]/.test(socketErrors) ? 1 : 0),
  };
}

function milliseconds(text, percentile) {
  const [, value, unit] = new RegExp(`${percentile}\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

async function byAutocannon(
  url,
  { method, path, headers, body, idMax, values },
  seconds,
  connections,
) {
  const id = values?.[0] ?? String(Math.ceil(idMax / 2));
  const args = [
    "--yes",
    "autocannon@8.0.0",
    "-c",
    String(connections),
    "-d",
    String(seconds),
    "-m",
    method,
    "--json",
  ];
  for (const [name, value] of Object.entries(headers)) args.push("-H", `${name}=${value}`);
  if (body !== undefined) args.push("-b", body.replaceAll("#", id));
  const { stdout } = await run("npx", [...args, url + path.replaceAll("#", id)]);
  const { requests, latency, errors, non2xx } = JSON.parse(stdout);
  const { total } = requests;
  return {
    rate: requests.average,
    requests: total,
    p50: latency.p50,
    p99: latency.p99,
    errors: errors + non2xx,
  };
}
