// Installs another product from npm in a temporary folder, and starts it.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { atEnd, findFreePort, stopProcess } from "../processes.mjs";

const run = promisify(execFile);

/**
 * Installs packages in a folder that `endAll` removes; `BENCH_PEERS` names a folder that is kept and used again.
 *
 * @param node the Node that runs the installation, which selects the binaries of native packages
 * @returns the folder's `node_modules`
 */
export async function install(name, packages, { node = process.execPath, flags = [] } = {}) {
  const kept = process.env.BENCH_PEERS;
  const folder =
    kept === undefined ? mkdtempSync(join(tmpdir(), `rowhouse-peer-${name}-`)) : join(kept, name);
  if (kept === undefined) atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = dirname(node) + delimiter + process.env.PATH;
  const args = ["install", "--no-audit", "--no-fund", ...flags, "--prefix", folder, ...packages];
  await run("npm", args, {
    env: { ...process.env, PATH: path, NODE_ENV: "production" },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 15 * 60_000,
  });
  return join(folder, "node_modules");
}

/** Runs a program of a product to its end. */
export async function runOnce(node, args, environment, cwd) {
  await run(node, args, { env: environmentOf(environment), cwd, timeout: 5 * 60_000 });
}

/** Starts a program of a product on a free port, which `withPort` puts into its arguments and environment. */
export async function startPeer(node, withPort, cwd) {
  const port = String(await findFreePort());
  const { args, environment } = withPort(port);
  const child = spawn(node, args, { env: environmentOf(environment), cwd, stdio: "ignore" });
  atEnd(() => stopProcess(child));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid };
}

function environmentOf(environment) {
  return { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...environment };
}
