// Programs that the benchmarks start and stop.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startLocalPostgres } from "@rowhouse/local-postgres";

const ends = [];

/** Stops all started programs, the last one first. */
export async function endAll() {
  for (const end of ends.splice(0).reverse()) await end();
}

/** Registers a function that `endAll` calls. */
export function atEnd(end) {
  ends.push(end);
}

export async function startDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
  chmodSync(folder, 0o755);
  const server = await startLocalPostgres({ directory: join(folder, "state") });
  atEnd(async () => {
    await server.stop();
    rmSync(server.place, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
  return server.url;
}

/** Starts a Redis without persistence; returns undefined if redis-server is not installed. */
export async function startRedis() {
  if (spawnSync("redis-server", ["--version"]).status !== 0) return undefined;
  const port = await findFreePort();
  const options = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  atEnd(() => stopProcess(server));
  for (let tries = 0; tries < 200 && !(await accepts(port)); tries++) await delay(50);
  return `redis://127.0.0.1:${port}`;
}

/** Starts a program on a port, as it runs in production. */
export async function start(file, environment) {
  const port = environment.PORT ?? String(await findFreePort());
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment, PORT: port },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Hide the greeting, show logged errors.
  child.stdout.setEncoding("utf8").on("data", (text) => {
    if (text.startsWith("{")) process.stderr.write(text);
  });
  const stop = () => stopProcess(child);
  atEnd(stop);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, stop };
}

/** Ends a process and waits for its exit. */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

export async function untilAnswers(url, request) {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url, request).catch(() => undefined);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error(`${url} does not respond`);
}

/** Waits until a server responds, with whatever status. */
export async function untilListens(url) {
  for (let tries = 0; tries < 600; tries++) {
    if ((await fetch(url).catch(() => undefined)) !== undefined) return;
    await delay(100);
  }
  throw new Error(`${url} does not respond`);
}

export function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
